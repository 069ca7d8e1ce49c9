//! A call, as the instruction before a return address tells it.

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Call {
    /// To this address.
    Direct(usize),
    /// To an address that only the registers of then told.
    Indirect,
}

impl Call {
    /// The address that is called; `None` if only the registers of then told it.
    pub(in super::super) fn target(self) -> Option<usize> {
        match self {
            Self::Direct(target) => Some(target),
            Self::Indirect => None,
        }
    }
}
