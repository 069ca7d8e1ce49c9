//! Writes what is known of a process to a live file, as its runtime would, so that all who read such files can read it.
//!
//! Blocks get their places when they are new and keep them: a reader may follow the file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use gmon_analyzer::sum::CodeEntries;
use gmon_format::live::{
    ALIGNMENT, Block, Code, Content, Control, Count, Form, Header, Module, Round, Sample, Sampling,
    StackNode, Switch, Thread,
};
use gmon_format::{Encoding, LoadedPc, Placement};
use gmon_unwind::{Native, Processor};

use super::facts::facts;
use super::process::Process;
use super::session::Sampler;

/// A live file, and what it has already.
#[derive(Debug)]
pub(crate) struct LiveFile {
    file: File,
    end: u64,
    blocks: u64,
    /// Offsets of blocks, by what they hold.
    tables: Vec<u64>,
    threads: Vec<u64>,
    bins: Option<Bins>,
    modules: usize,
}

/// Place of the program's bins.
#[derive(Clone, Copy, Debug)]
struct Bins {
    at: u64,
    low: u64,
    len: u64,
    count: u64,
}

const ENCODING: Encoding = Encoding::NATIVE;

/// Threads in a block.
const THREADS: usize = 64;

impl LiveFile {
    /// Takes an empty file.
    pub(crate) fn new(file: File) -> Self {
        Self {
            file,
            end: ALIGNMENT as u64,
            blocks: 0,
            tables: Vec::new(),
            threads: Vec::new(),
            bins: None,
            modules: 0,
        }
    }

    /// Writes what has come since the last time. With `facts` nothing more will.
    pub(crate) fn write(
        &mut self,
        process: &mut Process,
        sampler: &Sampler,
        with_facts: bool,
    ) -> io::Result<()> {
        self.write_modules(process)?;
        self.write_threads(process)?;
        self.write_bins(process)?;
        self.write_tables(process)?;
        self.write_code(process)?;
        if with_facts {
            self.write_moments(process)?;
            self.write_counts(process)?;
            let text = facts(process, sampler);
            let at = self.block(Content::Facts, text.len(), 1, &[])?;
            self.file.write_all_at(&text, at)?;
        }
        self.write_header(process, sampler)
    }

    /// Makes a block with so many free entries and bytes behind them. Returns where the entries are.
    fn block(
        &mut self,
        content: Content,
        count: usize,
        len: usize,
        behind: &[u8],
    ) -> io::Result<u64> {
        let entries_len = (count * len) as u64;
        let block = Block {
            content,
            len: Block::LEN as u64 + entries_len + behind.len() as u64,
            entries_at: Block::LEN as u64,
            entries: count as u64,
            entry_len: len as u32,
        };
        let at = self.end;
        self.end = (at + block.len).next_multiple_of(ALIGNMENT as u64);
        self.file.set_len(self.end)?;
        self.file.write_all_at(&block.encode(ENCODING), at)?;
        self.file.write_all_at(behind, at + block.entries_at + entries_len)?;
        self.blocks += 1;
        Ok(at + block.entries_at)
    }

    fn write_modules(&mut self, process: &Process) -> io::Result<()> {
        for module in &process.space.modules[self.modules..] {
            let since = |time: u64| time.saturating_sub(process.begun);
            let entry = Module {
                start: LoadedPc(module.start),
                end: LoadedPc(module.end),
                bias: module.bias,
                eh_frame_hdr: LoadedPc(0),
                loaded_ns: since(module.loaded),
                unloaded_ns: since(module.unloaded),
                generation: 0,
                build_id: module.elf.as_ref().map_or(&[], |elf| &elf.build_id),
                path: module.shown_path(),
            };
            let path_at = (Block::LEN + Module::LEN) as u32;
            let at = self.block(Content::Modules, 1, Module::LEN, entry.path)?;
            self.file.write_all_at(&entry.encode(ENCODING, path_at), at)?;
        }
        self.modules = process.space.modules.len();
        Ok(())
    }

    fn write_threads(&mut self, process: &Process) -> io::Result<()> {
        // The first place is free: in a tree zero stands for no thread.
        let free = [0; Thread::LEN];
        let entries = process.threads.iter().map(|thread| thread.described.encode(ENCODING));
        let entries: Vec<_> = [free].into_iter().chain(entries).collect();
        for (number, part) in entries.chunks(THREADS).enumerate() {
            if number == self.threads.len() {
                let at = self.block(Content::Threads, THREADS, Thread::LEN, &[])?;
                self.threads.push(at);
            }
            self.file.write_all_at(part.as_flattened(), self.threads[number])?;
        }
        Ok(())
    }

    /// Writes the bins that were hit. Others take no room on disk.
    fn write_bins(&mut self, process: &Process) -> io::Result<()> {
        /// Bytes of code for a bin, unless there would be too many.
        const LEN: u64 = 4;
        const MOST: u64 = 1 << 22;
        let bins = match self.bins {
            Some(bins) => bins,
            None => {
                let Some(code) = process.code() else { return Ok(()) };
                let len = (LEN..).step_by(4).find(|len| (code.end - code.start) / len < MOST);
                let len = len.unwrap_or(LEN);
                let count = (code.end - code.start).div_ceil(len);
                let content =
                    Content::Histogram { low_pc: LoadedPc(code.start), bin_len: len as u32 };
                let at = self.block(content, count as usize, size_of::<u32>(), &[])?;
                *self.bins.insert(Bins { at, low: code.start, len, count })
            }
        };
        let mut counts = process.bins.iter().peekable();
        while let Some((pc, weight)) = counts.next() {
            let bin = pc.saturating_sub(bins.low) / bins.len;
            let mut sum = *weight;
            while let Some((_, weight)) =
                counts.next_if(|(pc, _)| (*pc - bins.low) / bins.len == bin)
            {
                sum += weight;
            }
            if bin < bins.count {
                let count = u32::try_from(sum).unwrap_or(u32::MAX);
                self.file.write_all_at(&count.to_ne_bytes(), bins.at + 4 * bin)?;
            }
        }
        Ok(())
    }

    fn write_tables(&mut self, process: &mut Process) -> io::Result<()> {
        for (number, table) in process.tree.tables.iter_mut().enumerate() {
            if number == self.tables.len() {
                let at = self.block(
                    Content::Stacks { first: table.first },
                    table.capacity,
                    StackNode::LEN,
                    &[],
                )?;
                self.tables.push(at);
            }
            if std::mem::take(&mut table.has_changed) {
                let nodes = table.nodes.iter().map(|node| node.encode(ENCODING));
                let bytes: Vec<_> = nodes.collect();
                self.file.write_all_at(bytes.as_flattened(), self.tables[number])?;
            }
        }
        Ok(())
    }

    /// Writes what the process counted itself.
    fn write_counts(&mut self, process: &mut Process) -> io::Result<()> {
        let counts = process.counts();
        if counts.is_empty() {
            return Ok(());
        }
        let bytes: Vec<_> = counts.iter().map(|count| count.encode(ENCODING)).collect();
        let at = self.block(Content::Arcs, bytes.len(), Count::MOST_LEN, &[])?;
        self.file.write_all_at(bytes.as_flattened(), at)
    }

    /// Writes the names of code that was made at run time, of all that has come: a reader takes the last it finds. Functions of
    /// Python keep theirs.
    fn write_code(&mut self, process: &mut Process) -> io::Result<()> {
        let mut list = process.python.new_code();
        list.extend(process.new_made_code());
        if list.is_empty() {
            return Ok(());
        }
        let CodeEntries { entries, behind } = CodeEntries::new(&list, ENCODING);
        let at = self.block(Content::Code, list.len(), Code::LEN, &behind)?;
        self.file.write_all_at(&entries, at)
    }

    /// Writes the samples with their times.
    fn write_moments(&mut self, process: &Process) -> io::Result<()> {
        let moments = process.tree.moments.iter();
        let bytes: Vec<_> = moments.map(|it| it.encode(Round::FIRST, ENCODING)).collect();
        let at = self.block(Content::Samples, bytes.len(), Sample::LEN, &[])?;
        self.file.write_all_at(bytes.as_flattened(), at)
    }

    fn write_header(&self, process: &Process, sampler: &Sampler) -> io::Result<()> {
        let mut start = vec![0; ALIGNMENT];
        let code = process.code().unwrap_or_default();
        let name = process.program.file_name().unwrap_or_default();
        let header = Header {
            encoding: ENCODING,
            form: Form::Live,
            process: process.id.into(),
            placement: Placement {
                bias: process.program_module().map_or(0, |module| module.bias),
                text: LoadedPc(code.start)..LoadedPc(code.end),
                external_caller: LoadedPc(process.space.entry.unwrap_or(code.start)),
                call_offset: Native::CALL_OFFSET as u64,
            },
            reserved: self.end,
            histogram_at: self.bins.map_or(0, |bins| bins.at - Block::LEN as u64),
            sampling: Sampling {
                rate: sampler.rate,
                dimension: *b"seconds\0\0\0\0\0\0\0\0",
                abbreviation: b's',
            },
            program: Header::program_name(name.as_encoded_bytes()),
        };
        start[..Header::LEN].copy_from_slice(&header.encode());
        let control = Control {
            switch: Switch::On,
            rate: sampler.rate,
            blocks: self.blocks,
            ..Control::default()
        };
        control.put_into(&mut start, ENCODING);
        self.file.write_all_at(&start, 0)
    }
}
