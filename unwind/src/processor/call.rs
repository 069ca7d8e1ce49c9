//! A call, decoded from the instruction before a return address.

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<W> {
    /// To this address.
    Direct(W),
    /// To an address in a register, whose value at that time is lost.
    Indirect,
}

impl<W> Call<W> {
    /// The address that is called; `None` for an indirect call.
    #[must_use]
    pub fn target(self) -> Option<W> {
        match self {
            Self::Direct(target) => Some(target),
            Self::Indirect => None,
        }
    }
}
