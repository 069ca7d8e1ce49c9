//! Prints the callers of whatever a signal interrupts, from the signal's handler.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

#[cfg(target_pointer_width = "32")]
use libc::Elf32_Phdr as Header;
#[cfg(target_pointer_width = "64")]
use libc::Elf64_Phdr as Header;

use gmon_unwind::{Backtrace, Bytes, Memory, Native, Processor, Program, Tables, walk};

type Word = <Native as Processor>::Word;

// The handler.
extern "C" fn handler(_signal: c_int, _info: *mut libc::siginfo_t, context: *mut c_void) {
    let mut frames = Backtrace::<64>::new();
    let Some(registers) = Native::registers(&mut Own, context as Word) else { return };
    let end = walk::<Native, _>(&mut Own, &mut Loaded, &registers, &mut frames);
    for frame in frames.iter() {
        print(frame.pc);
    }
    write(if end.is_ok() { b"complete\n" } else { b"and so on\n" });
}
// The end of the handler.

/// The memory of this process, of which the kernel says what can be read.
struct Own;

impl Memory for Own {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        let mut bytes = [0; LEN];
        let to = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: LEN };
        let from = libc::iovec { iov_base: address as *mut c_void, iov_len: LEN };
        // SAFETY: the call writes these bytes, and copes with any address to read.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &to, 1, &from, 1, 0) };
        (read == LEN as isize).then_some(bytes)
    }
}

/// The modules that were loaded when the program began.
struct Loaded;

/// A segment that holds unwind rules, and the addresses of its module.
struct Module {
    start: usize,
    end: usize,
    tables: Tables<'static, Native>,
}

static MODULES: OnceLock<Vec<Module>> = OnceLock::new();

fn module(address: u64) -> Option<&'static Module> {
    let is_inside = |module: &&Module| (module.start..module.end).contains(&(address as usize));
    MODULES.get()?.iter().find(is_inside)
}

impl Program<'static, Native> for Loaded {
    type Unsure = std::convert::Infallible;

    fn tables(&mut self, pc: u64) -> Result<Option<Tables<'static, Native>>, Self::Unsure> {
        Ok(module(pc).map(|module| module.tables))
    }

    fn is_code(&mut self, address: u64) -> bool {
        module(address).is_some()
    }
}

/// Notes a module that the loader tells of.
unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, list: *mut c_void) -> c_int {
    // SAFETY: the loader passes a description and the list, which nobody else uses meanwhile.
    let (info, list) = unsafe { (&*info, &mut *list.cast::<Vec<Module>>()) };
    // SAFETY: so many headers lie there.
    let headers =
        unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let place = |header: &Header| (info.dlpi_addr + header.p_vaddr) as usize;
    let loaded = || headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let Some(rules) = headers.iter().find(|header| header.p_type == libc::PT_GNU_EH_FRAME) else {
        return 0;
    };
    let holds = |segment: &&Header| {
        (segment.p_vaddr..segment.p_vaddr + segment.p_filesz).contains(&rules.p_vaddr)
    };
    let Some(segment) = loaded().find(holds) else { return 0 };
    let (start, len) = (place(segment), segment.p_filesz as usize);
    // SAFETY: the loader has mapped the segment, and this program unloads nothing.
    let bytes = unsafe { std::slice::from_raw_parts(start as *const u8, len) };
    list.push(Module {
        start: loaded().map(place).min().unwrap_or(start),
        end: loaded().map(|one| place(one) + one.p_memsz as usize).max().unwrap_or(start),
        tables: Tables {
            segment: Bytes::of(start as Word, bytes),
            header: place(rules) as Word,
            header_len: rules.p_filesz as usize,
        },
    });
    0
}

/// Prints an address as a handler may: without formatting.
fn print(address: u64) {
    let digit = |n: u32| b"0123456789abcdef"[(address >> (4 * n)) as usize & 15];
    let mut line = *b"0x................\n";
    (0..16).for_each(|n| line[17 - n as usize] = digit(n));
    write(&line);
}

fn write(text: &[u8]) {
    // SAFETY: the text is as long as that.
    unsafe { libc::write(libc::STDOUT_FILENO, text.as_ptr().cast(), text.len()) };
}

#[inline(never)]
fn outer(signal: c_int) -> c_int {
    std::hint::black_box(middle(signal)) + 1
}

#[inline(never)]
fn middle(signal: c_int) -> c_int {
    std::hint::black_box(inner(signal)) + 1
}

#[inline(never)]
fn inner(signal: c_int) -> c_int {
    // SAFETY: the signal has a handler.
    std::hint::black_box(unsafe { libc::raise(signal) }) + 1
}

fn main() {
    let mut list: Vec<Module> = Vec::new();
    // SAFETY: `note` gets the list that it wants.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut list).cast()) };
    _ = MODULES.set(list);
    println!(
        "functions {:p} {:p} {:p}",
        inner as fn(_) -> _, middle as fn(_) -> _, outer as fn(_) -> _
    );
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handler;
    // SAFETY: all of it zero is an action, and the handler takes what SA_SIGINFO passes.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut());
    }
    assert_eq!(outer(libc::SIGUSR1), 3);
}
