//! A process that is sampled: its program, its threads, and what was found in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gmon_analyzer::records::NamedCode;
use gmon_events::{Mapping as Mapped, Sample};
use gmon_format::live::{Count, Label, Thread};
use gmon_format::mapping::{Mapping, path_of_file};
use gmon_unwind::Frame;

use super::counted::Counted;
use super::files::Files;
use super::made::MadeCode;
use super::python::Python;
use super::space::{KERNEL_AT, Module, Space, folder_of, program_path};
use super::times::{self, Looked, Ticks};
use super::tree::{Stack, Tree};
use super::walk::{Found, Rules, walk};

/// A program in a process, as long as it was looked at.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    /// The path of the program, by which it can be read.
    pub(crate) program: PathBuf,
    /// When we began to look, by the monotonic clock.
    pub(crate) begun: u64,
    pub(super) space: Space,
    pub(super) rules: Rules,
    pub(super) tree: Tree,
    pub(super) python: Python,
    made: MadeCode,
    counted: Option<Counted>,
    pub(super) threads: Vec<Sampled>,
    by_number: HashMap<u32, usize>,
    /// Threads that have ended, as far as samples of them may come: their numbers and places.
    ending: Vec<(u32, usize)>,
    /// Places of threads that have ended without a sample.
    free: Vec<usize>,
    /// Weights by addresses in the program's own code.
    pub(super) bins: BTreeMap<u64, u64>,
    /// Weight of stacks that could not be followed to their start, by labels.
    pub(super) incomplete: BTreeMap<Label, u64>,
    pub(super) samples: u64,
    /// Nanoseconds that all samples stand for.
    sampled: u64,
    /// CPU time of the process when we came, and since then.
    first: Option<(u64, Ticks)>,
    looked: Looked,
    pub(crate) used: u64,
    pub(super) ticks: Ticks,
    kernel: Carried,
    /// When the kernel's time was counted last, in microseconds.
    charged_us: u64,
    /// When it ended or became another program; 0 if it did not.
    pub(crate) ended: u64,
    pub(crate) is_replaced: bool,
    pub(super) command: Vec<u8>,
    pub(super) directory: Vec<u8>,
}

/// Facts and files that all processes have in common.
#[derive(Debug)]
pub(super) struct Common {
    /// Functions of Python take the place of their interpreter's.
    pub(super) python: bool,
    pub(super) files: Files,
}

/// A thread of it.
#[derive(Debug)]
pub(super) struct Sampled {
    pub(super) described: Thread,
    first: Option<(u64, Ticks)>,
    looked: Looked,
    ticks: Ticks,
    user: Carried,
    kernel: Carried,
}

/// Time of which whole ticks are counted.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    /// Nanoseconds, and how many of them were counted.
    all: u64,
    counted: u64,
}

impl Carried {
    /// Ticks of this length that are to be counted now.
    fn take(&mut self, tick: u64) -> u64 {
        let ticks = self.all.saturating_sub(self.counted) / tick.max(1);
        self.counted += ticks * tick;
        ticks
    }
}

/// Unit of all counts, and time between samples, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) tick: u64,
    pub(super) period: u64,
}

impl Process {
    /// A process that was there when we came, or that began a program since.
    pub(super) fn of(id: u32, time: u64, common: &Common) -> Option<Self> {
        let path = program_path(id)?;
        let mut process = Self::begun(id, time, common);
        process.find_program(&path);
        process.find_threads(time);
        process.counted = Counted::of(id, false);
        Some(process)
    }

    /// A process that has just become another program, which may be gone already.
    pub(super) fn begun(id: u32, time: u64, common: &Common) -> Self {
        let mut process = Self::new(id, Space::of_process(id, &common.files), time);
        process.python = Python::new(common.python);
        process.first = process.clocks();
        process.looked = Looked::since(process.first.map(|_| times::now()));
        process
    }

    /// The child that a process has forked.
    pub(super) fn child(&self, id: u32, time: u64) -> Self {
        let mut child = Self::new(id, self.space.of_child(id), time);
        child.parent = self.id;
        child.python = self.python.of_child();
        child.program.clone_from(&self.program);
        // What it had used until the fork is nothing.
        child.first = Some((0, Ticks::default()));
        child.looked = Looked::since(Some(0));
        child
    }

    fn new(id: u32, space: Space, begun: u64) -> Self {
        let folder = folder_of(id);
        let directory = fs::read_link(folder.join("cwd")).unwrap_or_default();
        Self {
            id,
            parent: parent_of(id),
            program: PathBuf::new(),
            begun,
            space,
            rules: Rules::default(),
            tree: Tree::default(),
            python: Python::default(),
            made: MadeCode::of_process(id),
            counted: None,
            threads: Vec::new(),
            by_number: HashMap::new(),
            ending: Vec::new(),
            free: Vec::new(),
            bins: BTreeMap::new(),
            incomplete: BTreeMap::new(),
            samples: 0,
            sampled: 0,
            first: None,
            looked: Looked::since(None),
            used: 0,
            ticks: Ticks::default(),
            kernel: Carried::default(),
            charged_us: 0,
            ended: 0,
            is_replaced: false,
            command: fs::read(folder.join("cmdline")).unwrap_or_default(),
            directory: directory.as_os_str().as_bytes().to_vec(),
        }
    }

    /// Notes which module is the program.
    pub(super) fn find_program(&mut self, path: &Path) {
        let is_program = |module: &&Module| module.path == path.as_os_str().as_bytes();
        // Some programs map a part of their code once more, and an earlier one may have had the same file.
        let found = self.space.modules.iter().filter(is_program);
        let found =
            found.max_by_key(|it| (it.unloaded == 0, it.entry().is_some(), it.end - it.start));
        self.space.entry = found.and_then(Module::entry);
        let place = found.map(|module| module.place.clone()).filter(|it| it != Path::new(""));
        let place = place.unwrap_or(path.to_owned());
        self.program = self.started_as(&place).unwrap_or(place);
    }

    /// The name beside a program's file by which it was started, if that is a link to it: what it does may depend on that, and
    /// people know it by that name.
    fn started_as(&self, file: &Path) -> Option<PathBuf> {
        // Servers write more behind their names.
        let first = self.command.split(|byte| b"\0 ".contains(byte)).next()?;
        let name = Path::new(OsStr::from_bytes(first)).file_name()?;
        let link = file.with_file_name(name);
        let is_it = fs::canonicalize(&link).ok()? == fs::canonicalize(file).ok()?;
        (link != file && is_it).then_some(link)
    }

    /// Number of samples that were taken.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// True if there is anything to show: a program that did all its work in the kernel has no sample, but its time.
    pub(crate) fn has_time(&self) -> bool {
        self.samples > 0 || (self.ticks.system > 0 && self.kernel.counted > 0)
    }

    /// Number of threads that live.
    pub(super) fn living(&self) -> usize {
        self.by_number.len()
    }

    /// True if nobody has said yet which program it is.
    pub(super) fn is_unnamed(&self) -> bool {
        self.program.as_os_str().is_empty()
    }

    /// True if all its threads have ended.
    pub(super) fn has_no_thread(&self) -> bool {
        self.by_number.values().all(|place| self.threads[*place].described.ended_ns != 0)
    }

    /// The module of the program.
    pub(super) fn program_module(&self) -> Option<&Module> {
        let entry = self.space.entry?;
        self.space.modules.iter().rev().find(|it| (it.start..it.end).contains(&entry))
    }

    /// Looks again what is there, of modules and threads.
    pub(super) fn look(&mut self) {
        self.space.look(self.id);
        self.rules.clear();
        self.find_threads(self.begun);
    }

    fn find_threads(&mut self, time: u64) {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.id)).into_iter().flatten().flatten();
        let numbers = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        for number in numbers {
            let place = self.thread(number, time);
            // It may have got another name while nobody told of that.
            if let Some(name) = self.name_now(number) {
                self.threads[place].described.name = name;
            }
        }
    }

    /// The name that a thread has now.
    fn name_now(&self, number: u32) -> Option<[u8; 16]> {
        fs::read(format!("/proc/{}/task/{number}/comm", self.id)).ok().map(|text| name(&text))
    }

    /// Takes executable memory that was mapped.
    pub(super) fn map(&mut self, mapped: &Mapped<'_>) {
        let &Mapped { address, len, offset, inode, path, time, .. } = mapped;
        let path = path_of_file(path);
        let end = address.saturating_add(len);
        let mapping = Mapping { start: address, end, offset, inode, path, ..Mapping::CODE };
        if self.space.add(self.id, &mapping, time) {
            self.rules.clear();
        }
        // The program itself comes first.
        if self.is_unnamed() && path.starts_with(b"/") && !path.starts_with(b"//") {
            self.find_program(Path::new(OsStr::from_bytes(path)));
        }
    }

    /// The addresses of the program's own code.
    pub(super) fn code(&self) -> Option<Range<u64>> {
        let module = self.program_module()?;
        let code = module.elf.as_ref()?.code();
        Some(code.start.wrapping_add(module.bias)..code.end.wrapping_add(module.bias))
    }

    /// Position of a thread in the list, which begins at 1 in a file.
    pub(super) fn thread(&mut self, number: u32, time: u64) -> usize {
        if let Some(known) = self.by_number.get(&number) {
            return *known;
        }
        let described = Thread {
            id: number.into(),
            begun_ns: time.saturating_sub(self.begun),
            ended_ns: 0,
            cpu_ns: 0,
            signals: 0,
            squared_weights: 0,
            name: self.name_now(number).unwrap_or_default(),
        };
        // A thread that begins has used nothing.
        let is_new = time > self.begun;
        let first = match is_new {
            true => Some((0, Ticks::default())),
            false => self.thread_clocks(number),
        };
        let looked = Looked::since(first.map(|_| if is_new { 0 } else { times::now() }));
        let (user, kernel) = (Carried::default(), Carried::default());
        let thread = Sampled { described, first, looked, ticks: Ticks::default(), user, kernel };
        let place = self.free.pop().unwrap_or(self.threads.len());
        match self.threads.get_mut(place) {
            Some(free) => *free = thread,
            None => self.threads.push(thread),
        }
        self.by_number.insert(number, place);
        place
    }

    /// The name of a thread.
    pub(super) fn name_of(&self, number: u32) -> [u8; 16] {
        let place = self.by_number.get(&number).copied();
        place.map_or([0; 16], |place| self.threads[place].described.name)
    }

    /// Notes a thread that another has started, whose name it has at first.
    pub(super) fn start_thread(&mut self, number: u32, parent: u32, time: u64) {
        self.by_number.remove(&number);
        let place = self.thread(number, time);
        if let Some(parent) = self.by_number.get(&parent).copied() {
            self.threads[place].described.name = self.threads[parent].described.name;
        }
    }

    /// Notes a thread's name.
    pub(super) fn rename(&mut self, number: u32, text: &[u8], time: u64) {
        let place = self.thread(number, time);
        self.threads[place].described.name = name(text);
    }

    /// Notes the end of a thread, of which there may be samples still.
    pub(super) fn end_thread(&mut self, number: u32, time: u64) {
        let Some(place) = self.by_number.get(&number).copied() else { return };
        let described = &mut self.threads[place].described;
        if described.ended_ns == 0 {
            described.ended_ns = time.saturating_sub(self.begun).max(1);
            self.ending.push((number, place));
        }
    }

    /// Forgets the numbers of threads that have ended: others may get them.
    pub(super) fn bury(&mut self) {
        for (number, place) in std::mem::take(&mut self.ending) {
            if self.by_number.get(&number) == Some(&place) {
                self.by_number.remove(&number);
            }
            let thread = &mut self.threads[place];
            // Of programs that start thread after thread, most are never sampled.
            if thread.described.signals == 0 && thread.kernel.counted == 0 {
                thread.described.id = 0;
                self.free.push(place);
            }
        }
    }

    /// Counts a sample.
    pub(super) fn add(&mut self, sample: &Sample<'_>, pace: Pace, frames: &mut Found) {
        let label = walk(sample, &self.space, &mut self.rules, frames);
        let pc = frames.0.first().map(|frame| frame.pc);
        let time = sample.time.saturating_sub(self.begun);
        self.python.merge(&self.space, (sample, time), &mut frames.0, label.is_none());
        let place = self.thread(sample.id.thread, sample.time);
        let thread = &mut self.threads[place];
        thread.user.all += pace.period;
        thread.looked.add(sample.time, pace.period);
        self.looked.add(sample.time, pace.period);
        self.sampled += pace.period;
        self.samples += 1;
        let weight = thread.user.take(pace.tick);
        thread.described.signals += 1;
        thread.described.squared_weights += weight * weight;
        let (thread, frames) = (place as u64 + 1, &frames.0[..]);
        let at_us = time / 1000;
        let stack = Stack { thread, label, frames, at_us };
        let full = self.tree.add(&stack, weight);
        if let Some(label) = full.or(label) {
            *self.incomplete.entry(label).or_default() += weight;
        }
        if let Some(pc) = pc {
            if weight > 0 && self.code().is_some_and(|code| code.contains(&pc)) {
                *self.bins.entry(pc).or_default() += weight;
            }
        }
    }

    /// Everything that the process counted itself while it was looked at.
    pub(super) fn counts(&mut self) -> Vec<Count> {
        if self.counted.is_none() && self.ended == 0 {
            // A child, or another program than at first.
            self.counted = Counted::of(self.id, true);
        }
        self.counted.as_ref().map(Counted::since).unwrap_or_default()
    }

    /// True if it has an interpreter of Python.
    pub(super) fn has_python(&mut self) -> bool {
        self.python.look(&self.space);
        self.python.minor().is_some()
    }

    /// Names of the code in the stacks that no file has; none if there are no others than at the last call.
    pub(super) fn new_made_code(&mut self) -> Vec<NamedCode> {
        if !self.space.has_made_code() {
            return Vec::new();
        }
        let tables = self.tree.tables.iter().flat_map(|table| &table.nodes);
        let pcs = tables.map(|node| node.pc.0).filter(|pc| self.space.is_made(*pc));
        let addresses: BTreeSet<u64> = pcs.collect();
        if addresses.is_empty() {
            return Vec::new();
        }
        let addresses: Vec<u64> = addresses.into_iter().collect();
        self.made.code(&addresses, self.begun)
    }

    /// Looks at the clocks of process and threads, and counts the kernel's part of the time since the look before.
    pub(super) fn account(&mut self, pace: Pace, is_end: bool) {
        if self.ended == 0 {
            self.look_at_clocks(is_end);
            if self.space.has_made_code() {
                self.made.look();
            }
        }
        self.used = self.looked.all().max(self.sampled);
        self.threads.iter_mut().for_each(|it| it.described.cpu_ns = it.looked.all());
        self.kernel.all = self.kernel.all.max(self.in_kernel());
        if is_end || self.kernel.all - self.kernel.counted >= 10 * pace.tick {
            self.charge_kernel(pace);
        }
    }

    fn look_at_clocks(&mut self, is_end: bool) {
        /// Clocks of so many threads are looked at now and then, and of more in the end only.
        const MOST_THREADS: usize = 64;
        let (Some((used, ticks)), Some((first, before))) = (self.clocks(), self.first) else {
            return;
        };
        self.looked.look(times::now(), used.saturating_sub(first));
        self.ticks = since(ticks, before);
        if !is_end && self.threads.len() > MOST_THREADS {
            return;
        }
        for place in 0..self.threads.len() {
            let thread = &self.threads[place];
            if thread.described.ended_ns != 0 {
                continue;
            }
            let now = self.thread_clocks(thread.described.id as u32);
            let thread = &mut self.threads[place];
            if let (Some((used, ticks)), Some((first, before))) = (now, thread.first) {
                thread.looked.look(times::now(), used.saturating_sub(first));
                thread.ticks = since(ticks, before);
            }
        }
    }

    /// Nanoseconds in the kernel: what was not sampled, as far as the system's own ticks bear that out. These are coarse, and
    /// see little of programs that work for less than a tick at a time.
    fn in_kernel(&self) -> u64 {
        const COARSE: u64 = 20_000_000;
        let rest = self.used.saturating_sub(self.sampled);
        rest.min(self.ticks.system / 2 * 3 + COARSE)
    }

    /// Divides the kernel's time among threads by what the system says of these, and counts it.
    fn charge_kernel(&mut self, pace: Pace) {
        // Places of threads that were never sampled are free.
        let first = self.threads.iter().position(|it| it.described.id != 0).unwrap_or(0);
        let whole: u64 = self.threads.iter().map(|thread| thread.ticks.system).sum();
        let all = u128::from(self.kernel.all);
        let end = if self.ended == 0 { times::now() } else { self.ended };
        let end_us = end.saturating_sub(self.begun) / 1000;
        let start_us = std::mem::replace(&mut self.charged_us, end_us).min(end_us);
        for (place, thread) in self.threads.iter_mut().enumerate() {
            let part = match whole {
                0 => u128::from(place == first) * all,
                _ => all * u128::from(thread.ticks.system) / u128::from(whole),
            };
            thread.kernel.all = thread.kernel.all.max(part as u64);
        }
        // Parts that have become smaller were counted already.
        let mut left = self.kernel.all.saturating_sub(self.kernel.counted) / pace.tick.max(1);
        for (place, thread) in self.threads.iter_mut().enumerate() {
            let mut ahead = thread.kernel;
            let weight = ahead.take(pace.tick).min(left);
            if weight == 0 {
                continue;
            }
            thread.kernel.counted += weight * pace.tick;
            self.kernel.counted += weight * pace.tick;
            left -= weight;
            let frames = [Frame { pc: KERNEL_AT, ..Frame::default() }];
            // Ticks that came in the kernel are looks, too, of which the kernel does not tell.
            thread.described.signals += weight;
            thread.described.squared_weights += weight;
            for number in 1..=weight {
                let at_us = start_us + (end_us - start_us) * number / weight;
                let thread = place as u64 + 1;
                let frames = &frames[..];
                let stack = Stack { thread, label: None, frames, at_us };
                self.tree.add(&stack, 1);
            }
        }
    }

    fn clocks(&self) -> Option<(u64, Ticks)> {
        Some((times::of_process(self.id)?, Ticks::of_process(self.id)?))
    }

    fn thread_clocks(&self, number: u32) -> Option<(u64, Ticks)> {
        Some((times::of_thread(self.id, number)?, Ticks::of_thread(self.id, number)?))
    }
}

/// The difference of two looks.
fn since(now: Ticks, before: Ticks) -> Ticks {
    Ticks {
        user: now.user.saturating_sub(before.user),
        system: now.system.saturating_sub(before.system),
        started: now.started,
    }
}

/// The process that started one.
pub(super) fn parent_of(process: u32) -> u32 {
    number_in_status(process, "PPid:").unwrap_or(0)
}

/// The process that a thread is of; `None` for the first one, by whose number processes are known.
pub(super) fn thread_of(id: u32) -> Option<u32> {
    number_in_status(id, "Tgid:").filter(|process| *process != id)
}

fn number_in_status(process: u32, name: &str) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// A name as a file has it.
fn name(text: &[u8]) -> [u8; 16] {
    let mut name = [0; 16];
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    name.iter_mut().zip(text.iter().take(15)).for_each(|(place, byte)| *place = *byte);
    name
}
