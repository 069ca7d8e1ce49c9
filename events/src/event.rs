//! Opens performance events of threads.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd};

use crate::registers::MASK;

/// Order for the samples of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Nanoseconds of the thread's CPU time between two samples.
    pub period: u64,
    /// Bytes of the stack that are copied, a multiple of 8 below 64 KB.
    pub stack: u32,
    /// Heirs of the event, which are sampled, too.
    pub heirs: Heirs,
    /// True if each sample ends a wait for the event or its ring.
    pub wakes: bool,
}

/// Threads that are sampled because the thread starts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heirs {
    /// Threads of the same process.
    Threads,
    /// Threads, and processes with all of theirs.
    Processes,
}

/// An event of a thread on one processor. It counts and samples once it is [enabled](Self::enable), until it is dropped.
#[derive(Debug)]
pub struct Event {
    file: File,
}

/// Linux's `struct perf_event_attr`, as of version 3.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    config1: u64,
    config2: u64,
    branch_sample_type: u64,
    registers: u64,
    stack: u32,
    clock: i32,
}

/// `PERF_TYPE_SOFTWARE`, and its clock of the CPU time of a thread.
const SOFTWARE: u32 = 1;
const CPU_CLOCK: u64 = 0;

/// `PERF_SAMPLE_*`: ids of process and thread, time, registers and stack of user mode.
const SAMPLE_TYPE: u64 = 1 << 1 | 1 << 2 | 1 << 12 | 1 << 13;

/// Bits of [`Attributes::flags`].
const DISABLED: u64 = 1;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const MMAP: u64 = 1 << 8;
const COMM: u64 = 1 << 9;
const TASK: u64 = 1 << 13;
const SAMPLE_ID_ALL: u64 = 1 << 18;
const MMAP2: u64 = 1 << 23;
const COMM_EXEC: u64 = 1 << 24;
const USE_CLOCK_ID: u64 = 1 << 25;
const INHERIT_THREAD: u64 = 1 << 35;

impl Attributes {
    fn new(order: &Order) -> Self {
        let flags = DISABLED
            | INHERIT
            | EXCLUDE_KERNEL
            | EXCLUDE_HYPERVISOR
            | MMAP
            | MMAP2
            | COMM
            | COMM_EXEC
            | TASK
            | SAMPLE_ID_ALL
            | USE_CLOCK_ID;
        let flags = flags | if order.heirs == Heirs::Threads { INHERIT_THREAD } else { 0 };
        Self {
            kind: SOFTWARE,
            size: size_of::<Self>() as u32,
            config: CPU_CLOCK,
            period: order.period,
            sample_type: SAMPLE_TYPE,
            // C's bit fields begin at the other end there.
            flags: if cfg!(target_endian = "big") { flags.reverse_bits() } else { flags },
            // Samples that it takes to wake somebody; 0 for when the ring is half full.
            wakeup: order.wakes.into(),
            registers: MASK,
            stack: order.stack,
            clock: libc::CLOCK_MONOTONIC,
            ..Self::default()
        }
    }
}

/// The requests of `ioctl` for events: they have no argument, or a plain number.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Request {
    Enable = 0x2400,
    Disable = 0x2401,
    SetOutput = 0x2405,
}

impl Event {
    /// Opens the event of a thread on a processor, switched off.
    ///
    /// # Errors
    ///
    /// Errors of `perf_event_open`: `EACCES` and `EPERM` without the right to, `ESRCH` if there is no such thread, `ENODEV` if the
    /// processor is switched off, `EMFILE` with too many descriptors, `EINVAL` where the kernel is too old.
    pub fn open(order: &Order, thread: i32, processor: u32) -> io::Result<Self> {
        const CLOSE_ON_EXEC: u64 = 8;
        let attributes = Attributes::new(order);
        let processor = i32::try_from(processor).unwrap_or(i32::MAX);
        // SAFETY: the kernel reads the attributes, as many bytes as their size field says, before the call returns.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                thread,
                processor,
                -1,
                CLOSE_ON_EXEC,
            )
        };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call has just opened this descriptor, which nobody else knows.
        let file = unsafe { File::from_raw_fd(descriptor as i32) };
        Ok(Self { file })
    }

    /// Switches it on, with those of all heirs.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn enable(&self) -> io::Result<()> {
        self.request(Request::Enable, 0)
    }

    /// Switches it off, with those of all heirs.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn disable(&self) -> io::Result<()> {
        self.request(Request::Disable, 0)
    }

    /// Sends its records to the ring of another event of the same processor.
    ///
    /// # Errors
    ///
    /// Errors of the system: `EINVAL` if the other event is of another processor, or has no ring.
    pub fn send_to(&self, other: &Self) -> io::Result<()> {
        self.request(Request::SetOutput, other.file.as_raw_fd())
    }

    /// Nanoseconds of CPU time while it was switched on, of the thread and its heirs.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn nanoseconds(&self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        (&self.file).read_exact(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }

    fn request(&self, request: Request, argument: i32) -> io::Result<()> {
        // SAFETY: these requests take their argument as a number and touch no memory of ours.
        let result = unsafe { libc::ioctl(self.file.as_raw_fd(), request as _, argument) };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

impl AsFd for Event {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}
