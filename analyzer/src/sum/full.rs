//! Writes what full profiles hold as one of them, which every reader of full profiles takes.
//!
//! The file has the addresses of one process. So each module gets a place of its own in the memory of a
//! process that never was, in which no two builds overlap.

use std::io::{self, Write};
use std::iter;

use gmon_format::live::{
    Block, Code, Content, Count, Form, FullWriter, Gap, Header, KernelWeight, Label, Mark, Module,
    Round, Sample, StackNode, Thread, Timing, facts,
};
use gmon_format::{
    Block as BasicBlock, CallSite, Encoding, FilePc, LoadedArc, LoadedPc, Placement, ReturnPc,
    SelfPc, WordSize,
};

use super::behind::step_entries;
use super::code::CodeEntries;
use super::sink::{BUFFER, To};
use crate::records::{
    BinRange, CallTimes, CodePlace, Frame, FullRecords, MadeCode, ModuleId, NamedCode, Origin,
    PROCESSES, RANKS, TimedGap, TimedSample, Times,
};

type Writer<'b> = FullWriter<'b, To<Vec<u8>>>;

/// Writes a full profile. The same records are always the same bytes.
///
/// # Errors
/// Those of the output, and if the records are of no full profile, or have more code than there is memory for
/// in a process of theirs.
pub fn write_full(records: &FullRecords, out: &mut dyn Write) -> io::Result<()> {
    let Some(origin) = records.origin() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "nothing is known of the modules"));
    };
    let Some(memory) = Memory::new(records, origin.encoding.word) else {
        let text = "more code than the memory of one process can hold";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    };
    let mut buffer = vec![0; BUFFER];
    let header = header(records, origin, &memory);
    let writer = FullWriter::new(To(Vec::new()), header, &mut buffer)?;
    let mut file = File { writer, records, origin, encoding: origin.encoding, memory };
    file.write_facts()?;
    file.write_modules()?;
    file.write_code()?;
    file.write_threads()?;
    file.write_bins()?;
    file.write_counts()?;
    file.write_first_calls()?;
    file.write_steps()?;
    file.write_nodes()?;
    file.write_call_times()?;
    let (To(mut bytes), header) = file.writer.finish()?;
    bytes[..Header::LEN].copy_from_slice(&header);
    out.write_all(&bytes)
}

/// The memory of a process in which all modules lie at once.
struct Memory {
    /// Starts of the modules.
    starts: Vec<u64>,
    /// Differences between addresses of a file and of the process.
    biases: Vec<u64>,
    word: WordSize,
}

impl Memory {
    /// No process has anything below.
    const LOWEST: u64 = 0x1_0000;
    const PAGE: u64 = 0x1000;

    /// Finds a place for each module where no address is that is in no module. None if there is none.
    fn new(records: &FullRecords, word: WordSize) -> Option<Self> {
        let mut taken = strays(records);
        taken.sort_unstable();
        taken.dedup();
        let (mut starts, mut biases) = (Vec::new(), Vec::new());
        let mut next = Self::LOWEST;
        for module in records.modules() {
            let len = module.extent.end.0.checked_sub(module.extent.start.0)?;
            let room = len.checked_next_multiple_of(Self::PAGE)?.max(Self::PAGE);
            loop {
                let end = next.checked_add(room).filter(|end| *end <= word.largest())?;
                let first = taken.partition_point(|address| *address < next);
                match taken[..taken.partition_point(|address| *address < end)][first..].last() {
                    Some(address) => next = (address + 1).checked_next_multiple_of(Self::PAGE)?,
                    None => break,
                }
            }
            starts.push(next);
            biases.push(next.wrapping_sub(module.extent.start.0));
            next += room;
        }
        Some(Self { starts, biases, word })
    }

    fn address(&self, place: CodePlace) -> LoadedPc {
        match place {
            CodePlace::Module(module, pc) => {
                LoadedPc(pc.0.wrapping_add(self.biases[module.index()]) & self.word.largest())
            }
            CodePlace::Process(pc) => pc,
        }
    }
}

/// Sorts, once for all kinds of executions.
fn sort(blocks: &mut [BasicBlock<LoadedPc>]) {
    blocks.sort_unstable_by_key(|block| block.pc);
}

/// All addresses that are in no module.
fn strays(records: &FullRecords) -> Vec<u64> {
    let stray = |place: CodePlace| match place {
        CodePlace::Process(pc) => Some(pc.0),
        CodePlace::Module(..) => None,
    };
    let nodes = records.nodes().iter().filter_map(|node| match node.frame {
        Frame::Code(place) => stray(place),
        Frame::Incomplete(_) => None,
    });
    let ends = |(CallSite(site), SelfPc(callee), _)| [site, callee];
    let arcs = records.arcs().flat_map(ends).filter_map(stray);
    let blocks = records.blocks().filter_map(|(place, _)| stray(place));
    let first_calls = records.first_calls().into_iter().filter_map(stray);
    let steps = records.steps().filter_map(|(place, _)| stray(place));
    let timed = records.call_times().flat_map(|it| iter::once(it.function).chain(it.caller));
    let timed = timed.chain(records.long_calls().map(|(it, ..)| it.function)).filter_map(stray);
    nodes.chain(arcs).chain(blocks).chain(first_calls).chain(steps).chain(timed).collect()
}

fn header(records: &FullRecords, origin: &Origin, memory: &Memory) -> Header {
    let bias = records.program().map_or(0, |program| memory.biases[program.index()]);
    let text = memory.address(origin.text.start)..memory.address(origin.text.end);
    Header {
        encoding: origin.encoding,
        form: Form::Finished,
        process: origin.process,
        placement: Placement {
            bias,
            text,
            external_caller: memory.address(origin.external_caller),
            call_offset: origin.call_offset,
        },
        reserved: 0,
        histogram_at: 0,
        sampling: origin.sampling,
        program: Header::program_name(&origin.name),
    }
}

/// A file that is being written, and what it is written of.
struct File<'a> {
    writer: Writer<'a>,
    records: &'a FullRecords,
    origin: &'a Origin,
    encoding: Encoding,
    memory: Memory,
}

impl File<'_> {
    /// Writes a block of entries of one size, unless there are none.
    fn write_if_any(
        &mut self,
        content: Content,
        entry_len: usize,
        entries: &[u8],
    ) -> io::Result<()> {
        match entries.is_empty() {
            true => Ok(()),
            false => self.write_block(content, entry_len, entries, &[]),
        }
    }

    /// Writes a block of entries of one size, and strings behind them.
    fn write_block(
        &mut self,
        content: Content,
        entry_len: usize,
        entries: &[u8],
        strings: &[u8],
    ) -> io::Result<()> {
        let count = (entries.len() / entry_len) as u64;
        let strings = iter::once(strings);
        self.writer.block(content, (count, entry_len as u32), entries.chunks(entry_len), strings)
    }

    fn write_facts(&mut self) -> io::Result<()> {
        let mut text = Vec::new();
        for (key, value) in self.records.facts().iter() {
            text.extend_from_slice(key);
            text.push(b'=');
            value.iter().for_each(|byte| text.extend_from_slice(facts::escaped(*byte).as_bytes()));
            text.push(b'\n');
        }
        let threads = self.records.threads().iter();
        let ranks: Vec<_> = threads.clone().map(|it| it.rank.map(u64::from)).collect();
        let processes: Vec<_> = threads.map(|it| Some(it.process)).collect();
        let rank = self.records.facts().number("rank");
        for (key, list, of_all) in
            [(RANKS, ranks, rank), (PROCESSES, processes, Some(self.origin.process))]
        {
            if list.iter().any(|number| *number != of_all) {
                let word = |number: Option<u64>| number.map_or("-".into(), |it| it.to_string());
                let words: Vec<String> = list.into_iter().map(word).collect();
                text.extend([key, b"=", words.join(",").as_bytes(), b"\n"].concat());
            }
        }
        self.write_block(Content::Facts, 1, &text, &[])
    }

    fn write_modules(&mut self) -> io::Result<()> {
        let (mut entries, mut strings) = (Vec::new(), Vec::new());
        let strings_at = Block::LEN + self.records.modules().len() * Module::LEN;
        for (module, number) in self.records.modules().iter().zip(0..) {
            let start: u64 = self.memory.starts[number];
            let len = module.extent.end.0 - module.extent.start.0;
            let entry = Module {
                start: LoadedPc(start),
                end: LoadedPc(start + len),
                bias: self.memory.biases[number] & self.memory.word.largest(),
                eh_frame_hdr: LoadedPc(0),
                loaded_ns: 0,
                unloaded_ns: 0,
                generation: 0,
                build_id: &module.build_id,
                path: &module.path,
            };
            entries.extend(entry.encode(self.encoding, (strings_at + strings.len()) as u32));
            strings.extend_from_slice(&module.path);
        }
        self.write_block(Content::Modules, Module::LEN, &entries, &strings)
    }

    /// Writes code that is in no file.
    fn write_code(&mut self) -> io::Result<()> {
        let named = |(module, start, made): (ModuleId, FilePc, &MadeCode)| {
            let start = self.memory.address(CodePlace::Module(module, start)).0;
            NamedCode {
                start,
                end: start + made.len,
                from_ns: 0,
                to_ns: 0,
                kind: made.kind,
                name: made.name.to_vec(),
                file: made.file.to_vec(),
                first_line: made.first_line,
                lines: made.lines.to_vec(),
            }
        };
        let list: Vec<NamedCode> = self.records.made().map(named).collect();
        if list.is_empty() {
            return Ok(());
        }
        let CodeEntries { entries, behind } = CodeEntries::new(&list, self.encoding);
        self.write_block(Content::Code, Code::LEN, &entries, &behind)
    }

    fn write_first_calls(&mut self) -> io::Result<()> {
        let mut entries = Vec::new();
        for place in self.records.first_calls() {
            let LoadedPc(pc) = self.memory.address(place);
            match self.encoding.word {
                WordSize::Four => entries.extend(self.encoding.u32_bytes(pc as u32)),
                WordSize::Eight => entries.extend(self.encoding.u64_bytes(pc)),
            }
        }
        self.write_if_any(Content::FirstCalls, self.encoding.word.bytes(), &entries)
    }

    fn write_steps(&mut self) -> io::Result<()> {
        let steps = self.in_order(self.records.steps()).into_iter();
        let entries = step_entries(steps.map(|it| (it.pc, it.count)), self.encoding);
        self.write_if_any(Content::Steps, Count::len(self.encoding.word), &entries)
    }

    fn write_call_times(&mut self) -> io::Result<()> {
        let mut entries = Vec::new();
        for CallTimes { function, caller, thread, times } in self.records.call_times() {
            let thread = thread.map_or(0, |thread| Timing::thread_at(u64::from(thread.0) + 1));
            let Times { timed, without_end, total_ns, longest_ns, every, .. } = times;
            let buckets = times.buckets.iter();
            let buckets = buckets.map(|(bucket, calls)| {
                (usize::from(*bucket), u32::try_from(*calls).unwrap_or(u32::MAX))
            });
            entries.extend(Timing::encode(
                (
                    self.memory.address(function),
                    caller.map(|place| self.memory.address(place)),
                    thread,
                ),
                [timed, without_end, total_ns, longest_ns, every],
                buckets,
                self.encoding,
            ));
        }
        self.write_if_any(Content::Times, Timing::LEN, &entries)
    }

    fn write_threads(&mut self) -> io::Result<()> {
        let since = |thread: &crate::records::Thread, ns: u64| {
            let before = thread.origin_us.saturating_sub(self.records.timeline().origin_us());
            ns.saturating_add(before.saturating_mul(1000))
        };
        // Nodes cannot name the entry at position 0.
        let mut entries = vec![0; Thread::LEN];
        for thread in self.records.threads() {
            let mut name = [0; 16];
            name.iter_mut().zip(&thread.name).for_each(|(place, byte)| *place = *byte);
            let entry = Thread {
                id: thread.id,
                begun_ns: since(thread, thread.begun_ns),
                ended_ns: if thread.ended_ns == 0 { 0 } else { since(thread, thread.ended_ns) },
                cpu_ns: thread.cpu_ns,
                signals: thread.signals,
                squared_weights: thread.squared_weights,
                name,
            };
            entries.extend(entry.encode(self.encoding));
        }
        self.write_block(Content::Threads, Thread::LEN, &entries, &[])
    }

    /// Writes the histograms, that of the program first: readers take the first for it.
    fn write_bins(&mut self) -> io::Result<()> {
        let is_program = |(start, _): BinRange| match (start, self.origin.text.start) {
            (CodePlace::Module(module, _), CodePlace::Module(program, _)) => module == program,
            _ => false,
        };
        let (of_program, others): (Vec<_>, Vec<_>) =
            self.records.bins().partition(|(range, _)| is_program(*range));
        if of_program.is_empty() {
            return Ok(());
        }
        for ((start, bin_len), bins) in of_program.into_iter().chain(others) {
            let place = (self.memory.address(start), bin_len, bins.len() as u32);
            let counts = (0..).zip(bins.iter().copied()).filter(|(_, count)| *count != 0);
            if bins.iter().any(|count| *count > u32::MAX.into()) {
                self.writer.wide_histogram(place, counts)?;
            } else {
                self.writer.histogram(place, counts)?;
            }
        }
        Ok(())
    }

    /// Writes calls, and executions of basic blocks, in the order of the code that was called or executed.
    fn write_counts(&mut self) -> io::Result<()> {
        let mut arcs: Vec<_> = self.records.arcs().map(|arc| self.loaded(arc)).collect();
        arcs.sort_unstable_by_key(|arc| (arc.self_pc, arc.return_pc));
        let blocks = self.in_order(self.records.blocks());
        let counts =
            arcs.into_iter().map(Count::Calls).chain(blocks.into_iter().map(Count::Executions));
        let len = Count::len(self.origin.encoding.word);
        let mut entries = Vec::new();
        counts.for_each(|count| {
            entries.extend_from_slice(&count.encode(self.origin.encoding)[..len])
        });
        self.write_block(Content::Arcs, len, &entries, &[])
    }

    /// Executions by the addresses of the code.
    fn in_order(
        &self,
        executions: impl Iterator<Item = (CodePlace, u64)>,
    ) -> Vec<BasicBlock<LoadedPc>> {
        let block = |(place, count)| BasicBlock { pc: self.memory.address(place), count };
        let mut blocks: Vec<_> = executions.map(block).collect();
        sort(&mut blocks);
        blocks
    }

    /// An arc as the process counts it.
    fn loaded(
        &self,
        (CallSite(site), SelfPc(callee), count): (CallSite<CodePlace>, SelfPc<CodePlace>, u64),
    ) -> LoadedArc {
        let return_pc = self.memory.address(site).0.wrapping_add(self.origin.call_offset);
        let return_pc = ReturnPc(LoadedPc(return_pc & self.memory.word.largest()));
        LoadedArc { return_pc, self_pc: SelfPc(self.memory.address(callee)), count }
    }

    /// Writes the stacks as one tree: the mark of the threads, the threads, and what was on their stacks.
    fn write_nodes(&mut self) -> io::Result<()> {
        let root = |pc, parent| StackNode {
            pc,
            parent,
            is_guess: false,
            samples: 0,
            weight: 0,
            kernel: KernelWeight::default(),
        };
        let threads = self.records.threads().len() as u32;
        let mut entries = Vec::new();
        let mut push = |node: StackNode| entries.extend(node.encode(self.encoding));
        push(root(Label::Thread.pc(), None));
        (1..=threads).for_each(|thread| push(root(LoadedPc(thread.into()), Some(0))));
        let waits = self.records.nodes().iter().any(|node| node.waits);
        // Where there are waits, each thread has its mark of them behind all threads.
        let marks = if waits { threads } else { 0 };
        (1..=marks).for_each(|thread| push(root(Label::Waiting.pc(), Some(thread))));
        for node in self.records.nodes() {
            let pc = match node.frame {
                Frame::Code(place) => self.memory.address(place),
                Frame::Incomplete(incomplete) => {
                    // No version knows this one.
                    incomplete.label.map_or(LoadedPc(Label::END.0 - 1), Label::pc)
                }
            };
            let parent = match node.parent {
                Some(parent) => parent + 1 + threads + marks,
                None if node.waits => node.thread.0 + 1 + threads,
                None => node.thread.0 + 1,
            };
            push(StackNode {
                pc,
                parent: Some(parent),
                is_guess: node.is_guess,
                // Of one place: more signals than any run has.
                samples: u32::try_from(node.own.samples).unwrap_or(u32::MAX),
                weight: node.own.weight,
                kernel: KernelWeight {
                    calls: u32::try_from(node.own.system).unwrap_or(u32::MAX),
                    faults: u32::try_from(node.own.faults).unwrap_or(u32::MAX),
                },
            });
        }
        self.write_block(Content::Stacks { first: 0 }, StackNode::LEN, &entries, &[])?;
        self.write_samples(1 + threads + marks)?;
        self.write_marks()
    }

    /// Writes the samples with their times, which name nodes behind so many others.
    fn write_samples(&mut self, before: u32) -> io::Result<()> {
        let timeline = self.records.timeline();
        if timeline.is_empty() {
            return Ok(());
        }
        let mut entries = Vec::new();
        for sample in timeline.samples() {
            let TimedSample { at_us, node, weight, is_look, kernel } = sample;
            let sample = Sample { at_us, node: node + before, weight, is_look, kernel };
            entries.extend(sample.encode(Round::FIRST, self.encoding));
        }
        self.write_block(Content::Samples, Sample::LEN, &entries, &[])
    }

    /// Writes what the program marked, and when its threads did not run.
    fn write_marks(&mut self) -> io::Result<()> {
        let timeline = self.records.timeline();
        let (mut marks, mut gaps) = (Vec::new(), Vec::new());
        for mark in timeline.marks() {
            let times = (mark.begun_ns, mark.ended_ns);
            let mark = Mark::new(times, mark.is_moment, mark.thread.0 + 1, &mark.name);
            marks.extend(mark.encode(Round::FIRST, self.encoding));
        }
        for (call, begun_ns, ended_ns) in self.records.long_calls() {
            let function = self.memory.address(call.function);
            let mark = Mark::of_call((begun_ns, ended_ns), call.thread.0 + 1, function);
            marks.extend(mark.encode(Round::FIRST, self.encoding));
        }
        for TimedGap { begun_us, ended_us, thread, kind } in timeline.gaps() {
            let gap = Gap { begun_us, ended_us, thread: thread.0 + 1, kind };
            gaps.extend(gap.encode(Round::FIRST, self.encoding));
        }
        self.write_if_any(Content::Marks, Mark::LEN, &marks)?;
        self.write_if_any(Content::Gaps, Gap::LEN, &gaps)
    }
}
