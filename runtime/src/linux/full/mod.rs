//! The full profile: everything that is known, in one file.
//!
//! *Context:* exit. What is counted after a table was read is not in the file.

mod facts;

use gmon_format::live::{
    Block, Content, Count, FullWriter, Header, Module, Sample, Sampling, StackNode, Thread,
};
use gmon_format::{Encoding, LoadedPc};

use crate::counted::Counted;
use crate::counts;
use crate::histogram::{self, Unit};
use crate::linux::first_calls;
use crate::linux::platform::{self, Errno, File};
use crate::linux::program::Program;
use crate::linux::region::Scratch;
use crate::linux::stacks::{self, Entry, Node, Part};
use facts::Facts;

/// Bytes that are written at once.
const BUFFER: usize = 64 * 1024;

type Writer<'f> = FullWriter<'f, &'f mut File>;

/// Writes the full profile. The histogram's counts stand for `unit`.
pub(crate) fn write(file: &mut File, program: &Program, unit: &Unit) -> Result<(), Errno> {
    // The arguments of a program can be secrets. A file that somebody else owns keeps the mode that its owner chose.
    match file.keep_private() {
        Ok(()) | Err(Errno(libc::EPERM)) => {}
        Err(error) => return Err(error),
    }
    stacks::look_once_more();
    let header = {
        let mut buffer = Scratch::new(BUFFER).ok_or(Errno(libc::ENOMEM))?;
        let mut writer = FullWriter::new(&mut *file, header(program, unit), &mut buffer)?;
        write_facts(&mut writer, unit)?;
        write_modules(&mut writer)?;
        write_threads(&mut writer)?;
        write_histogram(&mut writer)?;
        write_arcs(&mut writer)?;
        write_first_calls(&mut writer)?;
        stacks::each_part(|part| match part {
            Part::Nodes(first, nodes) => write_nodes(&mut writer, first, nodes),
            Part::Samples(entries) => write_samples(&mut writer, entries),
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
        sampling: Sampling {
            rate: unit.rate,
            dimension: unit.dimension,
            abbreviation: unit.abbreviation,
        },
        program: Header::program_name(program.name),
    }
}

#[inline(never)]
fn write_facts(writer: &mut Writer<'_>, unit: &Unit) -> Result<(), Errno> {
    let facts = Facts::new(unit);
    let text = facts.bytes();
    writer.block(Content::Facts, (text.len() as u64, 1), text.chunks(1), core::iter::empty())
}

#[inline(never)]
fn write_modules(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let count = stacks::modules().count();
    let mut path_at = Block::LEN + count * Module::LEN;
    let entries = stacks::modules().map(|module| {
        let entry = module.encode(Encoding::NATIVE, path_at as u32);
        path_at += module.path.len();
        Piece::Module(entry)
    });
    let paths = stacks::modules().map(|module| Piece::Path(module.path));
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

#[inline(never)]
fn write_threads(writer: &mut Writer<'_>) -> Result<(), Errno> {
    let entries = stacks::threads().map(|thread| thread.encode(Encoding::NATIVE));
    let count = stacks::threads_len() as u64;
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

/// Writes the nodes of a table, which stand as a file has them.
#[inline(never)]
fn write_nodes(writer: &mut Writer<'_>, first: usize, nodes: &'static [Node]) -> Result<(), Errno> {
    let entries = nodes.iter().filter_map(Node::described);
    let entries = entries.map(|node| node.encode(Encoding::NATIVE));
    let size = (nodes.len() as u64, StackNode::LEN as u32);
    writer.block(Content::Stacks { first: first as u64 }, size, entries, core::iter::empty())
}

/// Writes samples, which stand as a file has them.
#[inline(never)]
fn write_samples(writer: &mut Writer<'_>, entries: &'static [Entry]) -> Result<(), Errno> {
    if entries.is_empty() {
        return Ok(());
    }
    let size = (entries.len() as u64, Sample::LEN as u32);
    writer.block(Content::Samples, size, entries.iter().map(Entry::bytes), core::iter::empty())
}
