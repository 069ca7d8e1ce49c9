//! The languages that we compile sources of, and what compiles them. A language is one row.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::search_path;
use crate::cc::{Dialect, GCCGO_OPTIONS, words_of};
use crate::open::is_program;

/// A language of gcc, as far as compiling a program of it differs from C.
pub(super) struct Language {
    /// Its name.
    pub(super) name: &'static str,
    /// How the names of its sources end.
    pub(super) endings: &'static [&'static str],
    /// The variable of the environment that names its compiler.
    pub(super) variable: &'static str,
    /// What its compiler is called.
    pub(super) compiler: &'static str,
    /// What is called where that is not installed.
    pub(super) other: Option<&'static str>,
    /// Further sources that its compiler takes, by the names of their languages.
    pub(super) takes: &'static [&'static str],
    /// What its compiler is given first.
    pub(super) options: &'static [&'static str],
    /// The library of its programs that its compiler does not link by itself.
    pub(super) library: Option<&'static str>,
    /// The one that only its own compiler links by itself.
    pub(super) own_library: Option<&'static str>,
    /// What kind of compiler that is.
    pub(super) kind: Kind,
}

/// Dialects of compilers' command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Like gcc.
    Gcc,
    /// Like gcc, with `-J` for the folder of the descriptions of modules that it writes.
    WithModules,
    /// A program that calls compiler, binder and linker, each of which has arguments of its own.
    Make,
    /// LLVM's compiler of D.
    Ldc,
}

const GCC: Language = Language {
    name: "",
    endings: &[],
    variable: "",
    compiler: "",
    other: None,
    takes: &[],
    options: &[],
    library: None,
    own_library: None,
    kind: Kind::Gcc,
};

/// All languages. Of several in one program the first one's compiler is taken.
const LANGUAGES: &[Language] = &[
    Language {
        name: "Ada",
        endings: &["adb", "ads"],
        variable: "GNATMAKE",
        compiler: "gnatmake",
        kind: Kind::Make,
        ..GCC
    },
    Language {
        name: "D",
        endings: &["d"],
        variable: "DC",
        compiler: "gdc",
        other: Some("ldc2"),
        takes: &["C"],
        ..GCC
    },
    Language {
        name: "Go",
        endings: &["go"],
        variable: "GOC",
        compiler: "gccgo",
        takes: &["C"],
        options: GCCGO_OPTIONS,
        ..GCC
    },
    Language {
        name: "Modula-2",
        endings: &["mod"],
        variable: "GM2",
        compiler: "gm2",
        takes: &["C"],
        // gcc 12's other library, of the dialect PIM, cannot be linked.
        options: &["-fiso"],
        ..GCC
    },
    Language {
        name: "Fortran",
        endings: &[
            "f", "for", "ftn", "F", "FOR", "fpp", "FPP", "FTN", "f90", "f95", "f03", "f08", "F90",
            "F95", "F03", "F08",
        ],
        variable: "FC",
        compiler: "gfortran",
        takes: &["C", "C++"],
        kind: Kind::WithModules,
        ..GCC
    },
    Language {
        name: "Objective-C++",
        endings: &["mm", "mii"],
        variable: "OBJCXX",
        compiler: "c++",
        takes: &["C", "C++", "Objective-C"],
        library: Some("-lobjc"),
        ..GCC
    },
    Language {
        name: "Objective-C",
        endings: &["m", "mi"],
        variable: "OBJC",
        compiler: "cc",
        takes: &["C"],
        library: Some("-lobjc"),
        ..GCC
    },
    Language {
        name: "C++",
        endings: &["cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"],
        variable: "CXX",
        compiler: "c++",
        takes: &["C"],
        own_library: Some("-lstdc++"),
        ..GCC
    },
    Language { name: "C", endings: &["c", "i"], variable: "CC", compiler: "cc", ..GCC },
];

impl Language {
    /// The language of a source, by its ending; none if the word is no name of a source, or that of a program.
    pub(super) fn of(word: &OsStr) -> Option<&'static Self> {
        let ending = Path::new(word).extension().and_then(OsStr::to_str)?;
        let is_option = word.as_bytes().starts_with(b"-");
        let language = LANGUAGES.iter().find(|it| !is_option && it.endings.contains(&ending))?;
        (!is_program(Path::new(word))).then_some(language)
    }

    /// Those of the sources among these words, the one whose compiler is taken first.
    pub(super) fn all_of(words: &[OsString]) -> Vec<&'static Self> {
        let is_there = |it: &&Self| {
            words.iter().any(|word| Self::of(word).is_some_and(|of| of.name == it.name))
        };
        LANGUAGES.iter().filter(is_there).collect()
    }

    /// The words that call its compiler: those of the variable, or else the usual name of one that is installed.
    pub(super) fn call(&self) -> Vec<OsString> {
        let chosen = words_of(self.variable);
        if !chosen.is_empty() {
            return chosen;
        }
        let is_there = |name: &str| search_path::find(name.as_ref()).is_some();
        let other = self.other.filter(|other| !is_there(self.compiler) && is_there(other));
        vec![other.unwrap_or(self.compiler).into()]
    }

    /// How that compiler is called.
    pub(super) fn kind_of(&self, call: &[OsString]) -> Kind {
        if Dialect::of(call) == Dialect::Ldc { Kind::Ldc } else { self.kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_of_one_language() {
        let endings: Vec<_> = LANGUAGES.iter().flat_map(|it| it.endings).collect();
        for (at, ending) in endings.iter().enumerate() {
            assert!(!endings[at + 1..].contains(ending), "{ending}");
        }
        for (word, name) in [
            ("heat.f90", Some("Fortran")),
            ("dir.d/fibx.adb", Some("Ada")),
            ("x.C", Some("C++")),
            ("x.c", Some("C")),
            ("-Ix.c", None),
            ("x.o", None),
            ("x", None),
        ] {
            assert_eq!(Language::of(word.as_ref()).map(|it| it.name), name, "{word}");
        }
    }

    #[test]
    fn languages_take_each_other_in_one_direction() {
        for (at, language) in LANGUAGES.iter().enumerate() {
            for name in language.takes {
                assert!(LANGUAGES[at + 1..].iter().any(|it| it.name == *name), "{name}");
            }
        }
    }
}
