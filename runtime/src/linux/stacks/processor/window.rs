//! Windows of registers, which SPARC has, as they lie on the stack.

/// How they lie there.
#[derive(Clone, Copy)]
pub(in super::super) struct Windows {
    /// How far the stack pointer is below the window.
    pub(in super::super) bias: usize,
}

impl Windows {
    /// The first register of a window by DWARF's numbers, `%l0`, and how many there are.
    pub(in super::super) const FIRST: usize = 16;
    pub(in super::super) const LEN: usize = 16;

    /// The register that calls leave their own address in, `%o7`.
    pub(in super::super) const LINK: usize = 15;

    /// The caller's stack pointer, `%i6`, and the address of the call, `%i7`.
    pub(in super::super) const FRAME_POINTER: usize = 30;
    pub(in super::super) const CALL: usize = 31;
}
