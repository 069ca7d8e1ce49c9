//! What is compared: forms of hook calls, hooks that answer them, and their combinations.

use gmon_format::dormant::Processor;

/// How compiled code calls its hook.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Mcount,
    Fentry,
    /// Code that leaves room for hooks that sleep.
    Dormant,
}

impl Form {
    pub(crate) const ALL: [Self; 4] = [Self::Plain, Self::Mcount, Self::Fentry, Self::Dormant];

    /// What to compile with.
    pub(crate) fn flags(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Mcount => "-pg",
            Self::Fentry => "-pg -mfentry",
            Self::Dormant => Processor::X86_64.compiler_option,
        }
    }

    /// What the tables call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Dormant => "--dormant",
            _ => self.flags(),
        }
    }
}

/// Who answers the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hook {
    None,
    /// Ours, asleep.
    Asleep,
    ReturnsOnly,
    Glibc,
    Ours,
    OursPreloaded,
}

impl Hook {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Asleep => "gmon, asleep",
            Self::ReturnsOnly => "only returns",
            Self::Glibc => "C library",
            Self::Ours => "gmon",
            Self::OursPreloaded => "gmon, preloaded",
        }
    }

    /// Whether it writes a profile.
    pub(crate) fn counts(self) -> bool {
        !matches!(self, Self::None | Self::Asleep | Self::ReturnsOnly)
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

    pub(crate) const ALL: [Self; 11] = [
        Self::PLAIN,
        Self { form: Form::Mcount, hook: Hook::ReturnsOnly },
        Self { form: Form::Mcount, hook: Hook::Glibc },
        Self { form: Form::Mcount, hook: Hook::Ours },
        Self { form: Form::Mcount, hook: Hook::OursPreloaded },
        Self { form: Form::Fentry, hook: Hook::ReturnsOnly },
        Self { form: Form::Fentry, hook: Hook::Glibc },
        Self { form: Form::Fentry, hook: Hook::Ours },
        Self { form: Form::Dormant, hook: Hook::None },
        Self { form: Form::Dormant, hook: Hook::Asleep },
        Self { form: Form::Dormant, hook: Hook::Ours },
    ];

    /// The side with this form of call and another hook.
    pub(crate) fn with(self, hook: Hook) -> Self {
        Self { hook, ..self }
    }
}
