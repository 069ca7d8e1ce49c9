//! A call, decoded from the instruction before a return address.

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Call {
    /// To this address.
    Direct(usize),
    /// To an address in a register, whose value at that time is lost.
    Indirect,
}

impl Call {
    /// The address that is called; `None` for an indirect call.
    pub(in super::super) fn target(self) -> Option<usize> {
        match self {
            Self::Direct(target) => Some(target),
            Self::Indirect => None,
        }
    }
}
