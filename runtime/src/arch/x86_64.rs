//! x86-64, System V ABI.

use core::arch::{asm, global_asm};
use core::ffi::{c_char, c_int, c_ulong, c_void};
use core::ops::Range;

use crate::life;
use crate::platform::Context;
use crate::sampler::profil::Profil;

global_asm!(
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/x86_64.S")),
    options(att_syntax)
);

unsafe extern "C" {
    static __gmon_no_table: u8;
    static __gmon_hooks_end: u8;
    fn mcount();
    fn __external_caller();
    fn __gmon_restorer();
    fn __gmon_call_on(stack: *mut u8, function: extern "C" fn(*mut c_void), data: *mut c_void);
}

/// The address of a symbol that may be missing (then 0), through the global offset table.
macro_rules! weak {
    ($symbol:literal) => {{
        let address: usize;
        asm!(
            // Said in every object that asks, or the one without it could not be linked.
            concat!(".weak ", $symbol, "\nmov {}, qword ptr [rip + ", $symbol, "@GOTPCREL]"),
            out(reg) address,
            options(nostack, preserves_flags, pure, readonly),
        );
        address
    }};
}

/// The slow path of `__fentry__`. `stack` is the stack pointer at its entry: selfpc, then frompc.
///
/// gcc enters a nested function by `push %r10; call __fentry__; pop %r10`, so that the static
/// chain, an address in a caller's frame, lies where frompc should be.
///
/// *Context:* hook.
#[unsafe(no_mangle)]
extern "C" fn __gmon_fentry_miss(from_pc: usize, self_pc: usize, stack: usize) {
    /// How far above the stack pointer the frame of an enclosing function can be.
    const STACK: usize = 1 << 30;
    let is_frame = from_pc.wrapping_sub(stack) < STACK && from_pc % 8 == 0;
    let from_pc = if is_frame && follows_push_r10(self_pc) {
        // SAFETY: the push was seen, so the word above the pushed one is the return address.
        unsafe { *((stack + 16) as *const usize) }
    } else {
        from_pc
    };
    life::count_call(from_pc, self_pc);
}

/// Whether the call that returns to `self_pc` comes right after `push %r10`.
fn follows_push_r10(self_pc: usize) -> bool {
    const PUSH_R10: [u8; 2] = [0x41, 0x52];
    // call rel32 or call *GOT(%rip); each perhaps after endbr64.
    const CALLS: [usize; 4] = [5, 6, 5 + 4, 6 + 4];
    CALLS.iter().any(|len| {
        let push = (self_pc - len - PUSH_R10.len()) as *const [u8; 2];
        // SAFETY: text before a return address. The call itself begins `len` bytes before it; the
        // few bytes before that are of the same section, which starts with the program's own
        // code: at least `_init` or a start file lies before any profiled function.
        unsafe { *push == PUSH_R10 }
    })
}

/// This thread's word, defined in the stubs; `None` before [`set_table_word`].
pub(crate) fn table_word() -> Option<usize> {
    let word: usize;
    // SAFETY: reads the thread-local word at its initial-exec offset. It is there whenever the
    // thread pointer is, which the callers in `threads` know from the state.
    unsafe {
        asm!(
            "mov {0}, qword ptr [rip + __gmon_table@GOTTPOFF]",
            "mov {0}, qword ptr fs:[{0}]",
            out(reg) word,
            options(nostack, preserves_flags, readonly),
        );
    }
    (word != &raw const __gmon_no_table as usize).then_some(word)
}

/// Sets the word that [`table_word`] reads.
pub(crate) fn set_table_word(word: usize) {
    // SAFETY: as above; the word is the runtime's own, and the only readers are `table_word` and
    // the stubs, which get the address of a table from `threads`.
    unsafe {
        asm!(
            "mov {0}, qword ptr [rip + __gmon_table@GOTTPOFF]",
            "mov qword ptr fs:[{0}], {1}",
            out(reg) _,
            in(reg) word,
            options(nostack, preserves_flags),
        );
    }
}

/// Undoes [`set_table_word`], where it could be done.
pub(crate) fn clear_table_word() {
    if has_thread_pointer() {
        set_table_word(&raw const __gmon_no_table as usize);
    }
}

/// Whether the program contains a C library that is to set up thread-local storage: by the names
/// that glibc and musl have for that in static programs only.
pub(crate) fn has_static_c_library() -> bool {
    // SAFETY: the slots hold zero or the address of a function, and are only read.
    unsafe { weak!("__libc_setup_tls") != 0 || weak!("__init_tls") != 0 }
}

/// False in a static program whose C library has not set up thread-local storage yet, or that has
/// none.
pub(crate) fn has_thread_pointer() -> bool {
    const ARCH_GET_FS: usize = 0x1003;
    let mut base = 0usize;
    let result = syscall(
        libc::SYS_arch_prctl,
        [ARCH_GET_FS, core::ptr::from_mut(&mut base) as usize, 0, 0, 0, 0],
    );
    result == 0 && base != 0
}

/// `PERF_REG_X86_IP`: the program counter among the registers of a performance event.
pub(crate) const PERF_PC_REGISTER: u32 = 8;

/// Linux passes a `ucontext_t` as the third argument of the handler.
pub(crate) fn interrupted_pc(context: &Context) -> usize {
    context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize
}

/// The hooks see return addresses: just past the call, perhaps already in the next function.
pub(crate) fn call_site(from_pc: usize) -> usize {
    from_pc.wrapping_sub(1)
}

/// The address of `__external_caller`.
pub(crate) fn external_caller() -> usize {
    __external_caller as *const () as usize
}

/// The address of `__gmon_restorer`.
pub(crate) fn signal_restorer() -> usize {
    __gmon_restorer as *const () as usize
}

/// Calls `function(data)` with the stack pointer at `stack`.
///
/// # Safety
/// Enough memory for the call must lie below `stack`, which is 16-byte aligned.
pub(crate) unsafe fn call_on_stack(
    stack: *mut u8,
    function: extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    // SAFETY: as promised by the caller.
    unsafe { __gmon_call_on(stack, function, data) }
}

/// Starts a kernel thread by clone(2) that shares all that `flags` say and runs `entry` on `stack`.
/// Returns its id or a negative error number.
///
/// # Safety
/// `flags` must make a thread of this process. `stack` must be the end of writable memory, 16-byte
/// aligned, that nobody else uses while the thread runs.
pub(crate) unsafe fn clone(flags: usize, stack: *mut u8, entry: extern "C" fn() -> !) -> isize {
    let result;
    // SAFETY: in this thread, an ordinary system call. The new one begins behind it with the same
    // registers and an empty stack, calls `entry` and never comes back.
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone as isize => result,
            in("rdi") flags,
            in("rsi") stack,
            in("rdx") 0,
            in("r10") 0,
            in("r8") 0,
            in("r12") entry,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// Makes a system call; a negative result is an error number.
pub(crate) fn syscall(number: libc::c_long, args: [usize; 6]) -> isize {
    let result;
    // SAFETY: the registers are those of the system-call convention. What the call does to memory
    // is the business of the wrappers in `platform`, each of which passes what its call asks for.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") args[0],
            in("rsi") args[1],
            in("rdx") args[2],
            in("r10") args[3],
            in("r8") args[4],
            in("r9") args[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// The stubs of the hooks, the first of which is `mcount`.
pub(crate) fn hooks() -> Range<usize> {
    mcount as *const () as usize..&raw const __gmon_hooks_end as usize
}

/// The code of the runtime, stubs included; empty if it is scattered over the program, as in one that
/// is built by cargo.
pub(crate) fn runtime_text() -> Range<usize> {
    // SAFETY: only reads the slots.
    unsafe { weak!("__gmon_text_start")..weak!("__gmon_text_end") }
}

/// Registers a function to be called at exit. *Context:* startup: calls the C library.
pub(crate) fn at_exit(function: extern "C" fn(*mut c_void)) {
    type Register = extern "C" fn(extern "C" fn(*mut c_void), *mut c_void, *mut c_void) -> c_int;
    // SAFETY: the slot holds zero, which is None, or the address of the function of this name, whose
    // type the Itanium C++ ABI (3.3.6.3) gives.
    let register: Option<Register> = unsafe { core::mem::transmute(weak!("__cxa_atexit")) };
    if let Some(register) = register {
        register(function, core::ptr::null_mut(), core::ptr::null_mut());
    }
}

/// Registers a function to be called by `quick_exit`. *Context:* startup: calls the C library.
pub(crate) fn at_quick_exit(function: extern "C" fn()) {
    type Standard = extern "C" fn(extern "C" fn()) -> c_int;
    type Glibc = extern "C" fn(extern "C" fn(), *mut c_void) -> c_int;
    // SAFETY: each slot holds zero, which is None, or the address of the function of this name.
    // at_quick_exit(3) is C's; in glibc it is not exported but a wrapper around the other, whose
    // last argument names the object to be unloaded with, here none.
    let (standard, glibc): (Option<Standard>, Option<Glibc>) = unsafe {
        let standard = core::mem::transmute::<usize, Option<Standard>>(weak!("at_quick_exit"));
        let glibc = core::mem::transmute::<usize, Option<Glibc>>(weak!("__cxa_at_quick_exit"));
        (standard, glibc)
    };
    if let Some(register) = glibc {
        register(function, core::ptr::null_mut());
    } else if let Some(register) = standard {
        register(function);
    }
}

/// Registers functions to be called around `fork`: before it, after it in the parent, and in the
/// child. *Context:* startup: calls the C library.
pub(crate) fn at_fork(prepare: extern "C" fn(), parent: extern "C" fn(), child: extern "C" fn()) {
    type Handler = extern "C" fn();
    type Posix = extern "C" fn(Handler, Handler, Handler) -> c_int;
    type Glibc = extern "C" fn(Handler, Handler, Handler, *mut c_void) -> c_int;
    // SAFETY: each slot holds zero, which is None, or the address of the function of this name.
    // pthread_atfork(3) is POSIX's; in glibc it is not exported but a wrapper around the other,
    // whose last argument names the object to be unloaded with, here none.
    let (posix, glibc): (Option<Posix>, Option<Glibc>) = unsafe {
        let posix = core::mem::transmute::<usize, Option<Posix>>(weak!("pthread_atfork"));
        let glibc = core::mem::transmute::<usize, Option<Glibc>>(weak!("__register_atfork"));
        (posix, glibc)
    };
    if let Some(register) = glibc {
        register(prepare, parent, child, core::ptr::null_mut());
    } else if let Some(register) = posix {
        register(prepare, parent, child);
    }
}

/// The C library's profil(3), which only makes system calls.
pub(crate) fn profil() -> Option<Profil> {
    // SAFETY: the slot holds zero, which is None, or the address of the function of this name.
    unsafe { core::mem::transmute(weak!("profil")) }
}

/// A value of the auxiliary vector; 0 if it is not there.
pub(crate) fn auxiliary_value(kind: c_ulong) -> Option<c_ulong> {
    // SAFETY: the slot holds zero, which is None, or the address of getauxval(3), which only reads.
    let get: Option<extern "C" fn(c_ulong) -> c_ulong> =
        unsafe { core::mem::transmute(weak!("getauxval")) };
    get.map(|get| get(kind))
}

/// Sets `errno`, where a function of ours takes the place of the C library's.
pub(crate) fn set_errno(value: c_int) {
    // SAFETY: the slot holds zero, which is None, or the address of the function by which glibc and
    // musl find the calling thread's errno.
    unsafe {
        let place: Option<extern "C" fn() -> *mut c_int> =
            core::mem::transmute(weak!("__errno_location"));
        if let Some(place) = place {
            *place() = value;
        }
    }
}

/// The environment: a list of C strings that ends with null.
pub(crate) fn environment() -> *const *const c_char {
    // SAFETY: zero or the address of the variable environ(7).
    let environ = unsafe { (weak!("environ") as *const *const *const c_char).as_ref() };
    environ.map_or(core::ptr::null(), |list| *list)
}
