//! Walks the stack of another process, of which there is no more than a copy with registers, as the kernel's samples
//! have it: the process has ended by then.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::convert::Infallible;
use std::ffi::c_void;
use std::fs;
use std::hint::black_box;
use std::ptr::null_mut;

use gmon_unwind::{Backtrace, Bytes, Piece, Program, Registers, Tables, X86_64, walk};
use object::{Object, ObjectSection, ObjectSegment};

/// Bytes of the stack that are copied.
const COPIED: usize = 32 << 10;

/// A mapped file, as it is on disk.
struct Module {
    bias: u64,
    range: std::ops::Range<u64>,
    /// The address that each segment has in its file, and its bytes.
    segments: Vec<(u64, Vec<u8>)>,
    header: (u64, u64),
}

impl Module {
    /// The modules that a process has mapped.
    fn of(process: i32) -> Vec<Self> {
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("a list of mappings");
        maps.lines().filter_map(Self::read).collect()
    }

    /// The module that begins with a mapping.
    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let start = u64::from_str_radix(fields[0].split('-').next()?, 16).ok()?;
        let path = fields.get(5).filter(|path| path.starts_with('/') && fields[2] == "00000000")?;
        let bytes = fs::read(path).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let header = file.section_by_name(".eh_frame_hdr")?;
        let bias = start.wrapping_sub(file.segments().next()?.address());
        let end = file.segments().map(|one| one.address() + one.size()).max()?;
        let segments = file.segments().map(|one| (one.address(), one.data().unwrap().to_vec()));
        Some(Self {
            bias,
            range: start..end.wrapping_add(bias),
            segments: segments.collect(),
            header: (header.address(), header.size()),
        })
    }

    fn tables(&self) -> Option<Tables<'_, X86_64>> {
        let (header, len) = self.header;
        let mut segments = self.segments.iter();
        let (address, bytes) = segments
            .find(|(address, bytes)| (*address..address + bytes.len() as u64).contains(&header))?;
        Some(Tables {
            segment: Bytes::of(address.wrapping_add(self.bias), bytes),
            header: header.wrapping_add(self.bias),
            header_len: len as usize,
        })
    }
}

struct Modules<'m>(&'m [Module]);

impl<'m> Modules<'m> {
    fn around(&self, address: u64) -> Option<&'m Module> {
        self.0.iter().find(|module| module.range.contains(&address))
    }
}

impl<'m> Program<'m, X86_64> for Modules<'m> {
    type Unsure = Infallible;

    fn tables(&mut self, pc: u64) -> Result<Option<Tables<'m, X86_64>>, Infallible> {
        Ok(self.around(pc).and_then(Module::tables))
    }

    fn is_code(&mut self, address: u64) -> bool {
        self.around(address).is_some()
    }
}

#[inline(never)]
fn outer(depth: u32) -> i32 {
    black_box(middle(depth)) + 1
}

#[inline(never)]
fn middle(depth: u32) -> i32 {
    let below = if depth == 0 { stop() } else { middle(depth - 1) };
    black_box(below) + 1
}

#[inline(never)]
fn stop() -> i32 {
    // SAFETY: the signal stops this process, whose parent traces it.
    black_box(unsafe { libc::raise(libc::SIGSTOP) }) + 1
}

#[test]
fn stack_of_another_process_is_walked() {
    // SAFETY: the child calls nothing but the system until it is killed.
    let process = unsafe { libc::fork() };
    assert!(process >= 0, "fork");
    if process == 0 {
        // SAFETY: a system call that reads and writes none of this memory.
        unsafe {
            libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<c_void>(), null_mut::<c_void>())
        };
        outer(3);
        // SAFETY: ends the child, which has nothing to clean up.
        unsafe { libc::_exit(1) };
    }
    let mut status = 0;
    let mut stack = vec![0; COPIED];
    // SAFETY: the kernel fills in numbers, and as much of the stack as there is.
    let (registers, copied) = unsafe {
        assert_eq!(libc::waitpid(process, &raw mut status, 0), process);
        assert!(libc::WIFSTOPPED(status), "{status:x}");
        let mut registers: libc::user_regs_struct = std::mem::zeroed();
        let place = (&raw mut registers).cast::<c_void>();
        assert_eq!(libc::ptrace(libc::PTRACE_GETREGS, process, null_mut::<c_void>(), place), 0);
        let to = libc::iovec { iov_base: stack.as_mut_ptr().cast(), iov_len: COPIED };
        let from = libc::iovec { iov_base: registers.rsp as *mut c_void, iov_len: COPIED };
        (registers, libc::process_vm_readv(process, &to, 1, &from, 1, 0))
    };
    assert!(copied > 1000, "{copied} bytes of stack");
    stack.truncate(copied as usize);
    let modules = Module::of(process);
    // SAFETY: it is this test's child, which has not been waited for.
    unsafe {
        libc::kill(process, libc::SIGKILL);
        libc::waitpid(process, &raw mut status, 0);
    }

    let libc::user_regs_struct { rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, .. } = registers;
    let libc::user_regs_struct { r8, r9, r10, r11, r12, r13, r14, r15, rip, .. } = registers;
    let registers: Registers<X86_64> =
        [rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, rip];
    let code = modules.iter().flat_map(|module| {
        let place = |address: &u64| address.wrapping_add(module.bias);
        module.segments.iter().map(move |(address, bytes)| Piece { address: place(address), bytes })
    });
    let pieces: Vec<Piece<'_>> =
        [Piece { address: rsp, bytes: &stack }].into_iter().chain(code).collect();
    let mut frames = Backtrace::<200>::new();
    let end = walk(&mut &pieces[..], &mut Modules(&modules), &registers, &mut frames);
    assert_eq!(end, Ok(()), "{frames:x?}");
    let expected = [stop as fn() -> i32 as usize].into_iter();
    let expected = expected.chain([middle as fn(u32) -> i32 as usize; 4]);
    let mut rest = frames.iter();
    for function in expected.chain([outer as fn(u32) -> i32 as usize]) {
        let function = function as u64;
        let is_there = rest.any(|frame| (function..function + 200).contains(&frame.pc));
        assert!(is_there, "{function:x}: {frames:x?}");
    }
    assert!(frames.iter().all(|frame| !frame.is_guess), "{frames:x?}");

    // Of a part of the stack there is a part of the frames, and the walk says so.
    let pieces: Vec<Piece<'_>> =
        pieces
            .iter()
            .map(|piece| {
                if piece.address == rsp { Piece { bytes: &stack[..400], ..*piece } } else { *piece }
            })
            .collect();
    let mut fewer = Backtrace::<200>::new();
    let end = walk(&mut &pieces[..], &mut Modules(&modules), &registers, &mut fewer);
    assert_eq!(end, Err(gmon_unwind::Incomplete::Unreadable));
    assert_eq!(*fewer, frames[..fewer.len()]);
}
