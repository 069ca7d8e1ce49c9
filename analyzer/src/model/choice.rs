//! Choice of samples, by the functions and calls that their stacks hold.

use std::collections::HashSet;
use std::iter::successors;

use gmon_format::FilePc;

use super::document::{Function, Kind, Model};
use super::ids::{FileId, FrameId, FunctionId};
use super::sampled::{add_inclusive, build_id};
use super::timeline::{Timeline, placed};
use crate::analysis::stacks::Node;
use crate::error::Error;
use crate::measurement::Measurement;
use crate::positions::Position;
use crate::program::Program;
use crate::records::{Looks, ModuleId};
use crate::selection::{Matches, Part, Symspec};
use crate::symbols::Sources;

/// Pattern for a stack: one of some functions or, with callees, a call of one by another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackPattern {
    /// The functions; of calls, the callers.
    pub functions: HashSet<FunctionId>,
    /// Functions called directly.
    pub callees: Option<HashSet<FunctionId>>,
}

/// Choice of stacks. Where on a stack something is does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackChoice {
    /// Stacks that hold one of these, if there are any.
    pub only: Vec<StackPattern>,
    /// Leaves out stacks that hold one of these.
    pub without: Vec<StackPattern>,
}

impl StackPattern {
    fn fits(&self, function: FunctionId, mut callers: impl Iterator<Item = FunctionId>) -> bool {
        match &self.callees {
            None => self.functions.contains(&function),
            Some(callees) => {
                callees.contains(&function) && callers.any(|it| self.functions.contains(&it))
            }
        }
    }
}

impl Model {
    /// Keeps the samples of the chosen stacks alone, and the functions on them. Counts and the time in the profiler's hooks
    /// are gone: nobody knows which stack they belong to.
    #[must_use]
    pub fn narrowed(mut self, choice: &StackChoice) -> Self {
        let moments = self.timeline.iter().flat_map(|it| it.at_nodes(&self.stacks)).collect();
        let (stacks, moments) = placed(self.chosen(choice), moments);
        self.stacks = stacks;
        let beside = self.timeline.map(|timeline| timeline.beside()).unwrap_or_default();
        self.timeline = Timeline::new(moments.into_iter(), beside);
        let mut is_used = vec![false; self.frames.len()];
        self.stacks.nodes().iter().for_each(|node| is_used[node.frame.index()] = true);
        let frames: Vec<FrameId> = numbers_of(&is_used);
        self.stacks = self.stacks.renumbered(|frame| frames[frame.index()], |thread| thread);
        retain(&mut self.frames, &is_used);

        let mut is_used = vec![false; self.functions.len()];
        self.frames.iter().for_each(|frame| is_used[frame.function.index()] = true);
        let functions: Vec<FunctionId> = numbers_of(&is_used);
        retain(&mut self.functions, &is_used);
        (0..).map(FunctionId).zip(&mut self.functions).for_each(|(id, it)| it.id = id);
        for frame in &mut self.frames {
            frame.function = functions[frame.function.index()];
        }
        let all: Looks = self.stacks.nodes().iter().map(|node| node.own).sum();
        self.sampling.samples = all.weight;
        self.sampling.signals = self.sampling.signals.map(|_| all.samples);
        (self.arcs, self.lines, self.places, self.copies) = Default::default();
        (self.call_times, self.long_calls) = Default::default();
        add_inclusive(self)
    }

    /// The nodes, with the samples of the stacks that are chosen.
    fn chosen(&self, choice: &StackChoice) -> Vec<Node> {
        let nodes = self.stacks.nodes();
        let function = |node: &Node| self.frames[node.frame.index()].function;
        let holds = |patterns: &[StackPattern]| {
            let mut holds: Vec<bool> = Vec::with_capacity(nodes.len());
            for node in nodes {
                let above = |node: &Node| node.parent.map(|parent| &nodes[parent as usize]);
                // What inlined code calls, the functions call that have the code.
                let callers = || {
                    let is_inlined = |node: &Node| self.frames[node.frame.index()].inlined;
                    let outer = move |node: &&Node| above(node).filter(|_| is_inlined(node));
                    successors(above(node), outer).map(function)
                };
                let fits = patterns.iter().any(|it| it.fits(function(node), callers()));
                holds.push(fits || node.parent.is_some_and(|parent| holds[parent as usize]));
            }
            holds
        };
        let (only, without) = (holds(&choice.only), holds(&choice.without));
        let nodes = nodes.iter().zip(only.iter().zip(&without)).map(|(node, (only, without))| {
            let is_hook = self.functions[function(node).index()].kind == Kind::Hooks;
            let is_chosen = (choice.only.is_empty() || *only) && !without && !is_hook;
            Node { own: if is_chosen { node.own } else { Looks::default() }, ..*node }
        });
        nodes.collect()
    }

    /// The functions that a symspec selects, in whatever module, as the programs that a measurement has read tell. A function
    /// that was only inlined is where it is defined, by the lines of its code.
    ///
    /// # Errors
    /// If one of them is damaged.
    pub fn selected_by(
        &self,
        spec: &Symspec,
        measurement: &Measurement,
    ) -> Result<HashSet<FunctionId>, Error> {
        let no_sources = Sources::default();
        let records = measurement.records().full().modules();
        let mut matches = Vec::new();
        for module in &self.modules {
            let is_it = |id: &ModuleId| {
                String::from_utf8_lossy(&records[id.index()].path) == module.path
                    && build_id(measurement, *id) == module.build_id
            };
            let id = (0..records.len() as u32).map(ModuleId).find(is_it);
            let program = id.and_then(|id| measurement.modules().get(id).program());
            let found = program.map(|program| {
                let sources = if spec.names_source() { program.sources()? } else { &no_sources };
                let symbols = program.symbols();
                let inlined = inlined(spec, program);
                Ok::<_, Error>((symbols, Matches::new([spec], symbols, sources), inlined))
            });
            matches.push(found.transpose()?);
        }
        let is_selected = |function: &Function| {
            if self.is_made(function) {
                return Some(self.is_meant(spec, function));
            }
            let (symbols, matches, inlined) = matches[function.module?.index()].as_ref()?;
            match function.address {
                Some(address) => Some(matches.selects(spec, symbols.find(FilePc(address.0))?)),
                None => Some(inlined.contains(function.name.as_bytes())),
            }
        };
        Ok(self.which(|function| is_selected(function).unwrap_or(false)))
    }

    /// The functions that a symspec selects, as far as the model tells by itself; `None` for a line of a compiled file, since it does
    /// not know all code of those.
    #[must_use]
    pub fn selected(&self, spec: &Symspec) -> Option<HashSet<FunctionId>> {
        if matches!(spec.part, Part::Line(_)) {
            let made = self.which(|it| self.is_made(it) && self.is_meant(spec, it));
            return Some(made).filter(|made| !made.is_empty());
        }
        let is_meant = |id: FunctionId, file: Option<FileId>| {
            self.is_place_of(spec, &self.functions[id.index()], file, None)
        };
        let inlined = self.frames.iter().filter(|it| it.inlined && is_meant(it.function, it.file));
        let inlined: HashSet<FunctionId> = inlined.map(|it| it.function).collect();
        let is_selected = |it: &Function| match it.kind {
            Kind::Code => is_meant(it.id, it.file),
            kind => kind == Kind::Inlined && inlined.contains(&it.id),
        };
        Some(self.which(is_selected))
    }

    /// Returns `true` for a function that was made at run time, in a module without a file.
    #[must_use]
    pub fn is_made(&self, function: &Function) -> bool {
        function.module.is_some_and(|id| self.modules[id.index()].path.starts_with('['))
    }

    /// Returns `true` if a symspec means a function that was made at run time, of whose lines those are known that were seen.
    fn is_meant(&self, spec: &Symspec, function: &Function) -> bool {
        let mut frames = self.frames.iter().filter(|frame| frame.function == function.id);
        self.is_place_of(spec, function, function.file, function.line)
            || frames.any(|it| self.is_place_of(spec, function, it.file, it.line))
    }

    /// Returns `true` if a symspec means a function by a line of a file. Names of functions of Python end with their file.
    fn is_place_of(
        &self,
        spec: &Symspec,
        function: &Function,
        file: Option<FileId>,
        line: Option<u32>,
    ) -> bool {
        let path = self.path(file).unwrap_or_default();
        let base = path.rsplit('/').next().unwrap_or_default();
        let bare = function.name.strip_suffix(')').and_then(|it| it.strip_suffix(base));
        let bare = bare.and_then(|it| it.strip_suffix(" ("));
        let name = bare.filter(|_| self.is_made(function)).unwrap_or(&function.name);
        spec.is_of(path.as_bytes(), line.unwrap_or(0), name.as_bytes())
    }

    fn which(&self, is_meant: impl Fn(&Function) -> bool) -> HashSet<FunctionId> {
        self.functions.iter().filter(|it| is_meant(it)).map(|it| it.id).collect()
    }
}

/// The names of inlined functions that a symspec selects: they are in the file that has the lines of their code.
fn inlined(spec: &Symspec, program: &Program) -> HashSet<Vec<u8>> {
    let (lines, functions) = (program.lines(), program.functions());
    let mut names = HashSet::new();
    for address in program.image().code().iter().flat_map(|code| functions.borders(code)) {
        let mut path = lines.locate(address).map_or(&b""[..], |place| lines.path(place.file));
        for frame in functions.frames(address) {
            let Some(call) = frame.call else { continue };
            if let Some(function) = frame.function {
                let name = function.qualified();
                if spec.is_of(path, function.line, &name) {
                    names.insert(name.into_owned());
                }
            }
            path = call.file;
        }
    }
    names
}

/// New positions of the items of a list of which only some are kept.
fn numbers_of<I: Position>(is_kept: &[bool]) -> Vec<I> {
    let mut next = 0;
    let number = |is_kept: &bool| {
        next += u32::from(*is_kept);
        I::at(next.saturating_sub(1))
    };
    is_kept.iter().map(number).collect()
}

/// Keeps some items of a list.
fn retain<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    list.retain(|_| is_kept.next().is_some_and(|it| *it));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ByName;
    use crate::model::by_name::Run;
    use crate::model::document::{Inclusive, Paths, Sampling};

    const STACKS: [&str; 6] = [
        "main",
        "main cheap",
        "main dear",
        "main cheap work",
        "main dear work",
        "main dear work log",
    ];

    /// A sample of each stack, and a call that was counted.
    fn model() -> Model {
        let sampling = Sampling {
            rate_hz: 1,
            period_ns: 1,
            samples: STACKS.len() as u64,
            paths: Paths::Sampled,
            inclusive: Inclusive::Sampled,
            ..Sampling::none()
        };
        let mut sum = ByName::default();
        sum.begin(&Run::of("/p", sampling)).unwrap();
        let thread = sum.thread("p");
        for stack in STACKS {
            let (above, last) = stack.rsplit_once(' ').unwrap_or(("", stack));
            let parent = above.split_whitespace().fold(None, |parent, name| {
                let function = sum.function("p", name);
                let frame = sum.frame(function, false);
                Some(sum.add_node(parent, thread, frame, Looks::default()))
            });
            let function = sum.function("p", last);
            let own = Looks { weight: 1, samples: 1, ..Looks::default() };
            let frame = sum.frame(function, false);
            sum.add_node(parent, thread, frame, own);
            sum.add_function(function, last, None, 1);
        }
        let [main, cheap] = ["main", "cheap"].map(|name| sum.function("p", name));
        sum.add_calls((Some(main), None), cheap, 7);
        sum.into_model()
    }

    #[test]
    fn stacks_are_chosen_by_what_they_hold_anywhere() {
        let model = model();
        let named = |name: &str| model.which(|it| it.name == name);
        let function = |name| StackPattern { functions: named(name), callees: None };
        let call = |caller, callee| StackPattern {
            functions: named(caller),
            callees: Some(named(callee)),
        };
        for (only, without, expected) in [
            (vec![], vec![], &[0, 1, 2, 3, 4, 5][..]),
            (vec![function("work")], vec![], &[3, 4, 5]),
            (vec![function("dear"), function("work")], vec![], &[2, 3, 4, 5]),
            (vec![], vec![function("dear")], &[0, 1, 3]),
            (vec![function("work")], vec![function("log")], &[3, 4]),
            (vec![call("dear", "work")], vec![], &[4, 5]),
            (vec![call("main", "work")], vec![], &[]),
            (vec![], vec![function("main")], &[]),
        ] {
            let narrowed = model.clone().narrowed(&StackChoice { only, without });
            let mut found = Vec::new();
            let _ = narrowed.stacks.each(|stack| {
                let name = |frame: &FrameId| {
                    let function = narrowed.frames[frame.index()].function;
                    narrowed.functions[function.index()].name.as_str()
                };
                found.push(stack.frames.iter().map(name).collect::<Vec<_>>().join(" "));
                Ok::<_, ()>(())
            });
            found.sort_unstable_by_key(|stack| STACKS.iter().position(|it| it == stack));
            assert_eq!(found, expected.iter().map(|it| STACKS[*it]).collect::<Vec<_>>());
            // Counts are of all stacks, and what is on none is left out.
            assert_eq!(narrowed.calls(), 0);
            assert!(narrowed.functions.iter().all(|it| it.total_ns > 0));
            assert!((0..).map(FunctionId).zip(&narrowed.functions).all(|(id, it)| it.id == id));
        }
    }

    #[test]
    fn a_model_does_not_know_all_code_of_lines() {
        let model = model();
        let spec = |part| Symspec { file: None, part };
        let found = model.selected(&spec(Part::Function(b"work".into())));
        assert_eq!(found.map(|it| it.len()), Some(1));
        assert_eq!(model.selected(&spec(Part::Line(7))), None);
        let file = Symspec { file: Some(b"work.c".into()), part: Part::All };
        assert_eq!(model.selected(&file), Some(HashSet::new()));
    }

    #[test]
    fn functions_of_python_are_known_by_their_files_and_lines() {
        let mut model = model();
        let id = model.which(|it| it.name == "work").into_iter().next().expect("a function");
        let file = FileId(model.files.len() as u32);
        model.files.push("/home/a/pl.py".into());
        let module = model.functions[id.index()].module.expect("a module");
        model.modules[module.index()].path = "[python]".into();
        let function = &mut model.functions[id.index()];
        (function.file, function.line) = (Some(file), Some(3));
        function.name = "K.work (pl.py)".into();
        for frame in model.frames.iter_mut().filter(|it| it.function == id) {
            (frame.file, frame.line) = (Some(file), Some(5));
        }
        let line = |line| Some(Part::Line(line));
        let name = |name: &str| Some(Part::Function(name.as_bytes().to_owned()));
        for (part, is_meant) in [
            (None, true),
            (line(3), true),
            (line(5), true),
            (line(4), false),
            (name("K.work"), true),
            (name("work"), false),
        ] {
            let spec = Symspec { file: Some(b"pl.py".into()), part: part.unwrap_or_default() };
            let found = model.selected(&spec).unwrap_or_default();
            assert_eq!(found.contains(&id), is_meant, "{spec:?}");
        }
    }
}
