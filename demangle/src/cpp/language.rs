//! The languages whose names are made by these rules.

/// A language by the way its names are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Cpp,
    /// As GNU's compiler made native code of it.
    Java,
}

impl Language {
    /// Separator between a scope and a name in it.
    pub(super) fn separator(self) -> &'static str {
        match self {
            Self::Cpp => "::",
            Self::Java => ".",
        }
    }

    /// The sign of a pointer. Java's references are pointers, and go without saying.
    pub(super) fn pointer(self) -> &'static str {
        match self {
            Self::Cpp => "*",
            Self::Java => "",
        }
    }

    /// The name of a type that has this one in C++.
    pub(super) fn builtin(self, name: &'static str) -> &'static str {
        match (self, name) {
            (Self::Java, "bool") => "boolean",
            (Self::Java, "char") => "byte",
            (Self::Java, "wchar_t") => "char",
            (Self::Java, "unsigned int") => "unsigned",
            (Self::Java, "long long") => "long",
            _ => name,
        }
    }
}
