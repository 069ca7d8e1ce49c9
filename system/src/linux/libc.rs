//! The types and numbers of the C library, by the crate of that name, but for those of signals on 64-bit MIPS: version
//! 0.2.191 of the crate gives it those of other processors. Of system calls that have had users and groups of 16 bits, the
//! later ones.
//!
//! *Context:* any.

pub use ::libc::*;

#[cfg(any(target_arch = "x86", target_arch = "arm", target_arch = "sparc"))]
pub use ::libc::{
    SYS_setgroups32 as SYS_setgroups, SYS_setresgid32 as SYS_setresgid,
    SYS_setresuid32 as SYS_setresuid,
};

#[cfg(target_arch = "mips64")]
pub use mips64::{
    SA_NODEFER, SA_ONSTACK, SA_RESETHAND, SA_RESTART, SA_SIGINFO, SIG_BLOCK, SIG_SETMASK,
    SIG_UNBLOCK, SIGBUS, SIGIO, SIGPROF, SIGPWR, SIGSYS, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM,
    SIGWINCH, SIGXCPU, SIGXFSZ, sigaction,
};

/// As in the kernel's `asm/signal.h` of MIPS.
#[cfg(target_arch = "mips64")]
mod mips64 {
    use core::ffi::c_int;

    pub const SIGBUS: c_int = 10;
    pub const SIGSYS: c_int = 12;
    pub const SIGUSR1: c_int = 16;
    pub const SIGUSR2: c_int = 17;
    pub const SIGPWR: c_int = 19;
    pub const SIGWINCH: c_int = 20;
    pub const SIGURG: c_int = 21;
    pub const SIGIO: c_int = 22;
    pub const SIGVTALRM: c_int = 28;
    pub const SIGPROF: c_int = 29;
    pub const SIGXCPU: c_int = 30;
    pub const SIGXFSZ: c_int = 31;

    pub const SA_SIGINFO: c_int = 0x8;
    pub const SA_ONSTACK: c_int = 0x0800_0000;
    pub const SA_RESTART: c_int = 0x1000_0000;
    pub const SA_NODEFER: c_int = 0x4000_0000;
    pub const SA_RESETHAND: c_int = c_int::MIN;

    pub const SIG_BLOCK: c_int = 1;
    pub const SIG_UNBLOCK: c_int = 2;
    pub const SIG_SETMASK: c_int = 3;

    /// `struct sigaction` as the C library has it: its flags come first.
    #[repr(C)]
    pub struct sigaction {
        pub sa_flags: c_int,
        pub sa_sigaction: usize,
        pub sa_mask: ::libc::sigset_t,
        pub sa_restorer: Option<extern "C" fn()>,
    }
}
