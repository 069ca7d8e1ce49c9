//! Signal handlers and signal masks.

use core::cell::UnsafeCell;

use super::Errno;
use super::call::call;
use super::signal_set::{SignalSet, Signals, signal_bit};
use super::timer::Time;
use crate::linux::libc;
use crate::linux::machine::{self, Restorer};

/// The state of the code that a signal handler interrupted: its third argument, whose layout depends on the
/// processor.
#[repr(C)]
pub struct Context(UnsafeCell<[u8; 0]>);

impl Context {
    /// The address of the interrupted instruction.
    pub fn pc(&self) -> usize {
        self.word(machine::CONTEXT_PC as isize)
    }

    /// Lets a signal through when the handler has returned, whatever was blocked when it began.
    pub fn unblock_later(&self, signal: i32) {
        // SAFETY: only the kernel makes contexts; the mask lies where the processors' files say, and is the handler's to change.
        let mask =
            unsafe { &mut *self.0.get().byte_add(machine::CONTEXT_MASK).cast::<SignalSet>() };
        *mask = SignalSet::new(mask.bits() & !signal_bit(signal));
    }

    /// The word that lies so many bytes from the start.
    pub fn word(&self, offset: isize) -> usize {
        // SAFETY: only the kernel makes contexts; it has stored registers at the offsets that the
        // processors' files name.
        unsafe { core::ptr::from_ref(self).byte_offset(offset).cast::<usize>().read() }
    }
}

/// Facts about the signal for its handler: the second argument.
pub type Info = libc::siginfo_t;

/// A signal handler. *Context:* signal.
pub type Handler = extern "C" fn(signal: i32, info: &Info, context: &Context);

/// Owner of a signal's action: the runtime or the program.
#[derive(PartialEq, Eq)]
pub enum SignalOwner {
    /// The runtime.
    Us,
    /// The program.
    Program,
}

/// Linux's own `struct sigaction`, which is not the C library's.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Action {
    /// MIPS has 32 bits of flags, and has them first.
    #[cfg(target_arch = "mips64")]
    pub flags: usize,
    /// Address of the handler, or SIG_DFL or SIG_IGN.
    pub handler: usize,
    /// `SA_*`.
    #[cfg(not(target_arch = "mips64"))]
    pub flags: usize,
    restorer: [usize; machine::RESTORERS],
    /// Signals that are blocked meanwhile.
    pub mask: SignalSet,
    /// A copy for qemu-user 7.2, which takes RISC-V's structure to have a word for a restorer as others have: it reads
    /// the mask one word later than Linux does, and writes up to here.
    mask_in_qemu: SignalSet,
}

impl Action {
    /// An action by its handler's address, its `SA_` flags and the signals it blocks.
    pub fn new(handler: usize, flags: i32, mask: Signals) -> Self {
        const SA_RESTORER: usize = 0x0400_0000;
        let (flag, restorer) = match machine::RESTORER {
            Restorer::InAction(restorer) => (SA_RESTORER, restorer as usize),
            Restorer::InCall(_) | Restorer::Kernels => (0, 0),
        };
        let flags = flags as u32 as usize | flag;
        Self {
            handler,
            flags,
            restorer: [restorer; machine::RESTORERS],
            mask: SignalSet::new(mask),
            mask_in_qemu: SignalSet::new(mask),
        }
    }

    /// The action of one of the runtime's handlers. SA_ONSTACK: on a coroutine's small stack the
    /// frame would not fit, where the program provides an alternate one. SA_RESTART and a full
    /// mask, as profil(3) has them.
    pub fn ours(handler: Handler) -> Self {
        let flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
        Self::new(handler as usize, flags, Signals::MAX)
    }
}

/// The value that the maker of a timer gave it, if a timer has sent the signal.
pub fn timer_value(info: &Info) -> Option<usize> {
    // What other processors have is what qemu-user 7.2 says on MIPS, too.
    const OF_QEMU: i32 = if cfg!(target_arch = "mips64") { -2 } else { libc::SI_TIMER };
    // SAFETY: signals of timers have a value.
    [libc::SI_TIMER, OF_QEMU]
        .contains(&info.si_code)
        .then(|| unsafe { info.si_value() }.sival_ptr as usize)
}

/// The value that came with the signal, if the program, or [`send`], has queued it.
pub fn sent_value(info: &Info) -> Option<usize> {
    // SAFETY: signals that are queued have a value.
    (info.si_code == libc::SI_QUEUE).then(|| unsafe { info.si_value() }.sival_ptr as usize)
}

/// Sends a signal with a value to a thread of this process. One that is still pending keeps its value.
pub fn send(thread: i32, signal: i32, value: usize) {
    /// The kernel's `siginfo_t` of such a signal: what all have, and where a word may begin, the sender and the value.
    #[repr(C)]
    struct Queued {
        signal: i32,
        #[cfg(not(target_arch = "mips64"))]
        error: i32,
        code: i32,
        #[cfg(target_arch = "mips64")]
        error: i32,
        sender: Sender,
    }
    #[repr(C)]
    struct Sender {
        process: i32,
        user: u32,
        value: usize,
        rest: [usize; REST],
    }
    const REST: usize = if cfg!(target_pointer_width = "64") { 12 } else { 26 };
    const _: () = assert!(size_of::<Queued>() == 128);
    let process = super::process_id();
    let sender = Sender { process, user: 0, value, rest: [0; REST] };
    let queued = Queued { signal, error: 0, code: libc::SI_QUEUE, sender };
    // SAFETY: rt_tgsigqueueinfo(2) reads what it gets. What the signal does is what its action says.
    _ = unsafe { call!(SYS_rt_tgsigqueueinfo, process, thread, signal, Some(&queued)) };
}

/// Returns `true` if the kernel has sent the signal by itself, and no process by kill(2) or a timer
/// of its own.
pub fn is_the_kernels(info: &Info) -> bool {
    info.si_code > 0
}

/// Has `handler` called for a signal, unless the program handles or ignores that signal.
pub fn handle(signal: i32, handler: Handler) -> SignalOwner {
    // Almost always it is the default: one call, and a second only to undo it.
    // SAFETY: a handler of the type that `SA_SIGINFO` asks for.
    let old = unsafe { exchange_action(signal, Some(&Action::ours(handler))) }.unwrap_or_default();
    if old.handler == libc::SIG_DFL || old.handler == handler as usize {
        return SignalOwner::Us;
    }
    // SAFETY: the program's own action, as it was.
    _ = unsafe { set_action(signal, &old) };
    SignalOwner::Program
}

/// Gives a signal its default action.
pub fn set_default(signal: i32) {
    // SAFETY: no handler.
    _ = unsafe { set_action(signal, &Action::default()) };
}

/// The action of a signal.
pub fn action(signal: i32) -> Result<Action, Errno> {
    // SAFETY: nothing changes.
    unsafe { exchange_action(signal, None) }
}

/// Sets the action of a signal.
///
/// # Safety
/// The handler must be one that the flags call as it wants to be called, or none.
pub unsafe fn set_action(signal: i32, action: &Action) -> Result<(), Errno> {
    // SAFETY: the caller answers for the handler.
    unsafe { exchange_action(signal, Some(action)) }.map(drop)
}

/// # Safety
/// As for [`set_action`].
unsafe fn exchange_action(signal: i32, new: Option<&Action>) -> Result<Action, Errno> {
    let mut old = Action::default();
    const LEN: usize = SignalSet::LEN;
    let set = match machine::RESTORER {
        Restorer::InCall(restorer) => {
            let restorer = new.map_or(0, |new| restorer(new.flags));
            // SAFETY: rt_sigaction(2) reads and writes actions in its own layout; handlers return to the
            // machine's restorer. The caller answers for the handler.
            unsafe { call!(SYS_rt_sigaction, signal, new, Some(&mut old), restorer, LEN) }
        }
        Restorer::InAction(_) | Restorer::Kernels => {
            // SAFETY: rt_sigaction(2) reads and writes actions in its own layout, which have the restorer
            // where the kernel wants one. The caller answers for the handler.
            unsafe { call!(SYS_rt_sigaction, signal, new, Some(&mut old), LEN) }
        }
    };
    set.map(|_| old)
}

/// Sends a signal to the calling thread.
pub fn raise(signal: i32) {
    // SAFETY: numbers only. What the signal does is what its action says.
    _ = unsafe { call!(SYS_tgkill, super::process_id(), super::thread_id(), signal) };
}

/// Sends a signal to the process, whose threads all may take it.
pub fn raise_for_process(signal: i32) {
    // SAFETY: numbers only. What the signal does is what its action says.
    _ = unsafe { call!(SYS_kill, super::process_id(), signal) };
}

/// Runs `action` while no signal can interrupt the thread. What a failing write sends, SIGPIPE and
/// SIGXFSZ, is discarded: it would kill the program for our doing.
pub fn without_signals<R>(action: impl FnOnce() -> R) -> R {
    const OURS: Signals = bit(libc::SIGPIPE) | bit(libc::SIGXFSZ);
    let mut old = SignalSet::default();
    set_mask(Signals::MAX, Some(&mut old));
    let before = pending_signals();
    let result = action();
    if pending_signals() & OURS & !before != 0 {
        let (ours, now) = (SignalSet::new(OURS & !before), Time::new(0));
        let none = core::ptr::null_mut::<Info>();
        // SAFETY: rt_sigtimedwait(2) reads the set and the time, and takes signals that we have caused.
        let take =
            || unsafe { call!(SYS_rt_sigtimedwait, Some(&ours), none, Some(&now), SignalSet::LEN) };
        while take().is_ok() {}
    }
    set_mask(old.bits(), None);
    result
}

/// Runs `action` while no signal interrupts the thread but those that its own instructions cause: a program may follow
/// itself step by step, by SIGTRAP, and a fault that is blocked is deadly.
pub fn without_interruptions<R>(action: impl FnOnce() -> R) -> R {
    const OWN: Signals = bit(libc::SIGTRAP)
        | bit(libc::SIGSEGV)
        | bit(libc::SIGBUS)
        | bit(libc::SIGFPE)
        | bit(libc::SIGILL)
        | bit(libc::SIGSYS);
    with_blocked(!OWN, action)
}

/// Runs `action` while the thread cannot be cancelled: C libraries do that by signals of their own. All
/// others come.
pub fn without_cancellation<R>(action: impl FnOnce() -> R) -> R {
    const THEIRS: Signals = bit(32) | bit(33);
    with_blocked(THEIRS, action)
}

fn with_blocked<R>(signals: Signals, action: impl FnOnce() -> R) -> R {
    let mut old = SignalSet::default();
    change_mask(libc::SIG_BLOCK, signals, Some(&mut old));
    let result = action();
    set_mask(old.bits(), None);
    result
}

/// Returns `true` if the calling thread has an alternate stack for handlers.
pub fn has_signal_stack() -> bool {
    // In doubt it has: then nothing is changed.
    signal_stack_flags().is_none_or(|flags| flags & libc::SS_DISABLE == 0)
}

/// Returns `true` if the calling thread is on that stack, or may be.
pub fn is_on_signal_stack() -> bool {
    signal_stack_flags().is_none_or(|flags| flags & libc::SS_ONSTACK != 0)
}

fn signal_stack_flags() -> Option<i32> {
    let mut stack = libc::stack_t { ss_sp: core::ptr::null_mut(), ss_flags: 0, ss_size: 0 };
    let new: Option<&libc::stack_t> = None;
    // SAFETY: sigaltstack(2) writes what it knows of the stack, and changes nothing.
    let asked = unsafe { call!(SYS_sigaltstack, new, Some(&mut stack)) };
    asked.is_ok().then_some(stack.ss_flags)
}

/// Gives the calling thread an alternate stack for handlers.
///
/// # Safety
/// The memory must stay the thread's as long as it lives.
pub unsafe fn set_signal_stack(base: *mut u8, len: usize) {
    let stack = libc::stack_t { ss_sp: base.cast(), ss_flags: 0, ss_size: len };
    let old: Option<&mut libc::stack_t> = None;
    // SAFETY: sigaltstack(2) reads where the stack is; that the memory stays is the caller's promise.
    _ = unsafe { call!(SYS_sigaltstack, Some(&stack), old) };
}

/// Lets a signal reach the calling thread.
pub fn unblock(signal: i32) {
    set_blocked(signal, false);
}

/// Blocks a signal for the calling thread, or lets it through; whether it was blocked before.
pub fn set_blocked(signal: i32, blocked: bool) -> bool {
    let how = if blocked { libc::SIG_BLOCK } else { libc::SIG_UNBLOCK };
    let mut old = SignalSet::default();
    change_mask(how, bit(signal), Some(&mut old));
    old.bits() & bit(signal) != 0
}

const fn bit(signal: i32) -> Signals {
    1 << (signal - 1)
}

/// Changes the mask of the calling thread, for the program.
pub fn change_signal_mask(
    how: i32,
    new: Option<Signals>,
    old: Option<&mut SignalSet>,
) -> Result<(), Errno> {
    let new = new.map(SignalSet::new);
    // SAFETY: rt_sigprocmask(2) reads one set and writes the other, each if there is one.
    unsafe { call!(SYS_rt_sigprocmask, how, new.as_ref(), old, SignalSet::LEN) }.map(drop)
}

fn set_mask(new: Signals, old: Option<&mut SignalSet>) {
    change_mask(libc::SIG_SETMASK, new, old);
}

fn change_mask(how: i32, new: Signals, old: Option<&mut SignalSet>) {
    let new = SignalSet::new(new);
    // SAFETY: rt_sigprocmask(2) reads one set and writes the other, if there is one.
    _ = unsafe { call!(SYS_rt_sigprocmask, how, Some(&new), old, SignalSet::LEN) };
}

/// Returns `true` if the word at an aligned address can be read, by a call that changes nothing: there
/// is no such change of the signal mask, but the kernel reads what it is to be changed by first.
pub fn is_readable(address: usize) -> bool {
    const NO_CHANGE: i32 = -1;
    // SAFETY: the kernel copes with any address, and there is no set for it to write.
    let result = unsafe { call!(SYS_rt_sigprocmask, NO_CHANGE, address, 0usize, SignalSet::LEN) };
    result == Err(Errno(libc::EINVAL))
}

/// Signals that wait because the calling thread blocks them: its own, and the process's.
pub fn pending_signals() -> Signals {
    let mut set = SignalSet::default();
    // SAFETY: rt_sigpending(2) writes the set.
    _ = unsafe { call!(SYS_rt_sigpending, Some(&mut set), SignalSet::LEN) };
    set.bits()
}
