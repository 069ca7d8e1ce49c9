//! Names of D.
//!
//! The grammar is that of the D ABI (<https://dlang.org/spec/abi.html#name_mangling>). How the parts
//! are spelled was found by giving names to `c++filt`. What a name's own type returns is not printed,
//! nor are a function's attributes and linkage.

mod names;
mod reader;
mod templates;
mod types;
mod values;

use reader::Reader;

/// The declaration that a name of D stands for.
pub(super) fn demangle(name: &[u8]) -> Option<Vec<u8>> {
    if name == b"_Dmain" {
        return Some(b"D main".to_vec());
    }
    let mut reader = Reader::new(name);
    let mut out = Vec::new();
    reader.mangled(&mut out)?;
    (reader.is_at_end() && !out.is_empty()).then_some(out)
}
