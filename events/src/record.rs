//! The records of a ring.

use crate::registers::{REGISTERS, Registers, registers};
use crate::ring::HEADER;

/// Numbers of a process and of one of its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// The process.
    pub process: u32,
    /// The thread.
    pub thread: u32,
}

/// Message of the kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Record<'r> {
    /// A thread was interrupted in user mode.
    Sample(Sample<'r>),
    /// A process has mapped something that it can execute.
    Mapped(Mapping<'r>),
    /// A thread has another name; with `is_exec` its process has become another program.
    Named {
        /// Whose name it is.
        id: Id,
        /// Name, of at most 15 bytes.
        name: &'r [u8],
        /// True if a new program begins.
        is_exec: bool,
        /// When that was.
        time: u64,
    },
    /// A thread was started, in its own process or as the first one of another.
    Started {
        /// The new thread.
        id: Id,
        /// Process and thread that started it.
        parent: Id,
        /// When that was.
        time: u64,
    },
    /// A thread has ended.
    Ended {
        /// The thread.
        id: Id,
        /// When that was.
        time: u64,
    },
    /// Number of records that found no room.
    Lost(u64),
    /// The kernel takes no samples for a while, because they come too often.
    Throttled,
}

/// A thread at the moment at which it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'r> {
    /// The thread.
    pub id: Id,
    /// When that was, by the monotonic clock, in nanoseconds.
    pub time: u64,
    /// Registers of a 64-bit program; `None` of another.
    pub registers: Option<Registers>,
    /// Stack from the stack pointer upwards, as much as was there.
    pub stack: &'r [u8],
}

/// Executable memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping<'r> {
    /// Owner of the memory.
    pub id: Id,
    /// First address.
    pub address: u64,
    /// Bytes.
    pub len: u64,
    /// Offset in the file.
    pub offset: u64,
    /// Inode of the file; 0 if there is none.
    pub inode: u64,
    /// Path of the file as the process knows it, or a name of the kernel's, such as `[vdso]`.
    pub path: &'r [u8],
    /// When that was.
    pub time: u64,
}

/// `PERF_RECORD_*`.
const LOST: u32 = 2;
const COMM: u32 = 3;
const EXIT: u32 = 4;
const THROTTLE: u32 = 5;
const FORK: u32 = 7;
const SAMPLE: u32 = 9;
const MMAP2: u32 = 10;
const LOST_SAMPLES: u32 = 13;

/// `PERF_RECORD_MISC_COMM_EXEC`.
const IS_EXEC: u16 = 1 << 13;

/// `PERF_SAMPLE_REGS_ABI_64`.
const WIDE: u64 = 2;

/// Bytes that end each record but samples: process, thread and time.
const TRAILER: usize = 16;

impl<'r> Record<'r> {
    /// True of samples, of which there are far more than of others.
    #[must_use]
    pub fn is_sample(record: &[u8]) -> bool {
        Fields(record).u32(0) == Some(SAMPLE)
    }

    /// When it was; 0 if it does not say.
    #[must_use]
    pub fn time(&self) -> u64 {
        match *self {
            Self::Sample(Sample { time, .. })
            | Self::Mapped(Mapping { time, .. })
            | Self::Named { time, .. }
            | Self::Started { time, .. }
            | Self::Ended { time, .. } => time,
            Self::Lost(_) | Self::Throttled => 0,
        }
    }

    /// Reads a record; `None` if it is of a kind that was not asked for, or cut short.
    #[must_use]
    pub fn read(record: &'r [u8]) -> Option<Self> {
        let fields = Fields(record);
        let trailer = record.len().checked_sub(TRAILER);
        let time = || fields.u64(trailer? + HEADER);
        let pair = |at| Some(Id { process: fields.u32(at)?, thread: fields.u32(at + 4)? });
        Some(match fields.u32(0)? {
            SAMPLE => Self::Sample(Sample::read(fields)?),
            MMAP2 => Self::Mapped(Mapping {
                id: pair(8)?,
                address: fields.u64(16)?,
                len: fields.u64(24)?,
                offset: fields.u64(32)?,
                inode: fields.u64(48)?,
                path: fields.text(72..trailer?)?,
                time: time()?,
            }),
            COMM => Self::Named {
                id: pair(8)?,
                name: fields.text(16..trailer?)?,
                is_exec: fields.u16(4)? & IS_EXEC != 0,
                time: time()?,
            },
            // Process and its parent, then thread and its parent.
            FORK => Self::Started {
                id: Id { process: fields.u32(8)?, thread: fields.u32(16)? },
                parent: Id { process: fields.u32(12)?, thread: fields.u32(20)? },
                time: fields.u64(24)?,
            },
            EXIT => Self::Ended {
                id: Id { process: fields.u32(8)?, thread: fields.u32(16)? },
                time: fields.u64(24)?,
            },
            LOST => Self::Lost(fields.u64(16)?),
            LOST_SAMPLES => Self::Lost(fields.u64(8)?),
            THROTTLE => Self::Throttled,
            _ => return None,
        })
    }
}

impl<'r> Sample<'r> {
    fn read(fields: Fields<'r>) -> Option<Self> {
        const ABI_AT: usize = HEADER + 16;
        let id = Id { process: fields.u32(HEADER)?, thread: fields.u32(HEADER + 4)? };
        let abi = fields.u64(ABI_AT)?;
        let first = ABI_AT + 8;
        let count = if abi == 0 { 0 } else { REGISTERS };
        let registers = (abi == WIDE).then(|| registers(|place| fields.u64(first + 8 * place)));
        let size_at = first + 8 * count;
        let room = usize::try_from(fields.u64(size_at)?).ok()?;
        let stack = fields.0.get(size_at + 8..)?;
        let (stack, rest) = stack.split_at_checked(room)?;
        // Behind the room, and only if there is some, stands how much of it was filled.
        let filled = if room == 0 { 0 } else { Fields(rest).u64(0)? };
        let stack = stack.get(..usize::try_from(filled).ok()?)?;
        Some(Self { id, time: fields.u64(HEADER + 8)?, registers: registers.flatten(), stack })
    }
}

/// Bytes of a record, by their offsets.
#[derive(Clone, Copy)]
struct Fields<'r>(&'r [u8]);

impl<'r> Fields<'r> {
    fn array<const LEN: usize>(self, at: usize) -> Option<[u8; LEN]> {
        self.0.get(at..)?.first_chunk().copied()
    }

    fn u16(self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_ne_bytes)
    }

    fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_ne_bytes)
    }

    fn u64(self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_ne_bytes)
    }

    /// Text up to the first NUL.
    fn text(self, range: std::ops::Range<usize>) -> Option<&'r [u8]> {
        self.0.get(range)?.split(|byte| *byte == 0).next()
    }
}
