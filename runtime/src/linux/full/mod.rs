//! The full profile: everything that is known, in one file.
//!
//! *Context:* exit. What is counted after a table was read is not in the file.

mod facts;

use gmon_format::live::{
    Block, Code, Content, Count, FullWriter, Header, Module, StackNode, Thread, Timing,
};
use gmon_format::{Encoding, LoadedPc};
use gmon_stacks::{Entry, Node, Part};
use gmon_system::platform::{self, Errno, File};
use gmon_system::program::Program;
use gmon_system::region::Scratch;

use crate::counted::Counted;
use crate::counts;
use crate::histogram::{self, Unit};
use crate::linux::first_calls;
use crate::linux::times;
use facts::Facts;

/// Bytes that are written at once.
const BUFFER: usize = 64 * 1024;

type Writer<'f> = FullWriter<'f, &'f mut File>;

/// Writes the full profile of a program that started in a directory. The histogram's counts stand for `unit`.
pub(crate) fn write(
    file: &mut File,
    program: &Program,
    unit: &Unit,
    directory: &[u8],
) -> Result<(), Errno> {
    // The arguments of a program can be secrets. A file that somebody else owns keeps the mode that its owner chose.
    match file.keep_private() {
        Ok(()) | Err(Errno(libc::EPERM)) => {}
        Err(error) => return Err(error),
    }
    gmon_stacks::look_once_more();
    let header = {
        let mut buffer = Scratch::new(BUFFER).ok_or(Errno(libc::ENOMEM))?;
        let mut writer = FullWriter::new(&mut *file, header(program, unit), &mut buffer)?;
        write_facts(&mut writer, unit, directory)?;
        write_modules(&mut writer)?;
        write_code(&mut writer)?;
        write_threads(&mut writer)?;
        write_histogram(&mut writer)?;
        write_arcs(&mut writer)?;
        write_first_calls(&mut writer)?;
        write_times(&mut writer)?;
        gmon_stacks::each_part(|part| match part {
            Part::Nodes(first, nodes) => write_nodes(&mut writer, first, nodes),
            Part::Samples(entries) => write_entries(&mut writer, Content::Samples, entries),
            Part::Gaps(entries) => write_entries(&mut writer, Content::Gaps, entries),
            Part::Marks(entries) => write_entries(&mut writer, Content::Marks, entries),
        })?;
        writer.finish()?.1
    };
    file.rewind()?;
    file.write_all(&header)
}

fn header(program: &Program, unit: &Unit) -> Header {
    Header {
        encoding: Encoding::NATIVE,
        form: gmon_format::live::Form::Finished,
        process: platform::process_id().unsigned_abs().into(),
        placement: counts::placement(program),
        reserved: 0,
        histogram_at: 0,
        sampling: *unit,
        program: Header::program_name(program.name),
    }
}

#[inline(never)]
fn write_facts(writer: &mut Writer<'_>, unit: &Unit, directory: &[u8]) -> Result<(), Errno> {
    let facts = Facts::new(unit, directory);
    let text = facts.bytes();
    writer.block(Content::Facts, (text.len() as u64, 1), text.chunks(1), core::iter::empty())
}

#[inline(never)]
fn write_modules(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let count = gmon_stacks::modules().count();
    let mut path_at = Block::LEN + count * Module::LEN;
    let entries = gmon_stacks::modules().map(|module| {
        let entry = module.encode(Encoding::NATIVE, path_at as u32);
        path_at += module.path.len();
        Piece::Module(entry)
    });
    let paths = gmon_stacks::modules().map(|module| Piece::Path(module.path));
    writer.block(Content::Modules, (count as u64, Module::LEN as u32), entries, paths)
}

/// A part of the block of modules.
#[derive(Clone)]
enum Piece {
    Module([u8; Module::LEN]),
    Path(&'static [u8]),
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Module(entry) => entry,
            Self::Path(path) => path,
        }
    }
}

/// Writes code of Python, which stands as a file has it.
#[inline(never)]
fn write_code(writer: &mut Writer<'_>) -> Result<(), Errno> {
    gmon_stacks::code().try_for_each(|chunk| {
        let (count, bytes) = chunk.written();
        let (entries, strings) = bytes.split_at_checked(count * Code::LEN).unwrap_or_default();
        let strings = core::iter::once(strings);
        let size = (count as u64, Code::LEN as u32);
        writer.block(Content::Code, size, entries.chunks(Code::LEN), strings)
    })
}

#[inline(never)]
fn write_threads(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let entries = gmon_stacks::threads().map(|thread| thread.encode(Encoding::NATIVE));
    let count = gmon_stacks::threads_len() as u64;
    writer.block(Content::Threads, (count, Thread::LEN as u32), entries, core::iter::empty())
}

#[inline(never)]
fn write_histogram(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let Some(histogram) = histogram::current() else { return Ok(()) };
    let range = histogram.range();
    let bins = histogram.len();
    let bin_len = range.len().checked_div(bins as usize).unwrap_or(0) as u32;
    if bin_len == 0 {
        return Ok(());
    }
    writer.histogram((LoadedPc(range.start as u64), bin_len, bins), histogram.counts())
}

#[inline(never)]
fn write_arcs(writer: &mut Writer<'_>) -> Result<(), Errno> {
    const LEN: usize = Count::len(Encoding::NATIVE.word);
    let entry = |counted: Counted| {
        let mut entry = [0; LEN];
        let (from_pc, self_pc) = counted.key();
        let words = [self_pc, from_pc].map(usize::to_ne_bytes);
        let bytes = words.as_flattened().iter().copied().chain(counted.count.to_ne_bytes());
        entry.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        entry
    };
    counts::visit_all(|counts| {
        let count = counts.all().count() as u64;
        let entries = counts.all().map(entry);
        writer.block(Content::Arcs, (count, LEN as u32), entries, core::iter::empty())
    })
}

#[inline(never)]
fn write_first_calls(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let count = first_calls::each().count() as u64;
    if count == 0 {
        return Ok(());
    }
    let entries = first_calls::each().map(usize::to_ne_bytes);
    let size = (count, size_of::<usize>() as u32);
    writer.block(Content::FirstCalls, size, entries, core::iter::empty())
}

/// Writes times of calls, which stand as a file has them.
#[inline(never)]
fn write_times(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let count = times::each().count() as u64;
    if count == 0 {
        return Ok(());
    }
    // Others may get their first numbers meanwhile.
    let entries = times::each().take(count as usize);
    let size = (count, Timing::LEN as u32);
    writer.block(Content::Times, size, entries, core::iter::empty())
}

/// Writes the nodes of a table, which stand as a file has them.
#[inline(never)]
fn write_nodes(writer: &mut Writer<'_>, first: usize, nodes: &'static [Node]) -> Result<(), Errno> {
    let entries = nodes.iter().filter_map(Node::described);
    let entries = entries.map(|node| node.encode(Encoding::NATIVE));
    let size = (nodes.len() as u64, StackNode::LEN as u32);
    writer.block(Content::Stacks { first: first as u64 }, size, entries, core::iter::empty())
}

/// Writes samples or what else has times, which stand as a file has them.
#[inline(never)]
fn write_entries<const WORDS: usize>(
    writer: &mut Writer<'_>,
    content: Content,
    entries: &'static [Entry<WORDS>],
) -> Result<(), Errno> {
    if entries.is_empty() {
        return Ok(());
    }
    let size = (entries.len() as u64, size_of::<Entry<WORDS>>() as u32);
    writer.block(content, size, entries.iter().map(Entry::bytes), core::iter::empty())
}
