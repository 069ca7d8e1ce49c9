//! Puts the profiles of a run where they can stay.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use gmon_analyzer::sum::{Sum, replace_file, replace_private_file, write_full};
use gmon_analyzer::{Image, records};

use super::destination::Destination;
use super::folder::is_shared;
use super::ledger::Ledger;
use crate::made::name_code;
use crate::merge::full_sum;
use crate::open::{full_beside, full_of, reading};
use crate::processes::{Files, Process, Profiled};
use crate::report::ProcessList;
use crate::say;

/// Puts the profiles of processes where they can stay, program by program, the busiest first; those that did next to nothing
/// are only listed, if `takes_idle`. The main program is the one of which `is_first` is true.
///
/// # Errors
///
/// The folder of the destination cannot be written.
pub(super) fn keep_all(
    mut processes: Vec<Process>,
    ledger: &mut Ledger,
    destination: &Destination,
    takes_idle: bool,
    is_first: impl Fn(&Process) -> bool,
) -> Result<(ProcessList, Vec<Profiled>)> {
    // Files are found by the number.
    let here = processes.iter().filter(|process| process.has_our_number());
    for full in here.filter_map(|it| full_of(it.file.as_deref()?)) {
        if let Err(error) = name_code(&full) {
            say(&error.context("code that was made at run time has no names"));
        }
    }
    if let Destination::Folder(folder) = destination {
        let handed_over = ledger.hand_over(folder, &mut processes);
        handed_over.map_err(|error| stay(error, ledger))?;
    }
    let mut list = ProcessList::new(processes.iter());
    let mut programs = Profiled::group(processes);
    programs.retain(|program| !program.data.is_empty());
    if programs.is_empty() {
        return Ok((list, programs));
    }
    let idle = if takes_idle { Profiled::take_idle(&mut programs) } else { Vec::new() };
    for program in &idle {
        list.idle(&program.processes);
        program.remove_usual(destination);
    }
    let is_only = programs.len() == 1;
    let is_main = |it: &Profiled| is_only || it.processes.iter().any(&is_first);
    // It gets the file that the user named.
    programs.sort_by_cached_key(|program| !is_main(program));
    let mut files = Files::default();
    for program in &programs {
        program.data.iter().for_each(|file| files.claim(file, &program.program));
    }
    for program in &mut programs {
        let is_main = is_main(program);
        if let Err(error) = program.keep(ledger, destination, is_main, &mut files) {
            say(&stay(error, ledger));
        }
    }
    list.moved(programs.iter().flat_map(|program| &program.processes));
    // As they are in the list.
    programs.sort_by_cached_key(|program| Reverse(program.usage().cpu));
    Ok((list, programs))
}

/// An error for which the profiles of a run stay where they are.
fn stay(error: Error, ledger: &mut Ledger) -> Error {
    error.context(format!("the profiles stay in {}", ledger.keep().display()))
}

impl Profiled {
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
        files: &mut Files,
    ) -> Result<()> {
        if !self.data.iter().any(|file| ledger.removes(file)) {
            return Ok(());
        }
        if let Some(device) = destination.device() {
            // Nothing can be read again there, so what is shown stays where it is until the end of the run.
            let cannot = || format!("cannot write {}", device.display());
            return add_up(&self.data, &self.program, device).with_context(cannot);
        }
        // Where one of them has written, in the usual way, the others are added.
        let ids = self.processes.iter().map(|process| process.id);
        let places = |file: &&PathBuf| !is_shared() || destination.is_own(file, ids.clone());
        let kept = self.data.iter().filter(|file| !ledger.removes(file)).find(places).cloned();
        let named = |number| destination.sum(&self.program, is_main, number);
        let sum = kept.unwrap_or_else(|| files.give(&self.program, named));
        let adds = matches!(destination, Destination::Sums(_)) && sum.exists();
        if adds {
            self.data.insert(0, sum.clone());
        }
        // We look before we write: a full profile that is older than its data file is of an earlier run.
        let full: Vec<PathBuf> = self.data.iter().filter_map(|file| full_of(file)).collect();
        let counts = self.data.iter().filter(|file| full_of(file).is_none()).cloned();
        let counts: Vec<PathBuf> = counts.collect();
        let cannot_make = |path: &Path| format!("cannot make {}", path.display());
        let stacks =
            (!full.is_empty()).then(|| full_sum(&full, &counts, &mut reading())).transpose();
        let stacks = stacks.with_context(|| cannot_make(&full_beside(&sum)))?;
        add_up(&self.data, &self.program, &sum).with_context(|| cannot_make(&sum))?;
        let full = full_beside(&sum);
        // Without, the full profile of an earlier run stays. Who opens the data says so.
        if let Some(stacks) = stacks {
            replace_private_file(&full, |out| write_full(&stacks, out))
                .with_context(|| cannot_make(&full))?;
        }
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
        // Byte for byte; nobody shall get a copy of something else.
        records::load_raw(data, None, &mut ())?;
        let bytes = fs::read(file)?;
        replace_file(sum, |out| out.write_all(&bytes))?;
        return Ok(());
    }
    let encoding = Image::open(program).map(|image| image.encoding()).ok();
    let (records, encoding) = records::load_raw(data, encoding, &mut reading())?;
    replace_file(sum, |out| Sum::raw(&records).write_gnu(encoding, out))?;
    Ok(())
}
