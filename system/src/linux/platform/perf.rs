//! Performance events: the kernel's own sampling into rings of shared memory, without signals.
//!
//! A ring keeps its event alive. So the descriptor is closed as soon as the ring is mapped: the
//! program never meets it, `exec` and `fork` have nothing to inherit (the kernel does not copy rings
//! into a child), and unmapping the ring ends the event.

use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use super::Errno;
use super::call::{Fd, call};
use super::file::File;
use super::memory::unmap;
use super::offsets::map_pages;
use crate::atomic::AtomicU64;
use crate::linux::machine;

/// Something the kernel can count and sample by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// `PERF_TYPE_*`.
    pub kind: u32,
    /// The event of that kind.
    pub config: u64,
}

/// `PERF_TYPE_HARDWARE`.
pub const HARDWARE: u32 = 0;
/// `PERF_TYPE_SOFTWARE`.
pub const SOFTWARE: u32 = 1;

/// Pace of samples.
#[derive(Clone, Copy)]
pub enum Pace {
    /// Each time so many events have happened.
    Events(u64),
    /// So often in a second that the event happens; the kernel finds out after how many events.
    PerSecond(u64),
}

/// Linux's `struct perf_event_attr`, as of version 3 (Linux 3.7).
#[repr(C)]
#[derive(Default)]
pub(super) struct Attributes {
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
    sample_registers: u64,
    sample_stack: u32,
    clock: i32,
}

const DISABLED: u64 = 1;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

impl Attributes {
    /// An event that stops its thread each `period` times.
    pub(super) fn signalling(kind: u32, config: u64, period: u64) -> Self {
        const REMOVE_ON_EXEC: u64 = 1 << 36;
        const SIGTRAP: u64 = 1 << 37;
        let flags = DISABLED | EXCLUDE_HYPERVISOR | REMOVE_ON_EXEC | SIGTRAP;
        Self::new(kind, config, period).with_flags(flags)
    }

    /// An event of which every `period`th does what the rest of the attributes say.
    fn new(kind: u32, config: u64, period: u64) -> Self {
        let size = size_of::<Self>() as u32;
        let new = Self { kind, size, config, period, ..Self::default() };
        new.with_flags(DISABLED | EXCLUDE_HYPERVISOR)
    }

    fn with_flags(self, flags: u64) -> Self {
        // C's bit fields begin at the other end there.
        Self {
            flags: if cfg!(target_endian = "big") { flags.reverse_bits() } else { flags },
            ..self
        }
    }
}

/// Modes in which samples are taken. Samples in the kernel tell where the program called it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Modes {
    /// Both.
    UserAndKernel,
    /// Only in the program.
    User,
}

/// Bytes that a ring should hold, and the size of a page of memory.
#[derive(Clone, Copy)]
pub struct Room {
    /// At least these, if the system allows.
    pub bytes: usize,
    /// Size of a page.
    pub page: usize,
}

/// Order for samples.
#[derive(Clone, Copy)]
pub struct Order {
    /// Events to count.
    pub source: Source,
    /// Rate of samples.
    pub pace: Pace,
    /// Modes to sample in.
    pub modes: Modes,
    /// Bytes that a ring should hold; it holds less where the system does not allow so much.
    pub room: usize,
    /// The size of a page of memory.
    pub page: usize,
}

/// A thread's event and the ring that its samples are in.
pub struct Ring(NonNull<u8>);

/// Record of a ring.
pub enum Record {
    /// An interruption of the program.
    Sample {
        /// The program counter in user mode, wherever the interruption was.
        pc: usize,
        /// Events since the sample before it.
        events: u64,
    },
    /// Number of samples that found no room.
    Lost(u64),
    /// The kernel stopped sampling for a while.
    Throttled,
    /// A thread ended.
    Exit {
        /// Nanoseconds since the system started.
        at: u64,
        /// Its id.
        tid: i32,
    },
    /// The thread left its processor, or got one.
    Switch {
        /// Nanoseconds since the system started.
        at: u64,
        /// True if it left.
        is_out: bool,
        /// True if it left although it could have gone on.
        is_preempted: bool,
    },
}

impl Ring {
    /// Begins sampling a thread of this process.
    pub fn open(order: &Order, tid: i32) -> Result<Self, Errno> {
        let room = Room { bytes: order.room, page: order.page };
        Self::of_event(open_event(order, tid)?, room)
    }

    /// Begins noting when a thread of this process leaves its processor and gets one, and, of one in so many pages that it
    /// touches and that are not there, by which instruction.
    pub fn of_switches(tid: i32, faults: u64, room: Room) -> Result<Self, Errno> {
        const PC: u64 = 1;
        const TIME: u64 = 1 << 2;
        const EXCLUDE_KERNEL: u64 = 1 << 5;
        const SAMPLE_ID_ALL: u64 = 1 << 18;
        const USE_CLOCK: u64 = 1 << 25;
        const TASK: u64 = 1 << 13;
        const CONTEXT_SWITCH: u64 = 1 << 26;
        /// `PERF_COUNT_SW_PAGE_FAULTS`.
        const FAULTS: u64 = 2;
        let clock = libc::CLOCK_MONOTONIC;
        let attributes = Attributes {
            sample_type: PC | TIME,
            clock,
            ..Attributes::new(SOFTWARE, FAULTS, faults)
        };
        let flags = DISABLED | EXCLUDE_HYPERVISOR | EXCLUDE_KERNEL;
        let flags = flags | TASK | SAMPLE_ID_ALL | USE_CLOCK | CONTEXT_SWITCH;
        Self::of_event(open(&attributes.with_flags(flags), tid)?, room)
    }

    fn of_event(descriptor: Fd, room: Room) -> Result<Self, Errno> {
        let event = File { descriptor };
        let ring = map_ring(event.descriptor, room);
        if ring.is_ok() {
            enable(&event);
        }
        ring.map(Self)
    }

    /// The address that [`from_address`](Self::from_address) takes.
    pub fn into_address(self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The ring at an address.
    ///
    /// # Safety
    /// `address` must come from [`into_address`](Self::into_address), in this process, and be used
    /// by nobody else meanwhile.
    pub unsafe fn from_address(address: usize) -> Option<Self> {
        NonNull::new(address as *mut u8).map(Self)
    }

    /// Takes out what the kernel has put in.
    pub fn drain(&mut self, mut visit: impl FnMut(Record)) {
        let head = self.field(Self::HEAD).load(Ordering::Acquire);
        let mut tail = self.field(Self::TAIL).load(Ordering::Relaxed);
        while tail < head {
            let word = |i: u64| self.word(tail + i * 8).load(Ordering::Relaxed);
            // u32 type, u16 flags, u16 size.
            let [kind @ .., flags_0, flags_1, size_0, size_1] = word(0).to_ne_bytes();
            let misc = u16::from_ne_bytes([flags_0, flags_1]);
            let size = u16::from_ne_bytes([size_0, size_1]);
            if size == 0 {
                break;
            }
            if let Some(record) = record(u32::from_ne_bytes(kind), misc, word) {
                visit(record);
            }
            tail += u64::from(size);
        }
        self.field(Self::TAIL).store(head, Ordering::Release);
    }

    /// Ends the event.
    pub fn close(self) {
        let len = self.data_offset() + self.data_size();
        // SAFETY: `map_ring` mapped so much; whoever has the ring is the only one who knows it.
        unsafe { unmap(self.0.as_ptr(), len as usize) };
    }

    /// Offsets of fields in the first page (`struct perf_event_mmap_page`).
    const HEAD: usize = 1024;
    const TAIL: usize = 1032;
    const DATA_OFFSET: usize = 1040;
    const DATA_SIZE: usize = 1048;

    fn data_offset(&self) -> u64 {
        self.field(Self::DATA_OFFSET).load(Ordering::Relaxed)
    }

    fn data_size(&self) -> u64 {
        self.field(Self::DATA_SIZE).load(Ordering::Relaxed)
    }

    fn field(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: the first page of the ring, which stays mapped until `close`; the kernel and
        // `drain` are the only ones to write it, both in whole words.
        unsafe { self.0.add(offset).cast::<AtomicU64>().as_ref() }
    }

    /// The word at a place that only ever grows; the ring's size is a power of two.
    fn word(&self, position: u64) -> &AtomicU64 {
        let offset = self.data_offset() + (position & self.data_size().wrapping_sub(1) & !7);
        // SAFETY: the kernel tells where in the mapping the data is, and the place is inside it.
        unsafe { self.0.add(offset as usize).cast::<AtomicU64>().as_ref() }
    }
}

fn open_event(order: &Order, tid: i32) -> Result<Fd, Errno> {
    const PERIOD: u64 = 1 << 8;
    const USER_REGISTERS: u64 = 1 << 12;
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const FREQUENCY: u64 = 1 << 10;
    let (period, frequency) = match order.pace {
        Pace::Events(period) => (period, 0),
        Pace::PerSecond(frequency) => (frequency, FREQUENCY),
    };
    let kernel = if order.modes == Modes::User { EXCLUDE_KERNEL } else { 0 };
    let attributes = Attributes {
        sample_type: PERIOD | USER_REGISTERS,
        sample_registers: 1 << machine::PERF_PC_REGISTER,
        ..Attributes::new(order.source.kind, order.source.config, period)
    };
    let flags = DISABLED | EXCLUDE_HYPERVISOR | frequency | kernel;
    open(&attributes.with_flags(flags), tid)
}

/// Makes an event of a thread, which [`enable`] starts.
pub(super) fn open(attributes: &Attributes, tid: i32) -> Result<Fd, Errno> {
    const ANY_CPU: i32 = -1;
    const NO_GROUP: Fd = Fd(-1);
    const CLOSE_ON_EXEC: u32 = 8;
    let attributes = Some(attributes);
    // SAFETY: perf_event_open(2) reads attributes of the size that is in them.
    unsafe { call!(SYS_perf_event_open, attributes, tid, ANY_CPU, NO_GROUP, CLOSE_ON_EXEC) }
        .map(|fd| Fd(fd as i32))
}

/// Starts an event.
pub(super) fn enable(event: &File) {
    /// Some processors have other bits for "takes nothing".
    const NOTHING: u32 =
        if cfg!(any(target_arch = "mips64", target_arch = "powerpc64")) { 1 << 29 } else { 0 };
    const ENABLE: u32 = NOTHING | 0x2400;
    // SAFETY: `PERF_EVENT_IOC_ENABLE` takes no other argument and starts this event.
    _ = unsafe { call!(SYS_ioctl, event.descriptor, ENABLE, 0) };
}

/// Maps the first page and as many others, a power of two, as hold `room` bytes. What users may have
/// locked into memory is limited, so less is asked for until it is granted.
fn map_ring(descriptor: Fd, room: Room) -> Result<NonNull<u8>, Errno> {
    let page = room.page;
    let mut data = page;
    while data < room.bytes {
        data *= 2;
    }
    loop {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let len = page + data;
        // SAFETY: the kernel chooses an address where nothing is.
        let mapped = unsafe { map_pages(0, len, protection, libc::MAP_SHARED, descriptor, 0) };
        match mapped {
            Ok(address) => return NonNull::new(address as *mut u8).ok_or(Errno(libc::ENOMEM)),
            Err(error) if data <= page => return Err(error),
            Err(_) => data /= 2,
        }
    }
}

/// A record of the given type, whose words `word` gives: those after the first, in the order of
/// perf_event_open(2).
fn record(kind: u32, misc: u16, word: impl Fn(u64) -> u64) -> Option<Record> {
    const LOST: u32 = 2;
    const THROTTLE: u32 = 5;
    const SAMPLE: u32 = 9;
    const EXIT: u32 = 4;
    const SWITCH: u32 = 14;
    const OUT: u16 = 1 << 13;
    const PREEMPTED: u16 = 1 << 14;
    match kind {
        SAMPLE => {
            // Without an ABI there are no registers: a thread without user mode.
            let pc = if word(2) == 0 { 0 } else { word(3) as usize };
            Some(Record::Sample { pc, events: word(1) })
        }
        LOST => Some(Record::Lost(word(2))),
        THROTTLE => Some(Record::Throttled),
        EXIT => {
            // u32 tid, u32 of its parent.
            let [tid @ .., _, _, _, _] = word(2).to_ne_bytes();
            Some(Record::Exit { at: word(3), tid: i32::from_ne_bytes(tid) })
        }
        SWITCH => Some(Record::Switch {
            at: word(1),
            is_out: misc & OUT != 0,
            is_preempted: misc & PREEMPTED != 0,
        }),
        _ => None,
    }
}
