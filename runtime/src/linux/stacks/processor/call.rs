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

/// Checks which call of four bytes is seen at `pc`: none, an indirect one, or one to so far away.
#[cfg(all(
    test,
    any(
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "powerpc64",
        target_arch = "riscv64"
    )
))]
pub(super) fn assert_call(
    pc: usize,
    expected: Option<Option<isize>>,
    code: core::fmt::Arguments<'_>,
) {
    let target = |distance| Call::Direct(pc.wrapping_add_signed(distance));
    let expected = expected.map(|distance| distance.map_or(Call::Indirect, target));
    use super::{Native, Processor};
    let mut memory = super::super::memory::Memory::new();
    assert_eq!(Native::call_before(&mut memory, pc + 4), expected, "{code}");
}
