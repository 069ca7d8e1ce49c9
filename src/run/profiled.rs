//! The programs that were profiled in a run: what each counted in all its processes.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use gmon_analyzer::sum::{Sum, replace_file};
use gmon_analyzer::{Image, records};

use super::destination::Destination;
use super::ledger::Ledger;
use super::processes::{Process, Usage};

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

    /// Puts its data where they can stay: what lies in the ledger's folder, which is removed, is added up in
    /// a file of the destination.
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
        add_up(&self.data, &self.program, &sum)
            .with_context(|| format!("cannot make {}", sum.display()))?;
        for process in &mut self.processes {
            process.file = process.file.take().map(|_| sum.clone());
        }
        self.data = vec![sum];
        Ok(())
    }
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
    let (records, encoding) = records::load_raw(data, encoding, &mut ())?;
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
