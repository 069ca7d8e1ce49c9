//! A model in whatever order its parts are found, and how they are put in the order that files have.

use std::cmp::Ordering;

use super::call_times::CallTimes;
use super::document::{
    Arc, Cycle, Frame, Function, Generator, Line, LineCopy, Model, Module, Place, SCHEMA, Sampling,
    Thread,
};
use super::ids::{FileId, FunctionId, ModuleId};
use super::origin::Origin;
use super::slow::LongCall;
use super::timeline::{Beside, Moment, Timeline, placed};
use crate::analysis::stacks::Node;
use crate::positions::{Distinct, Position};

/// The parts of a model, which refer to each other by their positions. They have no numbers of their own yet.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) modules: Vec<Module>,
    pub(super) files: Files,
    pub(super) functions: Vec<Function>,
    pub(super) arcs: Vec<Arc>,
    pub(super) cycles: Vec<Cycle>,
    pub(super) threads: Vec<Thread>,
    pub(super) frames: Vec<Frame>,
    pub(super) nodes: Vec<Node>,
    pub(super) lines: Vec<Line>,
    pub(super) places: Vec<Place>,
    pub(super) copies: Vec<LineCopy>,
    pub(super) call_times: Vec<CallTimes>,
    pub(super) long_calls: Vec<LongCall>,
    /// Samples with their times, whose stacks are positions of nodes.
    pub(super) moments: Vec<Moment>,
    /// All else that has times.
    pub(super) beside: Beside,
}

/// A list of different paths.
#[derive(Default)]
pub(super) struct Files(Distinct<String>);

impl Files {
    /// The position of a path.
    pub(super) fn position(&mut self, path: &[u8]) -> FileId {
        FileId(self.0.position(&*String::from_utf8_lossy(path)))
    }
}

impl Draft {
    /// Puts everything in order and numbers it. The first module stays the first.
    pub(super) fn ordered(mut self, origin: Origin, sampling: Sampling) -> Model {
        number(&mut self.modules, |it| &mut it.id);
        let (mut modules, module) = sorted(self.modules, |a, b| {
            let key = |it: &Module| (it.id != ModuleId(0), it.path.clone(), it.build_id.clone());
            key(a).cmp(&key(b))
        });
        number(&mut modules, |it| &mut it.id);
        let (files, file) = sorted(self.files.0.into_list(), Ord::cmp);
        let file = |known: Option<FileId>| known.map(|it| file[it.index()]);

        let mut functions = self.functions;
        for function in &mut functions {
            function.module = function.module.map(|it| module[it.index()]);
            function.file = file(function.file);
        }
        let (mut functions, function) = sorted(functions, by_place);
        number(&mut functions, |it| &mut it.id);

        let function = |it: FunctionId| function[it.index()];
        let mut arcs = self.arcs;
        for arc in &mut arcs {
            arc.caller = arc.caller.map(function);
            arc.callee = function(arc.callee);
            arc.file = file(arc.file);
            arc.within = arc.within.map(function);
        }
        arcs.sort_unstable_by_key(|it| {
            (it.caller, it.callee, it.file, it.line, it.within, it.inlined)
        });

        let mut call_times = self.call_times;
        for it in &mut call_times {
            (it.function, it.caller) = (function(it.function), it.caller.map(function));
        }
        call_times.sort_unstable_by_key(|it| (it.function, it.caller, it.thread));

        let mut long_calls = self.long_calls;
        long_calls.iter_mut().for_each(|it| it.function = function(it.function));
        long_calls.sort_unstable_by_key(|it| (it.at_ns, it.thread, it.function));

        let mut cycles = self.cycles;
        for cycle in &mut cycles {
            cycle.functions.iter_mut().for_each(|it| *it = function(*it));
            cycle.functions.sort_unstable();
        }
        cycles.sort_unstable_by(|a, b| a.functions.cmp(&b.functions));
        number(&mut cycles, |it| &mut it.id);
        functions.iter_mut().for_each(|it| it.cycle = None);
        for cycle in &cycles {
            cycle.functions.iter().for_each(|it| functions[it.index()].cycle = Some(cycle.id));
        }

        let mut threads = self.threads;
        number(&mut threads, |it| &mut it.id);
        let mut frames = self.frames;
        for frame in &mut frames {
            (frame.function, frame.file) = (function(frame.function), file(frame.file));
        }
        let (frames, frame) = sorted(frames, Ord::cmp);
        let mut nodes = self.nodes;
        nodes.iter_mut().for_each(|node| node.frame = frame[node.frame.index()]);

        let mut lines = self.lines;
        lines.iter_mut().for_each(|line| line.file = file(Some(line.file)).unwrap_or_default());
        lines.sort_unstable_by_key(|line| (line.file, line.line));
        let mut places = self.places;
        for place in &mut places {
            (place.function, place.file) = (function(place.function), file(place.file));
        }
        places.sort_unstable();
        let mut copies = self.copies;
        for copy in &mut copies {
            copy.file = file(Some(copy.file)).unwrap_or_default();
            copy.call_file = file(copy.call_file);
        }
        copies.sort_unstable();
        let (stacks, moments) = placed(nodes, self.moments);
        let timeline = Timeline::new(moments.into_iter(), self.beside);
        let Origin { program, command, host, pid, parent_pid, start_ns, duration_ns, run } = origin;
        Model {
            schema: SCHEMA.to_owned(),
            is_first_version: false,
            generator: Generator {
                name: "gmon".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            program,
            command,
            host,
            pid,
            parent_pid,
            start_ns,
            duration_ns,
            run,
            sampling,
            modules,
            files,
            functions,
            arcs,
            cycles,
            threads,
            ranks: Vec::new(),
            regions: Vec::new(),
            frames,
            stacks,
            lines,
            places,
            copies,
            timeline,
            call_times,
            long_calls,
        }
    }
}

/// Functions by module, those outside of all last; in each by address, those without one last.
fn by_place(a: &Function, b: &Function) -> Ordering {
    let key =
        |it: &Function| (it.module.is_none(), it.module, it.address.is_none(), it.address, it.kind);
    key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
}

/// A list in order, and the new position of each of its items.
fn sorted<T, I: Position>(list: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> (Vec<T>, Vec<I>) {
    let mut items: Vec<(usize, T)> = list.into_iter().enumerate().collect();
    items.sort_unstable_by(|(a_at, a), (b_at, b)| compare(a, b).then(a_at.cmp(b_at)));
    let mut places = vec![I::at(0); items.len()];
    for (new, (old, _)) in (0..).zip(&items) {
        places[*old] = I::at(new);
    }
    (items.into_iter().map(|(_, item)| item).collect(), places)
}

fn number<T, I: Position>(list: &mut [T], id: impl Fn(&mut T) -> &mut I) {
    for (number, item) in (0..).zip(list) {
        *id(item) = I::at(number);
    }
}
