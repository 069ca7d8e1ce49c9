//! The runs of one side: its functions by what their names have in common in all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::identity::lasting;
use crate::model::{Function, FunctionId, Model, ModuleId};
use crate::records::Times;
use crate::totals::add;

/// Stand-in for the module of the program, which may have a different name on each side.
const PROGRAM: &str = "\0program";

/// The functions and calls of a side.
pub(super) struct Side {
    pub(super) entities: Vec<Entity>,
    /// The position of the entity of each function of each run.
    pub(super) positions: Vec<Vec<u32>>,
    /// Kinds of calls that each run counted: those of the program's own functions, and of those of libraries.
    counted: Vec<[bool; 2]>,
    /// Calls in each run, by caller and callee.
    pub(super) arcs: BTreeMap<(Option<u32>, u32), Vec<u64>>,
    /// The times of calls in each run, of the entities whose calls were timed.
    pub(super) call_times: BTreeMap<u32, Vec<Times>>,
}

/// All functions of one name in one module, or in one file of it if it has several of that name.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    /// The last part of the module's path, or what stands for the program; empty outside of all modules.
    pub(super) module: String,
    /// The linker's name without what changes from build to build.
    pub(super) name: String,
    pub(super) file: Option<String>,
    /// The linker's name in the first run that has it.
    pub(super) linker_name: String,
    pub(super) display: String,
    /// Calls in each run; `None` if the run did not count them.
    pub(super) calls: Vec<Option<u64>>,
    /// Samples in each run.
    pub(super) samples: Vec<u64>,
    /// Samples among them that found it waiting.
    pub(super) waiting: Vec<u64>,
    /// Samples in each run that found it anywhere on the stack.
    pub(super) inclusive: Vec<u64>,
}

impl Entity {
    /// The module for people; empty for the program.
    pub(super) fn module_for_people(&self) -> &str {
        if self.is_of_program() { "" } else { &self.module }
    }

    /// Returns `true` if any run counted its calls.
    pub(super) fn is_counted(&self) -> bool {
        self.calls.iter().any(Option::is_some)
    }

    /// Returns `true` if more than chance shows that only this side has it: calls, which the other counts as well, or
    /// samples, of which one may be all that met a function that both have.
    pub(super) fn is_proven(&self, other: &Side) -> bool {
        let is_called = self.calls.iter().flatten().any(|calls| *calls > 0);
        let is_missed = !other.calls(None, self.is_of_program()).is_empty();
        is_called && is_missed || self.samples.iter().sum::<u64>() > 1
    }

    /// Returns `true` if it is in the program itself, not in a library or outside of all modules.
    pub(super) fn is_of_program(&self) -> bool {
        self.module == PROGRAM
    }
}

impl Side {
    pub(super) fn new(runs: &[Model]) -> Self {
        let files = files_by_name(runs);
        let mut known: HashMap<(String, String, Option<String>), u32> = HashMap::new();
        let mut side = Self {
            entities: Vec::new(),
            positions: Vec::new(),
            counted: vec![[false; 2]; runs.len()],
            arcs: BTreeMap::new(),
            call_times: BTreeMap::new(),
        };
        for (run, model) in runs.iter().enumerate() {
            let mut positions = Vec::with_capacity(model.functions.len());
            for function in &model.functions {
                let (module, name) = key(model, function);
                let several = &files[&(module.clone(), name.clone())];
                // Which of two files a function without one is of nobody knows; so it stays apart.
                let file = match several.len() {
                    0 | 1 => several.first().cloned(),
                    _ => model.path(function.file).map(str::to_owned),
                };
                let entities = &mut side.entities;
                let position = *known
                    .entry((module.clone(), name.clone(), file.clone()))
                    .or_insert_with(|| {
                        entities.push(Entity {
                            module,
                            name,
                            file,
                            linker_name: function.name.clone(),
                            display: function.display.clone(),
                            calls: vec![None; runs.len()],
                            samples: vec![0; runs.len()],
                            waiting: vec![0; runs.len()],
                            inclusive: vec![0; runs.len()],
                        });
                        entities.len() as u32 - 1
                    });
                let entity = &mut side.entities[position as usize];
                entity.samples[run] = entity.samples[run].saturating_add(function.samples);
                let waiting = function.self_waiting_ns / model.sampling.period_ns.max(1);
                entity.waiting[run] = entity.waiting[run].saturating_add(waiting);
                if let Some(calls) = function.calls {
                    side.counted[run][usize::from(!entity.is_of_program())] = true;
                    add(entity.calls[run].get_or_insert(0), calls);
                }
                positions.push(position);
            }
            side.add_arcs(run, runs.len(), model, &positions);
            side.add_inclusive(run, model, &positions);
            for (function, times) in model.times_by_function() {
                let of_runs = side.call_times.entry(positions[function.index()]);
                let of_runs = of_runs.or_insert_with(|| vec![Times::default(); runs.len()]);
                of_runs[run].absorb(&times);
            }
            side.positions.push(positions);
        }
        side
    }

    /// The calls of a function in each run, or of one that this side has not; nothing if a run did not count them. A run
    /// counts those of the program's functions, of libraries', or both: a function of a kind that it counts was not
    /// called, unless it is one of the program that samples met and no hook.
    pub(super) fn calls(&self, entity: Option<&Entity>, is_of_program: bool) -> Vec<u64> {
        let of_run = |(run, counted): (usize, &[bool; 2])| {
            let known = entity.and_then(|it| it.calls[run]);
            let was_met = is_of_program && entity.is_some_and(|it| it.samples[run] > 0);
            known.or((counted[usize::from(!is_of_program)] && !was_met).then_some(0))
        };
        self.counted.iter().enumerate().map(of_run).collect::<Option<_>>().unwrap_or_default()
    }

    fn add_arcs(&mut self, run: usize, runs: usize, model: &Model, positions: &[u32]) {
        let position = |function: FunctionId| positions[function.index()];
        for arc in &model.arcs {
            let Some(calls) = arc.calls else { continue };
            let pair = (arc.caller.map(position), position(arc.callee));
            let sums = self.arcs.entry(pair).or_insert_with(|| vec![0; runs]);
            sums[run] = sums[run].saturating_add(calls);
        }
    }

    /// Adds every sample once to each function on its stack.
    fn add_inclusive(&mut self, run: usize, model: &Model, positions: &[u32]) {
        let mut seen = vec![u32::MAX; self.entities.len()];
        let mut number = 0;
        let Ok(()) = model.stacks.each(|stack| {
            for frame in stack.frames {
                let position = positions[model.frames[frame.index()].function.index()] as usize;
                if seen[position] != number {
                    seen[position] = number;
                    add(&mut self.entities[position].inclusive[run], stack.samples);
                }
            }
            number += 1;
            Ok::<(), std::convert::Infallible>(())
        });
    }
}

/// The files of all functions of one name in one module, over all runs.
fn files_by_name(runs: &[Model]) -> HashMap<(String, String), BTreeSet<String>> {
    let mut files: HashMap<_, BTreeSet<String>> = HashMap::new();
    for model in runs {
        for function in &model.functions {
            let known = files.entry(key(model, function)).or_default();
            known.extend(model.path(function.file).map(str::to_owned));
        }
    }
    files
}

/// The module and name by which a function is known on both sides.
fn key(model: &Model, function: &Function) -> (String, String) {
    let module = match function.module {
        Some(ModuleId(0)) => PROGRAM.to_owned(),
        _ => model.module_name(function).to_owned(),
    };
    (module, lasting(&function.name).into_owned())
}
