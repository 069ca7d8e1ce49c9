//! Windows of registers, which SPARC has, as they lie on the stack.

/// Layout of windows there.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// Distance of the stack pointer below the window.
    pub bias: usize,
}

impl Windows {
    /// The first register of a window by DWARF's numbers, `%l0`.
    pub const FIRST: usize = 16;
    /// Registers of a window.
    pub const LEN: usize = 16;

    /// The register that calls leave their own address in, `%o7`.
    pub const LINK: usize = 15;

    /// The register with the caller's stack pointer, `%i6`.
    pub const FRAME_POINTER: usize = 30;
    /// The register with the address of the call, `%i7`.
    pub const CALL: usize = 31;
}
