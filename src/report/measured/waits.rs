//! Time in the libraries of parallel programs: in calls of MPI, and waiting in OpenMP for other threads.

use std::fmt::{self, Formatter};

use gmon_analyzer::profile::{Context, Function};

use super::Measured;
use crate::text::fitted;

/// A library that has a row of its own for its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Library {
    /// MPI, with all that it calls.
    Mpi,
    /// OpenMP: its threads wait there for each other. What the program does in parallel regions is not its time.
    OpenMp,
}

impl Library {
    /// Returns `true` if a function belongs to it.
    fn has(self, measured: &Measured<'_>, function: &Function) -> bool {
        let module = function.module.map(|id| measured.measurement.modules().get(id).name());
        let is_module = |starts: &[&str]| {
            module.is_some_and(|name| starts.iter().any(|it| name.starts_with(it.as_bytes())))
        };
        match self {
            // In a static program its functions are the program's.
            Self::Mpi => {
                is_module(&["libmpi", "libpmpi"])
                    || ["MPI_", "PMPI_"].iter().any(|it| function.name.starts_with(it.as_bytes()))
            }
            Self::OpenMp => is_module(&["libgomp.", "libomp.", "libiomp5."]),
        }
    }

    /// Returns `true` if time in what it calls is its own, by the module of that.
    fn takes(self, measured: &Measured<'_>, function: &Function) -> bool {
        let module = function.module.map(|id| measured.measurement.modules().get(id).name());
        match self {
            Self::Mpi => true,
            // It calls the C library to sleep, and the program to work.
            Self::OpenMp => {
                module.is_some_and(|name| name.starts_with(b"libc.") || name.starts_with(b"["))
            }
        }
    }
}

impl Measured<'_> {
    /// For each context whether it is in a library.
    pub(super) fn time_in(&self, library: Library) -> Vec<bool> {
        let functions = self.contexts.functions();
        let has: Vec<bool> = functions.iter().map(|it| library.has(self, it)).collect();
        let takes: Vec<bool> = functions.iter().map(|it| library.takes(self, it)).collect();
        let mut inside: Vec<bool> = Vec::with_capacity(self.contexts.contexts().len());
        for Context { function, parent, .. } in self.contexts.contexts() {
            let is_called = parent.is_some_and(|parent| inside[parent as usize]);
            inside.push(has[function.index()] || is_called && takes[function.index()]);
        }
        inside
    }
}

/// Writes the line of a summary about waiting for other threads, if any did.
pub(super) fn write_line(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let contexts = measured.contexts.contexts().iter();
    let inside = contexts.zip(measured.time_in(Library::OpenMp));
    let waiting: u64 = inside.filter(|(_, is)| *is).map(|(context, _)| context.own.weight).sum();
    if waiting == 0 {
        return Ok(());
    }
    let time = |ticks: u64| measured.clock.time(ticks as f64);
    let (waiting, all) = (time(waiting), time(measured.costs.all().weight));
    let line =
        format!("OpenMP: {waiting} of {all} waiting for the other threads of parallel regions");
    writeln!(f, "{}", fitted(&line, "", measured.width))
}
