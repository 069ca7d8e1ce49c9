//! Languages that are recognised, the part of a name that is shown, and what around a name is kept.

use std::borrow::Cow;

#[cfg(feature = "ada")]
use crate::ada;
use crate::cpp;
#[cfg(feature = "d")]
use crate::d;
use crate::{fortran, rust, short};

/// The languages that names are turned back into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Demangling {
    /// None: names stay as the linker knows them.
    None,
    /// Rust, else C++.
    #[default]
    Auto,
    /// C++ of the Itanium C++ ABI.
    Cpp,
    /// Java of GNU's compiler, whose names are made like those of C++.
    #[cfg(feature = "java")]
    Java,
    /// Ada of GNU's compiler.
    #[cfg(feature = "ada")]
    Ada,
    /// D.
    #[cfg(feature = "d")]
    D,
    /// Rust.
    Rust,
    /// Whatever the form of a name tells: Rust, C++, D or Fortran; and what is known of the language of the code.
    Source(Language),
}

/// The language of some code, as far as it matters to names whose form does not tell it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Any.
    #[default]
    Unknown,
    /// Ada, with names as its programmers write them: `Towers.Move_Disc`.
    Ada,
    /// Fortran.
    Fortran,
}

/// Part of a readable name that is shown.
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
    /// The style that the GNU tools know by `name`: `none`, `auto`, `gnu-v3` (C++), `rust`, and with
    /// the features for them `java`, `gnat` (Ada) and `dlang`.
    #[must_use]
    pub fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"none" => Self::None,
            b"auto" => Self::Auto,
            b"gnu-v3" => Self::Cpp,
            #[cfg(feature = "java")]
            b"java" => Self::Java,
            #[cfg(feature = "ada")]
            b"gnat" => Self::Ada,
            #[cfg(feature = "d")]
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

    /// The readable form with more or less detail.
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
            Self::Auto => rust::demangle(mangled, detail)
                .or_else(|| cpp::demangle(mangled, cpp::Language::Cpp)),
            Self::Cpp => cpp::demangle(mangled, cpp::Language::Cpp),
            #[cfg(feature = "java")]
            Self::Java => cpp::demangle(mangled, cpp::Language::Java),
            Self::Rust => rust::demangle(mangled, detail),
            #[cfg(feature = "ada")]
            Self::Ada => Some(ada::demangle(mangled)),
            #[cfg(feature = "d")]
            Self::D => d::demangle(mangled),
            Self::Source(language) => {
                by_form(mangled, detail).or_else(|| in_language(language, mangled))
            }
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

    /// Returns `true` if the first letters of a name tell that it comes back as it is. Costs far
    /// less than [`demangle`](Self::demangle), which leaves more names than these as they are.
    #[must_use]
    pub fn leaves(self, name: &[u8]) -> bool {
        match self {
            Self::None => true,
            #[cfg(feature = "ada")]
            Self::Ada => false,
            Self::Source(Language::Ada | Language::Fortran) => false,
            _ => !split_start(name).1.starts_with(b"_"),
        }
    }
}

/// The readable form of a name whose form tells the language.
fn by_form(name: &[u8], detail: Detail) -> Option<Vec<u8>> {
    let readable = rust::demangle(name, detail).or_else(|| cpp::demangle(name, cpp::Language::Cpp));
    #[cfg(feature = "d")]
    let readable = readable.or_else(|| d::demangle(name));
    readable.or_else(|| fortran::demangle(name))
}

/// The readable form of a name in code of a language.
fn in_language(language: Language, name: &[u8]) -> Option<Vec<u8>> {
    match language {
        Language::Unknown => None,
        #[cfg(feature = "ada")]
        Language::Ada => ada::written(name),
        #[cfg(not(feature = "ada"))]
        Language::Ada => None,
        Language::Fortran => fortran::plain(name),
    }
}

/// Splits off the dots and dollars before a name.
fn split_start(name: &[u8]) -> (&[u8], &[u8]) {
    let start = name.iter().take_while(|&&byte| byte == b'.' || byte == b'$').count();
    name.split_at(start)
}
