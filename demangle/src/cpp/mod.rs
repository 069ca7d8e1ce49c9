//! C++ names of the Itanium C++ ABI, which all compilers but Microsoft's use.
//!
//! The grammar is that of the ABI (<https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling>).
//! How the parts are spelled was found by giving names to `c++filt`: existing crates print
//! correct C++ too, but with other spaces, suffixes and parentheses.
//!
//! A name is parsed into a [`tree`] and the tree is printed. Names are input like any other:
//! depth and length are limited, and whatever breaks the grammar is not a C++ name.

mod expressions;
mod language;
mod names;
mod operators;
mod parser;
mod print;
mod print_expressions;
mod print_types;
mod scope;
mod special;
mod substitutions;
mod templates;
mod tree;
mod types;

pub(super) use language::Language;
use parser::Parser;
use print::Printer;

/// The declaration that a name of C++ or, by the same rules, Java stands for.
pub(super) fn demangle(name: &[u8], language: Language) -> Option<Vec<u8>> {
    if let Some(key) = constructor_key(name) {
        let readable = demangle(key, language).unwrap_or_else(|| key.to_vec());
        let kind: &[u8] = if name[9] == b'I' { b"constructors" } else { b"destructors" };
        return Some([b"global ", kind, b" keyed to ", &readable].concat());
    }
    let (tree, root) = Parser::parse(name.strip_prefix(b"_Z")?)?;
    Printer::print(&tree, root, language)
}

/// Name behind that of the function that runs a file's constructors or destructors:
/// `_GLOBAL__I_main` is keyed to `main`.
fn constructor_key(name: &[u8]) -> Option<&[u8]> {
    let rest = name.strip_prefix(b"_GLOBAL_")?;
    match rest {
        [b'.' | b'_' | b'$', b'I' | b'D', b'_', key @ ..] => Some(key),
        _ => None,
    }
}
