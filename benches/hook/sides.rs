//! What is compared: forms of hook calls, hooks that answer them, and their combinations.

/// How compiled code calls its hook.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Mcount,
    Fentry,
}

impl Form {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Mcount, Self::Fentry];

    /// What to compile with.
    pub(crate) fn flags(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Mcount => "-pg",
            Self::Fentry => "-pg -mfentry",
        }
    }
}

/// Who answers the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hook {
    None,
    ReturnsOnly,
    Glibc,
    Ours,
    OursPreloaded,
}

impl Hook {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::ReturnsOnly => "only returns",
            Self::Glibc => "C library",
            Self::Ours => "gmon",
            Self::OursPreloaded => "gmon, preloaded",
        }
    }

    /// Whether it writes a profile.
    pub(crate) fn counts(self) -> bool {
        !matches!(self, Self::None | Self::ReturnsOnly)
    }
}

/// One side of the comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) form: Form,
    pub(crate) hook: Hook,
}

impl Side {
    pub(crate) const PLAIN: Self = Self { form: Form::Plain, hook: Hook::None };

    pub(crate) const ALL: [Self; 8] = [
        Self::PLAIN,
        Self { form: Form::Mcount, hook: Hook::ReturnsOnly },
        Self { form: Form::Mcount, hook: Hook::Glibc },
        Self { form: Form::Mcount, hook: Hook::Ours },
        Self { form: Form::Mcount, hook: Hook::OursPreloaded },
        Self { form: Form::Fentry, hook: Hook::ReturnsOnly },
        Self { form: Form::Fentry, hook: Hook::Glibc },
        Self { form: Form::Fentry, hook: Hook::Ours },
    ];

    /// The side with this form of call and another hook.
    pub(crate) fn with(self, hook: Hook) -> Self {
        Self { hook, ..self }
    }
}
