//! Turns linker names back into names of the source language, as GNU `libiberty` prints them: the
//! classic reports must have the very same bytes.

mod ada;
mod cpp;
mod d;
mod rust;
mod short;

use std::borrow::Cow;

use cpp::Language;

/// The languages that names are turned back into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demangling {
    /// None: names stay as the linker knows them.
    None,
    /// Rust, else C++.
    #[default]
    Auto,
    /// C++ of the Itanium C++ ABI.
    Cpp,
    /// Java of GNU's compiler, whose names are made like those of C++.
    Java,
    /// Ada of GNU's compiler.
    Ada,
    /// D.
    D,
    /// Rust.
    Rust,
}

/// How much of a readable name is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// All, with the hashes that tell apart what has the same name in Rust's sources.
    Full,
    /// No hashes.
    #[default]
    Plain,
    /// Neither hashes nor generic arguments, for which `<_>` stands: `Vec<_>`.
    Short,
}

impl Demangling {
    /// The style that the GNU tools know by `name`.
    #[must_use]
    pub fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"none" => Self::None,
            b"auto" => Self::Auto,
            b"gnu-v3" => Self::Cpp,
            b"java" => Self::Java,
            b"gnat" => Self::Ada,
            b"dlang" => Self::D,
            b"rust" => Self::Rust,
            _ => return None,
        })
    }

    /// The readable form of a name; one of another language comes back as it is.
    ///
    /// Dots or dollars before the name and a symbol version after it (`@GLIBC_2.2.5`) are kept.
    #[must_use]
    pub fn demangle(self, name: &[u8]) -> Cow<'_, [u8]> {
        self.demangle_to(Detail::default(), name)
    }

    /// The same with more or less detail.
    #[must_use]
    pub fn demangle_to(self, detail: Detail, name: &[u8]) -> Cow<'_, [u8]> {
        if self.leaves(name) {
            return Cow::Borrowed(name);
        }
        let (before, rest) = split_start(name);
        let end = rest.iter().position(|&byte| byte == b'@').unwrap_or(rest.len());
        let (mangled, version) = rest.split_at(end);
        let readable = match self {
            Self::None => None,
            Self::Auto => {
                rust::demangle(mangled, detail).or_else(|| cpp::demangle(mangled, Language::Cpp))
            }
            Self::Cpp => cpp::demangle(mangled, Language::Cpp),
            Self::Java => cpp::demangle(mangled, Language::Java),
            Self::Rust => rust::demangle(mangled, detail),
            Self::Ada => Some(ada::demangle(mangled)),
            Self::D => d::demangle(mangled),
        };
        let readable = match detail {
            Detail::Short => readable.map(|readable| short::shorten(&readable)),
            Detail::Full | Detail::Plain => readable,
        };
        match readable {
            Some(readable) => Cow::Owned([before, &readable, version].concat()),
            None => Cow::Borrowed(name),
        }
    }

    /// Whether the first letters of a name tell that it comes back as it is.
    pub(crate) fn leaves(self, name: &[u8]) -> bool {
        match self {
            Self::None => true,
            Self::Ada => false,
            _ => !split_start(name).1.starts_with(b"_"),
        }
    }
}

/// Splits off the dots and dollars before a name.
fn split_start(name: &[u8]) -> (&[u8], &[u8]) {
    let start = name.iter().take_while(|&&byte| byte == b'.' || byte == b'$').count();
    name.split_at(start)
}
