//! The container of full profiles: the file that a profile lives in while it is taken, so that no end
//! of the program can lose it, and the finished one that is written at the end.
//!
//! The program counts in memory that is mapped from a live file. A file begins with a [`Header`]; blocks
//! follow in no order, each at a multiple of the [form](Form)'s alignment, with zeros or nothing at
//! all between them: whatever begins there with the bytes of a [`Block`] is one. Readers pass over
//! blocks with [content](Content) that they do not know.
//!
//! ```text
//! header │ block: one thread's arcs │ block: histogram │ 0 │ block: arcs │ 0 …
//! ```
//!
//! A block holds entries of one size, each either free (zero) or in use:
//!
//! * arcs: a word selfpc, a word frompc, a 64-bit count, and, if entries are so large, a 64-bit number to subtract
//!   from it: what was counted before the counts were set to zero. A selfpc of 0 is of a free entry, one of 1
//!   of an entry that is being filled; a real one is there only if the rest is. A pair may occur
//!   again in any block; all its counts add up. A frompc of all ones is not a return address: then selfpc
//!   is in a basic block, whose executions are counted. Calls of all modules are there. Behind the entries of a live
//!   file's block there may be another one that stays free. Its count is not zero once the program counts in another block
//!   instead.
//! * histogram: the count of a bin, in 32 or 64 bits. Behind the bins of a live file there may be
//!   [marks](LiveHistogram::marks) that say which were counted.
//! * stacks: [`StackNode`]s, which refer to each other by their positions in the block. A pc of 0 is
//!   of a free entry; a real one is there only if the rest is. A node's parent is there before it is. A program puts new
//!   nodes behind those that there are. Behind the room for nodes of a large block of a live file [`News`] says which were
//!   counted last.
//! * samples: [`Sample`]s with their times, in no order, each of which names a node of a block of stacks. An entry whose words
//!   are of different rounds is free.
//! * marks: [`Mark`]s, in no order; gaps: [`Gap`]s, in no order. Both name threads by their positions. Entries whose words are
//!   of different rounds are free.
//! * modules: [`Module`]s, followed by their strings. A start of 0 is of a free entry.
//! * code: [`Code`] that is in no file, followed by its strings and lines. A start of 0 is of a free entry.
//! * times: a [`Timing`] for each function and thread, and caller if asked for. A function of 0 is of a free entry.
//! * steps: executions of instructions, in entries as those of arcs have for basic blocks. Only finished files have them.
//! * threads: [`Thread`]s. An id of 0 is of a free entry.
//! * facts: the bytes of [`Facts`], an entry each.
//!
//! Behind the header of a live file lies its [`Control`], by which the program is steered.
//!
//! All numbers are in the program's byte order, all addresses those of the process; the header tells
//! what makes them the executable's, each module what makes them its file's. Everything may be read
//! while the program runs: what it counts meanwhile is seen or not, but never half of a number.

mod block;
mod code;
mod control;
mod count;
mod counts;
mod entries;
pub mod facts;
mod gap;
mod header;
mod kernel;
mod label;
mod mark;
mod module;
mod news;
mod node;
mod note;
mod read;
mod sample;
mod stacks;
mod thread;
mod timing;
mod write;

pub use block::{Block, Content};
pub use code::{Code, CodeKind, CodeLines, CodeParts};
pub use control::{Action, Answer, Control, Request, Switch};
pub use count::Count;
pub use counts::Counts;
pub use entries::Entries;
pub use facts::Facts;
pub use gap::{Gap, GapKind};
pub use header::{Form, Header, Sampling};
pub use kernel::{Kernel, KernelWeight};
pub use label::Label;
pub use mark::{Mark, MarkKind};
pub use module::Module;
pub use news::News;
pub use node::StackNode;
pub use note::MemoryNote;
pub use read::{Live, LiveError, LiveHistogram};
pub use sample::{Round, Sample};
pub use stacks::Stacks;
pub use thread::Thread;
pub use timing::Timing;
pub use write::FullWriter;

use crate::{Encoding, WordSize};

/// Alignment of blocks in a live file.
pub const ALIGNMENT: usize = Form::Live.alignment();

/// Takes the `N` bytes at `offset` out of `bytes`; zeros where there are none.
#[inline]
fn field<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let field = bytes.get(offset..).and_then(<[u8]>::first_chunk);
    field.copied().unwrap_or([0; N])
}

/// Decodes the number as large as an address at `offset`; zero where there is none.
#[inline]
fn word(encoding: Encoding, bytes: &[u8], offset: usize) -> u64 {
    match encoding.word {
        WordSize::Four => encoding.u32(field(bytes, offset)).into(),
        WordSize::Eight => encoding.u64(field(bytes, offset)),
    }
}

/// Puts `field` into `bytes` at `offset`, where there is room for it.
fn put(bytes: &mut [u8], offset: usize, field: &[u8]) {
    let place = bytes.get_mut(offset..).and_then(|rest| rest.get_mut(..field.len()));
    if let Some(place) = place {
        place.copy_from_slice(field);
    }
}
