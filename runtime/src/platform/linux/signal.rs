//! Signal handlers.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::arch::{self, syscall};

/// What a signal handler is told about the code it interrupted.
pub(crate) type Context = libc::ucontext_t;

/// Whether a signal's action is the runtime's or the program's.
pub(crate) enum SignalOwner {
    Us,
    Program,
}

/// Linux's own `struct sigaction`, which is not the C library's.
#[repr(C)]
#[derive(Default)]
struct KernelAction {
    handler: usize,
    flags: usize,
    restorer: usize,
    mask: u64,
}

static HANDLER: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// Has `handler` called for SIGPROF, unless the program handles that signal itself.
pub(crate) fn handle_profiling_signal(handler: fn(&Context)) -> SignalOwner {
    let mut old = KernelAction::default();
    signal_action(None, Some(&mut old));
    let ours = on_signal as *const () as usize;
    if old.handler != libc::SIG_DFL && old.handler != ours {
        return SignalOwner::Program;
    }
    HANDLER.store(handler as *mut (), Ordering::Release);
    // SA_ONSTACK: on a coroutine's small stack the handler would not fit, where the program
    // provides an alternate one. SA_RESTART and a full mask, as profil(3) does.
    const SA_RESTORER: usize = 0x0400_0000;
    let flags = (libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK) as usize | SA_RESTORER;
    let action =
        KernelAction { handler: ours, flags, restorer: arch::signal_restorer(), mask: u64::MAX };
    signal_action(Some(&action), None);
    SignalOwner::Us
}

fn signal_action(new: Option<&KernelAction>, old: Option<&mut KernelAction>) {
    let new = new.map_or(0, |action| core::ptr::from_ref(action) as usize);
    let old = old.map_or(0, |action| core::ptr::from_mut(action) as usize);
    let args = [libc::SIGPROF as usize, new, old, size_of::<u64>(), 0, 0];
    syscall(libc::SYS_rt_sigaction, args);
}

extern "C" fn on_signal(_signal: i32, _info: *const libc::siginfo_t, context: *const Context) {
    let handler = HANDLER.load(Ordering::Acquire);
    // SAFETY: this function is installed only after HANDLER holds a function of this type, and the
    // kernel passes a context that lives until the handler returns (SA_SIGINFO).
    unsafe {
        let handler: fn(&Context) = core::mem::transmute(handler);
        handler(&*context);
    }
}
