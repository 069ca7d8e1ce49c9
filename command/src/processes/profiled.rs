//! The programs that were profiled in a run: what each counted in all its processes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gmon_analyzer::{Image, records};

use super::process::{Process, Usage};
use crate::open;

/// A program, its processes and its data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profiled {
    /// Its file.
    pub(crate) program: PathBuf,
    /// The processes that ran it.
    pub(crate) processes: Vec<Process>,
    /// The data files of all of them.
    pub(crate) data: Vec<PathBuf>,
}

impl Profiled {
    /// Sorts processes by their programs, the first program first.
    pub(crate) fn group(processes: Vec<Process>) -> Vec<Self> {
        let mut programs: Vec<Self> = Vec::new();
        let mut places = HashMap::new();
        for process in processes {
            let next = programs.len();
            let place = *places.entry(process.program.clone()).or_insert(next);
            if place == next {
                programs.push(Self { program: process.program.clone(), ..Self::default() });
            }
            let Some(program) = programs.get_mut(place) else { continue };
            program.data.extend(process.file.clone());
            program.processes.push(process);
        }
        programs
    }

    /// Usage of its processes together, as far as they said so.
    pub(crate) fn usage(&self) -> Usage {
        self.processes.iter().filter_map(Process::usage).fold(Usage::default(), Usage::and)
    }

    /// Takes the programs that did next to nothing out of a run's: they counted no calls, were not seen to wait and took
    /// little of the time, such as the shell of a script. If all did nothing, the busiest one stays.
    pub(crate) fn take_idle(programs: &mut Vec<Self>) -> Vec<Self> {
        /// In nanoseconds.
        const LITTLE: u64 = 20_000_000;
        let all = programs.iter().map(|program| program.usage().cpu).fold(0, u64::saturating_add);
        let is_idle = |program: &Self| {
            let cpu = program.usage().cpu;
            (cpu < LITTLE || cpu < all / 100) && !program.has_more()
        };
        let (mut idle, mut busy): (Vec<_>, Vec<_>) = programs.drain(..).partition(is_idle);
        if busy.is_empty() {
            let cpu = |place: &usize| idle[*place].usage().cpu;
            let busiest = (0..idle.len()).rev().max_by_key(cpu);
            busy.extend(busiest.map(|place| idle.remove(place)));
        }
        *programs = busy;
        idle
    }

    /// Returns `true` if its data have more than the processes' CPU time: calls, or samples of what waits.
    fn has_more(&self) -> bool {
        let encoding = Image::open(&self.program).map(|image| image.encoding()).ok();
        self.data.iter().any(|file| {
            let records = records::load_raw(&[file], encoding, &mut ());
            // Whoever shows the file says why it cannot be read.
            records.map_or(true, |(it, _)| !it.arcs().is_empty() || !it.blocks().is_empty())
                || open::full_of(file).is_some_and(|full| has_calls_or_waits(&full))
        })
    }
}

/// Tells if a full profile has calls of any module, or samples of what waits.
fn has_calls_or_waits(full: &Path) -> bool {
    records::load_full(full).is_ok_and(|it| it.arcs().next().is_some() || it.has_waits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_sorted_by_their_programs() {
        let lines = "begin 7 0 0 1 0 /bin/a\nbegin 8 0 0 7 0 /bin/b\nbegin 9 0 0 7 0 /bin/a\n\
                     end 9 5 5 1 0 0 5 /x/a.9\nend 7 5 5 2 0 0 5 /x/a.7\n";
        let programs = Profiled::group(Process::read(lines.as_bytes(), 7));
        let names = |program: &Profiled| program.program.display().to_string();
        assert_eq!(programs.iter().map(names).collect::<Vec<_>>(), ["/bin/a", "/bin/b"]);
        assert_eq!(programs[0].data, [Path::new("/x/a.7"), Path::new("/x/a.9")]);
        assert_eq!((programs[0].usage().cpu, programs[0].usage().samples.inside), (10, 3));
        assert!(programs[1].data.is_empty());
    }
}
