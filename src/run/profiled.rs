//! The programs that were profiled in a run: what each counted in all its processes.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use gmon_analyzer::records::FullRecords;
use gmon_analyzer::sum::{Sum, replace_file, replace_private_file, write_full};
use gmon_analyzer::{Image, records};

use super::destination::Destination;
use super::ledger::Ledger;
use super::processes::{Process, Usage};
use crate::inputs::reading;
use crate::report::{self, full_beside};

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

    /// What its processes used together, as far as they said so.
    pub(crate) fn usage(&self) -> Usage {
        self.processes.iter().filter_map(Process::usage).fold(Usage::default(), Usage::and)
    }

    /// Takes the programs that did next to nothing out of a run's: they counted no calls and took little of the
    /// time, such as the shell of a script. If all did nothing, the busiest one stays.
    pub(crate) fn take_idle(programs: &mut Vec<Self>) -> Vec<Self> {
        /// In nanoseconds.
        const LITTLE: u64 = 20_000_000;
        let all = programs.iter().map(|program| program.usage().cpu).fold(0, u64::saturating_add);
        let is_idle = |program: &Self| {
            let cpu = program.usage().cpu;
            (cpu < LITTLE || cpu < all / 100) && !program.has_counts()
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

    /// Whether its processes counted anything.
    fn has_counts(&self) -> bool {
        let encoding = Image::open(&self.program).map(|image| image.encoding()).ok();
        self.data.iter().any(|file| {
            let records = records::load_raw(&[file], encoding, &mut ());
            // Whoever shows the file says why it cannot be read.
            records.map_or(true, |(it, _)| !it.arcs().is_empty() || !it.blocks().is_empty())
                || report::full_of(file).is_ok_and(|full| has_calls(&full))
        })
    }

    /// Removes a data file that it has under the usual name.
    pub(super) fn remove_usual(&self, destination: &Destination) {
        for file in self.data.iter().filter(|file| destination.is_usual(file)) {
            // It stays at worst, until the next run.
            _ = fs::remove_file(file);
            _ = fs::remove_file(full_beside(file));
        }
    }

    /// Puts its data where they can stay: what lies in the ledger's folder, which is removed, is added up in
    /// a file of the destination, and full profiles in another one beside it.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub(super) fn keep(
        &mut self,
        ledger: &Ledger,
        destination: &Destination,
        is_main: bool,
    ) -> Result<()> {
        if !self.data.iter().any(|file| ledger.removes(file)) {
            return Ok(());
        }
        // Where one of them has written, in the usual way, the others are added.
        let kept = self.data.iter().find(|file| !ledger.removes(file)).cloned();
        let sum = kept.unwrap_or_else(|| destination.sum(&self.program, is_main));
        let adds = matches!(destination, Destination::Sums(_)) && sum.exists();
        if adds {
            self.data.insert(0, sum.clone());
        }
        // We look before we write: a full profile that is older than its data file is of an earlier run.
        let full: Vec<_> =
            self.data.iter().map(|file| (file.clone(), report::full_of(file).ok())).collect();
        let cannot_make = |path: &Path| format!("cannot make {}", path.display());
        let stacks = full_sum(&full).with_context(|| cannot_make(&full_beside(&sum)))?;
        add_up(&self.data, &self.program, &sum).with_context(|| cannot_make(&sum))?;
        let full = full_beside(&sum);
        match stacks {
            Some(stacks) => replace_private_file(&full, |out| write_full(&stacks, out))
                .with_context(|| cannot_make(&full))?,
            // One of an earlier run would seem to belong to this one.
            None if full.exists() => {
                fs::remove_file(&full).with_context(|| full.display().to_string())?;
            }
            None => {}
        }
        for process in &mut self.processes {
            process.file = process.file.take().map(|_| sum.clone());
        }
        self.data = vec![sum];
        Ok(())
    }
}

/// Adds up full profiles, and the counts of data files without one; none if no file has one.
fn full_sum(files: &[(PathBuf, Option<PathBuf>)]) -> Result<Option<FullRecords>> {
    let full: Vec<_> = files.iter().filter_map(|(_, full)| full.as_ref()).collect();
    if full.is_empty() {
        return Ok(None);
    }
    let mut sum = match full.as_slice() {
        // Its threads are those of one process.
        [only] => records::load_full(only)?,
        several => records::merge_full(several, &mut reading())?,
    };
    let counts: Vec<_> =
        files.iter().filter(|(_, full)| full.is_none()).map(|(data, _)| data).collect();
    if !counts.is_empty() {
        let encoding = sum.origin().map(|origin| origin.encoding);
        let (counts, _) = records::load_raw(&counts, encoding, &mut reading())?;
        sum.add_counts(counts.arcs(), counts.blocks());
    }
    Ok(Some(sum))
}

/// Whether a full profile has calls of any module.
fn has_calls(full: &Path) -> bool {
    records::load_full(full).is_ok_and(|records| records.arcs().next().is_some())
}

/// Writes the sum of data files of a program to `sum`, which may be one of them.
fn add_up(data: &[PathBuf], program: &Path, sum: &Path) -> Result<()> {
    if let [file] = data {
        // Byte for byte.
        let bytes = fs::read(file)?;
        replace_file(sum, |out| out.write_all(&bytes))?;
        return Ok(());
    }
    let encoding = Image::open(program).map(|image| image.encoding()).ok();
    let (records, encoding) = records::load_raw(data, encoding, &mut reading())?;
    replace_file(sum, |out| Sum::raw(&records).write_gnu(encoding, out))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_sorted_by_their_programs() {
        let lines = "begin 7 0 0 1 /bin/a\nbegin 8 0 0 7 /bin/b\nbegin 9 0 0 7 /bin/a\n\
                     end 9 5 5 1 0 0 5 /x/a.9\nend 7 5 5 2 0 0 5 /x/a.7\n";
        let programs = Profiled::group(Process::read(lines.as_bytes(), 7));
        let names = |program: &Profiled| program.program.display().to_string();
        assert_eq!(programs.iter().map(names).collect::<Vec<_>>(), ["/bin/a", "/bin/b"]);
        assert_eq!(programs[0].data, [Path::new("/x/a.7"), Path::new("/x/a.9")]);
        assert_eq!((programs[0].usage().cpu, programs[0].usage().samples.inside), (10, 3));
        assert!(programs[1].data.is_empty());
    }
}
