//! Samples processes from outside, until somebody has enough.
//!
//! Rings are read at fixed times, often enough that they do not fill: nobody is woken by the kernel, and a process that waits
//! costs next to nothing. Stacks are followed at once, so a sample takes no memory for longer than that.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use gmon_events::{Event, Heirs, Order, Record, Ring, Sample};
use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::bells::{Bells, UNHEARD};
use super::files::Files;
use super::process::{Common, Pace, Process, parent_of, thread_of};
use super::rights::explain;
use super::space::{program_path, threads};
use super::times;
use super::walk::Found;

/// Order for the processes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Samples per second of CPU time.
    pub(crate) rate: u32,
    /// Processes that they start are sampled, too.
    pub(crate) children: bool,
    /// Functions of Python take the place of their interpreter's.
    pub(crate) python: bool,
}

/// Samples processes.
#[derive(Debug)]
pub(crate) struct Sampler {
    pub(crate) rate: u32,
    /// Processes that others start are sampled, too.
    children: bool,
    common: Common,
    targets: Vec<u32>,
    events: Vec<Event>,
    /// A ring for each processor, by its number.
    rings: Vec<(u32, Ring)>,
    pub(crate) processes: Vec<Process>,
    /// Positions of the processes that live, by their numbers.
    by_id: HashMap<u32, usize>,
    pace: Pace,
    /// Samples that found no room.
    pub(crate) lost: u64,
    accounted: u64,
    /// When records were taken last.
    drained: u64,
    /// Name of the run, which its processes have in common.
    pub(super) run: String,
    frames: Found,
}

/// Bytes of a stack that are copied.
const STACK: u32 = 32 << 10;

/// Bytes of a record with that.
const RECORD: u64 = STACK as u64 + 512;

/// Sizes of a ring, of which the largest is taken that the system allows.
const RINGS: [usize; 6] = [4 << 20, 2 << 20, 1 << 20, 512 << 10, 256 << 10, 128 << 10];

/// Time between looks at the clocks, in nanoseconds. What is over has used what it did in the kernel since the last one unseen, so
/// clocks of few threads are looked at more often.
const ACCOUNT: u64 = 500_000_000;
const ACCOUNT_FEW: u64 = 100_000_000;
const FEW: usize = 32;

/// A program that starts threads or processes faster than we can look has to be left at some time.
const LOOKS: usize = 8;

impl Sampler {
    /// Makes everything ready to sample processes with all their threads.
    ///
    /// # Errors
    ///
    /// If one of them is not there, or may not be sampled.
    pub(crate) fn new(targets: &[u32], wanted: Wanted) -> Result<Self> {
        if gmon_events::REGISTERS == 0 {
            bail!("--pid is there on x86-64 and AArch64 only");
        }
        allow_many_descriptors();
        let tick = 1_000_000_000 / u64::from(wanted.rate.max(1));
        // A period that no program keeps step with: others sleep and work for round times.
        let period = tick + tick / 59 + 1;
        let mut sampler = Self {
            rate: wanted.rate,
            children: wanted.children,
            common: Common { python: wanted.python, files: Files::default() },
            targets: targets.to_vec(),
            events: Vec::new(),
            rings: Vec::new(),
            processes: Vec::new(),
            by_id: HashMap::new(),
            pace: Pace { tick, period },
            lost: 0,
            accounted: 0,
            drained: 0,
            run: format!("{}.{}", std::process::id(), times::now()),
            frames: Found::default(),
        };
        let mut known: HashSet<u32> = HashSet::new();
        for _ in 0..LOOKS {
            // A child that came before its parent had events has none.
            let there = sampler.with_children(targets);
            let new = sampler.without_events(there, &mut known);
            if new.is_empty() {
                break;
            }
            new.into_iter().try_for_each(|target| sampler.begin(target))?;
        }
        Ok(sampler)
    }

    /// Begins to sample a process that is there. One that nobody asked for may have ended.
    fn begin(&mut self, target: u32) -> Result<()> {
        let is_asked_for = self.targets.contains(&target);
        if is_asked_for && !Path::new(&format!("/proc/{target}")).exists() {
            bail!("there is no process {target}");
        }
        if let Some(whole) = thread_of(target).filter(|_| is_asked_for) {
            bail!("{target} is a thread of process {whole}; name that");
        }
        let path = program_path(target);
        let Some(process) = Process::of(target, times::now(), &self.common) else {
            if !is_asked_for {
                return Ok(());
            }
            let error = fs::read_link(format!("/proc/{target}/exe")).err();
            let is_hidden = error.is_some_and(|error| is(&error, Errno::EACCES));
            if is_hidden {
                return Err(explain(target, &Errno::EACCES.into()));
            }
            bail!("process {target} has ended, or is one of the kernel's");
        };
        let place = self.insert(process);
        let wakes = self.processes[place].has_python();
        self.processes[place].python.is_heard = wakes;
        self.attach(target, wakes)?;
        // What was loaded meanwhile, if it is no other program by now.
        if program_path(target) == path {
            self.processes[place].look();
        } else if let Some(mut other) = Process::of(target, times::now(), &self.common) {
            other.python.is_heard = wakes;
            self.processes[place] = other;
        }
        Ok(())
    }

    /// The processes, and those that they have started, as far as these are wanted.
    fn with_children(&self, targets: &[u32]) -> Vec<u32> {
        let mut all = targets.to_vec();
        if !self.children {
            return all;
        }
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let parents: Vec<(u32, u32)> = ids.map(|id| (id, parent_of(id))).collect();
        let mut next = 0;
        while let Some(parent) = all.get(next).copied() {
            let children = parents.iter().filter(|(_, its)| *its == parent).map(|(id, _)| *id);
            let new: Vec<u32> =
                children.filter(|id| !all.contains(id) && *id != std::process::id()).collect();
            all.extend(new);
            next += 1;
        }
        all
    }

    /// Opens the events of all threads of a process, whose samples wake us or not.
    fn attach(&mut self, target: u32, wakes: bool) -> Result<()> {
        let heirs = if self.children { Heirs::Processes } else { Heirs::Threads };
        let mut order = Order { period: self.pace.period, stack: STACK, heirs, wakes };
        let mut known: HashSet<u32> = HashSet::new();
        for _ in 0..LOOKS {
            let new = self.without_events(threads(target).collect(), &mut known);
            if new.is_empty() {
                break;
            }
            for thread in new {
                match self.attach_thread(&mut order, thread) {
                    Err(error) if is(&error, Errno::ESRCH) => {}
                    attached => attached.map_err(|error| explain(target, &error))?,
                }
            }
        }
        if self.rings.is_empty() { bail!("process {target} has ended") } else { Ok(()) }
    }

    /// Processes or threads of these that have no events yet, and notes them as known. What one with events has started has
    /// inherited them, so records are read after the list was made.
    fn without_events(&mut self, there: Vec<u32>, known: &mut HashSet<u32>) -> Vec<u32> {
        known.extend(self.started());
        there.into_iter().filter(|id| known.insert(*id)).collect()
    }

    fn attach_thread(&mut self, order: &mut Order, thread: u32) -> io::Result<()> {
        let number = i32::try_from(thread).map_err(io::Error::other)?;
        if self.rings.is_empty() {
            // Kernels before 5.13 know no threads without children.
            let is_old = |error: &io::Error| is(error, Errno::EINVAL);
            let mut rings = make_rings(order, number);
            if rings.as_ref().is_err_and(is_old) && order.heirs == Heirs::Threads {
                order.heirs = Heirs::Processes;
                rings = make_rings(order, number);
            }
            self.rings = rings?;
            return self.rings.iter().try_for_each(|(_, ring)| ring.event().enable());
        }
        for (processor, ring) in &self.rings {
            let event = Event::open(order, number, *processor)?;
            event.send_to(ring.event())?;
            event.enable()?;
            self.events.push(event);
        }
        Ok(())
    }

    /// The threads that were started since, as far as nobody has taken these records yet.
    fn started(&mut self) -> Vec<u32> {
        let mut started = Vec::new();
        for (_, ring) in &mut self.rings {
            let head = ring.head();
            ring.visit(head, |record| {
                if let Some(Record::Started { id, .. }) = Record::read(record) {
                    started.push(id.thread);
                }
            });
        }
        started
    }

    /// Time for which rings may be left alone: until a quarter of one is full.
    pub(crate) fn pause(&self) -> Duration {
        const LONGEST: Duration = Duration::from_millis(100);
        let mut living = self.processes.iter().filter(|process| process.ended == 0);
        if living.any(|process| process.python.needs_looks()) {
            return UNHEARD;
        }
        let room = self.rings.iter().map(|(_, ring)| ring.room() as u64).min().unwrap_or(RECORD);
        let samples = (room / RECORD / 4).max(1);
        Duration::from_nanos(samples * self.pace.period).min(LONGEST)
    }

    /// Waits between looks.
    pub(crate) fn bells(&self) -> Bells {
        let mut processes = self.processes.iter();
        let are_heard = processes.any(|process| process.python.is_heard);
        let rings = self.rings.iter().map(|(_, ring)| ring);
        Bells::of(rings.filter(|_| are_heard))
    }

    /// Takes all records that there are.
    pub(crate) fn drain(&mut self) {
        self.drained = times::now();
        let mut rings = std::mem::take(&mut self.rings);
        let heads: Vec<u64> = rings.iter().map(|(_, ring)| ring.head()).collect();
        // First what tells what samples mean: it may lie in the ring of another processor.
        let mut news: Vec<(u64, Vec<u8>)> = Vec::new();
        for ((_, ring), head) in rings.iter_mut().zip(&heads) {
            ring.visit(*head, |record| {
                if !Record::is_sample(record) {
                    let time = Record::read(record).map_or(0, |record| record.time());
                    news.push((time, record.to_vec()));
                }
            });
        }
        news.sort_by_cached_key(|(time, _)| *time);
        news.iter().filter_map(|(_, record)| Record::read(record)).for_each(|it| self.take(&it));
        for ((_, ring), head) in rings.iter_mut().zip(&heads) {
            ring.visit(*head, |record| {
                if let Some(Record::Sample(sample)) = Record::read(record) {
                    self.add(&sample);
                }
            });
            ring.release(*head);
        }
        self.rings = rings;
        self.processes.iter_mut().for_each(Process::bury);
        let now = times::now();
        let threads: usize = self.processes.iter().map(Process::living).sum();
        let pause = if threads <= FEW { ACCOUNT_FEW } else { ACCOUNT };
        if now.saturating_sub(self.accounted) >= pause {
            self.accounted = now;
            self.account(false);
        }
    }

    /// Ends sampling, and takes what there is.
    pub(crate) fn stop(&mut self) {
        let events = self.rings.iter().map(|(_, ring)| ring.event()).chain(&self.events);
        // One that has ended needs no end.
        events.for_each(|event| _ = event.disable());
        self.drain();
        self.account(true);
    }

    fn account(&mut self, is_end: bool) {
        let pace = self.pace;
        let living = self.processes.iter_mut().filter(|process| process.ended == 0 || is_end);
        living.for_each(|process| process.account(pace, is_end));
    }

    /// Takes away what is over, processes and programs that they were before, if all samples of it have come.
    pub(crate) fn take_ended(&mut self) -> Vec<Process> {
        /// Nanoseconds in which the kernel has written a record, at the latest.
        const LATE: u64 = 10_000_000;
        let (drained, pace) = (self.drained, self.pace);
        // One of which not all threads were known may be there still.
        let is_over = |process: &Process| {
            let is_settled = process.ended != 0 && process.ended + LATE < drained;
            is_settled && (process.is_replaced || program_path(process.id).is_none())
        };
        if !self.processes.iter().any(is_over) {
            return Vec::new();
        }
        let processes = std::mem::take(&mut self.processes).into_iter();
        let (mut ended, rest): (Vec<_>, Vec<_>) = processes.partition(is_over);
        let places = rest.iter().enumerate().map(|(place, process)| (process.id, place));
        self.by_id = places.collect();
        self.processes = rest;
        ended.iter_mut().for_each(|process| process.account(pace, true));
        ended
    }

    /// True if all processes that were asked for have ended.
    pub(crate) fn is_over(&self) -> bool {
        self.targets.iter().all(|target| {
            let process = self.by_id.get(target).map(|place| &self.processes[*place]);
            process.is_none_or(|process| process.ended != 0)
                || !Path::new(&format!("/proc/{target}")).exists()
        })
    }

    fn insert(&mut self, process: Process) -> usize {
        self.by_id.insert(process.id, self.processes.len());
        self.processes.push(process);
        self.processes.len() - 1
    }

    /// Position of a process, which is made if it is new; `None` of one that is not wanted.
    fn process(&mut self, id: u32, time: u64) -> Option<usize> {
        if let Some(place) = self.by_id.get(&id) {
            return Some(*place);
        }
        if !self.children {
            return None;
        }
        let process = Process::of(id, time, &self.common)?;
        Some(self.insert(process))
    }

    fn add(&mut self, sample: &Sample<'_>) {
        let id = sample.id.process;
        let Some(mut place) = self.process(id, sample.time) else { return };
        if sample.time < self.processes[place].begun {
            // The program that the process ran before.
            let earlier = self.processes[..place].iter().rposition(|process| process.id == id);
            place = earlier.unwrap_or(place);
        }
        self.processes[place].add(sample, self.pace, &mut self.frames);
    }

    /// Takes what is no sample.
    fn take(&mut self, record: &Record<'_>) {
        match *record {
            Record::Sample(_) | Record::Throttled => {}
            Record::Lost(count) => self.lost += count,
            Record::Mapped(mapping) => {
                let Some(place) = self.process(mapping.id.process, mapping.time) else { return };
                self.processes[place].map(&mapping);
            }
            Record::Named { id, name, is_exec, time } => {
                let Some(place) = self.process(id.process, time) else { return };
                if is_exec && time >= self.processes[place].begun {
                    self.replace(place, time);
                }
                if let Some(place) = self.process(id.process, time) {
                    self.processes[place].rename(id.thread, name, time);
                }
            }
            Record::Started { id, parent, time } => {
                let Some(place) = self.process(parent.process, time) else { return };
                if id.process == parent.process {
                    self.processes[place].start_thread(id.thread, parent.thread, time);
                } else if self.children {
                    let mut child = self.processes[place].child(id.process, time);
                    child.thread(id.thread, time);
                    child.rename(id.thread, &self.processes[place].name_of(parent.thread), time);
                    self.insert(child);
                }
            }
            Record::Ended { id, time } => {
                let Some(place) = self.by_id.get(&id.process).copied() else { return };
                self.processes[place].end_thread(id.thread, time);
                if self.processes[place].has_no_thread() {
                    self.processes[place].ended = time;
                }
            }
        }
    }

    /// Goes on with the program that a process has become.
    fn replace(&mut self, place: usize, time: u64) {
        let pace = self.pace;
        let old = &mut self.processes[place];
        old.account(pace, false);
        (old.ended, old.is_replaced) = (time, true);
        let (id, is_heard) = (old.id, old.python.is_heard);
        let process = Process::of(id, time, &self.common);
        let mut process = process.unwrap_or_else(|| Process::begun(id, time, &self.common));
        process.python.is_heard = is_heard;
        self.insert(process);
    }
}

/// The rings of all processors, each with an event of this thread, as large as the system allows.
fn make_rings(order: &Order, thread: i32) -> io::Result<Vec<(u32, Ring)>> {
    let mut result = Err(io::ErrorKind::Unsupported.into());
    for size in RINGS {
        let make = |processor: u32| match Event::open(order, thread, processor) {
            Err(error) if is(&error, Errno::ENODEV) => None,
            Err(error) => Some(Err(error)),
            Ok(event) => Some(Ring::new(event, size).map(|ring| (processor, ring)).map_err(
                // Users may not lock so much memory.
                |error| if is(&error, Errno::EPERM) { Errno::ENOMEM.into() } else { error },
            )),
        };
        result = processors().into_iter().filter_map(make).collect();
        match &result {
            Err(error) if is(error, Errno::ENOMEM) => {}
            _ => break,
        }
    }
    result
}

fn is(error: &io::Error, number: Errno) -> bool {
    error.raw_os_error() == Some(number as i32)
}

/// The numbers of the processors that are switched on.
fn processors() -> Vec<u32> {
    let list = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
    };
    let found: Vec<u32> = list.trim().split(',').filter_map(range).flatten().collect();
    match found.as_slice() {
        [] => (0..std::thread::available_parallelism().map_or(1, usize::from) as u32).collect(),
        _ => found,
    }
}

/// Allows as many descriptors as we may have: each thread needs some.
fn allow_many_descriptors() {
    // Without it, processes with many threads are refused.
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}
