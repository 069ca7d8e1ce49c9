//! The list of the processes of a run, in descending order of their time.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::path::PathBuf;

use anstyle::Style;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};
use gmon_analyzer::{Image, records};

use super::sheet::Sheet;
use crate::processes::Process;
use crate::text::{counted, short};

/// Processes as a table.
pub(crate) struct ProcessList {
    rows: Vec<(Process, Option<u64>)>,
    /// Of all processes, listed or not.
    processes: usize,
    programs: usize,
    cpu: u64,
    without_profile: usize,
    /// Processes whose programs did next to nothing.
    idle: Vec<Process>,
}

impl ProcessList {
    /// Number of processes that are listed.
    const MOST: usize = 20;

    /// Makes a list of processes whose data are still in the files that they name.
    pub(crate) fn new<'a>(processes: impl Iterator<Item = &'a Process>) -> Self {
        let mut processes: Vec<Process> = processes.cloned().collect();
        let cpu = |process: &Process| process.usage().map_or(0, |usage| usage.cpu);
        let mut programs: Vec<_> = processes.iter().map(|process| &process.program).collect();
        programs.sort_unstable();
        programs.dedup();
        let (programs, number) = (programs.len(), processes.len());
        let sum = processes.iter().map(cpu).fold(0, u64::saturating_add);
        let without =
            processes.iter().filter(|it| it.file.is_none() && !it.is_replaced && !it.was_idle());
        let without = without.count();
        processes.sort_by_cached_key(|process| Reverse(cpu(process)));
        processes.truncate(Self::MOST);
        let mut encodings = HashMap::new();
        let mut calls = |process: &Process| {
            let file = process.file.as_ref()?;
            let encoding = *encodings.entry(process.program.clone()).or_insert_with(|| {
                Image::open(&process.program).map(|image| image.encoding()).ok()
            });
            let (records, _) = records::load_raw(&[file], encoding, &mut ()).ok()?;
            let counts = records.arcs().iter().map(|arc| arc.count);
            Some(counts.fold(0, u64::saturating_add))
        };
        let rows = processes.into_iter().map(|process| {
            let calls = calls(&process);
            (process, calls)
        });
        Self {
            rows: rows.collect(),
            processes: number,
            programs,
            cpu: sum,
            without_profile: without,
            idle: Vec::new(),
        }
    }

    /// Says that processes have no summary because they did next to nothing.
    pub(crate) fn idle(&mut self, processes: &[Process]) {
        self.idle.extend_from_slice(processes);
    }

    /// Says that the data of processes have moved to other files.
    pub(crate) fn moved<'a>(&mut self, processes: impl Iterator<Item = &'a Process>) {
        let key = |process: &Process| (process.id, process.program.clone(), process.is_replaced);
        let files: HashMap<_, Option<PathBuf>> =
            processes.map(|process| (key(process), process.file.clone())).collect();
        for (process, _) in &mut self.rows {
            if let Some(file) = files.get(&key(process)) {
                process.file.clone_from(file);
            }
        }
    }

    /// Returns `true` if there is more than one process.
    pub(crate) fn is_long(&self) -> bool {
        self.processes > 1
    }
}

const COLUMNS: &[Column] = &[
    Column::number("pid", Unit::None, 10),
    Column::number("parent", Unit::None, 10),
    Column::number("cpu", Unit::Time, 10).headed("CPU {}"),
    Column::number("calls", Unit::Count, 15),
    Column::text("program", Placing::Last).headed("program, file"),
    Column::text("file", Placing::Joined(", ")),
];

impl ProcessList {
    /// All that it says.
    pub(crate) fn sheet(&self) -> Sheet {
        Sheet::of(|f| self.write(f))
    }

    fn write(&self, f: &mut Sheet) -> fmt::Result {
        let bold = Style::new().bold();
        writeln!(
            f,
            "{bold}{}{bold:#} of {}: {:.2} seconds of CPU time\n",
            counted(self.processes as u64, "process"),
            counted(self.programs as u64, "program"),
            self.cpu as f64 / 1e9
        )?;
        let mut table = Table::new(COLUMNS);
        for (process, calls) in &self.rows {
            let file = process.file.as_deref().map(|file| short(file).to_string_lossy());
            let is_idle = self.idle.contains(process) || process.was_idle();
            let words = match process.is_replaced {
                _ if is_idle => "did next to nothing",
                true => "became another program",
                false => "no profile",
            };
            let file = match file {
                Some(file) if is_idle => Cell::Worded(file.into_owned(), words.to_owned()),
                Some(file) => Cell::text(&file),
                None => Cell::Said(None, words.to_owned()),
            };
            table.rows.push(Row::of(vec![
                Cell::Number(process.id.into()),
                Cell::Number(process.parent.into()),
                Cell::or_dash(process.usage().map(|usage| usage.cpu)),
                Cell::or_dash(*calls),
                Cell::text(&process.name()),
                file,
            ]));
        }
        if let more @ 1.. = self.processes - self.rows.len() {
            table.rows.push(Row::remark(format!("{:48}  ... and {more} more", "")));
        }
        f.table(table);
        match self.without_profile {
            0 => Ok(()),
            number => writeln!(
                f,
                "{} ended without a profile: killed, or still running; see GMON_OPTIONS=live=FILE",
                counted(number as u64, "process")
            ),
        }
    }
}
