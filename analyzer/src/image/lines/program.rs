//! Runs the line programs of units of compilation.

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::Range;

use gimli::{LineInstruction, LineRow, UnitType};
use gmon_format::FilePc;

use super::Dialect;
use super::chosen::ChosenUnits;
use super::paths::UnitPaths;
use super::strings::Strings;
use super::table::{CodeRow, Location};
use crate::image::debug::{Dwarf, Unit};

/// Rows for code that lies together.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The addresses of the code.
    pub(super) code: Range<FilePc>,
    /// Positions of its rows among all.
    pub(super) rows: Range<usize>,
}

/// Output of line programs.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Rows; those of a sequence lie together, in address order.
    pub(super) rows: Vec<CodeRow>,
    pub(super) sequences: Vec<Sequence>,
    pub(super) paths: Strings,
    /// Addresses from which on code has another discriminator, those of a sequence together.
    pub(super) discriminators: Vec<(FilePc, u32)>,
}

impl Output {
    /// Runs the programs of chosen units. What is damaged ends early.
    pub(super) fn of_units(dwarf: &Dwarf<'_>, chosen: ChosenUnits<'_>, dialect: Dialect) -> Self {
        let mut output = Self::default();
        let mut headers = dwarf.units();
        let mut done = HashSet::new();
        while let Ok(Some(header)) = headers.next() {
            // Units of types refer to the program of another, and do not say in which folder that was compiled.
            let is_of_types = matches!(header.type_(), UnitType::Type { .. });
            if is_of_types || !chosen.may_have(&header) {
                continue;
            }
            let Ok(unit) = dwarf.unit(header) else { continue };
            if !chosen.has(dwarf, &unit) {
                continue;
            }
            let Some(program) = &unit.line_program else { continue };
            // Some units have parts that refer to the same program.
            if done.insert(program.header().offset().0) {
                output.run(dwarf, &unit, dialect);
            }
        }
        output
    }

    /// Runs the program of one unit.
    ///
    /// Its instructions are executed one by one because GNU gprof takes another file for the first
    /// one, which is in force up to an instruction that sets the file.
    fn run(&mut self, dwarf: &Dwarf<'_>, unit: &Unit<'_>, dialect: Dialect) {
        let Some(mut program) = unit.line_program.clone() else { return };
        let header = program.header().clone();
        let first_file = if header.version() >= 5 && dialect == Dialect::Gnu { 0 } else { 1 };
        let mut paths = UnitPaths::new(dwarf, unit, &header);
        let mut instructions = header.instructions();
        let mut row = LineRow::new(&header);
        let mut file = first_file;
        let mut is_dropped = false;
        let mut start = self.rows.len();
        let mut discriminator = 0;
        while let Ok(Some(instruction)) = instructions.next_instruction(&header) {
            let address = match instruction {
                LineInstruction::SetAddress(address) => Some(address),
                _ => None,
            };
            if let LineInstruction::SetFile(number) = instruction {
                file = number;
            }
            let Ok(is_row) = row.execute(instruction, &mut program) else { break };
            // An address that stands for code that the linker dropped is not taken over.
            is_dropped = address.map_or(is_dropped, |address| row.address() != address);
            if !is_row {
                continue;
            }
            let next = if row.end_sequence() { 0 } else { row.discriminator() as u32 };
            if next != discriminator && !is_dropped {
                self.discriminators.push((FilePc(row.address()), next));
                discriminator = next;
            }
            if row.end_sequence() {
                self.end_sequence(start, FilePc(row.address()));
                (start, file, is_dropped) = (self.rows.len(), first_file, false);
            } else if !is_dropped {
                let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
                let location = line
                    .and_then(NonZero::new)
                    .map(|line| Location { file: paths.id(file, &mut self.paths), line });
                self.add(CodeRow { address: FilePc(row.address()), location }, start);
            }
            row.reset(&header);
        }
        // A sequence without an end does not say where its last row ends.
        self.rows.truncate(start);
    }

    /// Adds a row to the sequence that starts at `start`; of equal addresses the last row is true.
    fn add(&mut self, row: CodeRow, start: usize) {
        match self.rows[start..].last_mut() {
            Some(last) if last.address == row.address => *last = row,
            Some(last) if last.address < row.address && last.location == row.location => {}
            _ => self.rows.push(row),
        }
    }

    fn end_sequence(&mut self, start: usize, end: FilePc) {
        let rows = &mut self.rows[start..];
        if !rows.is_sorted_by_key(|row| row.address) {
            rows.sort_by_key(|row| row.address);
        }
        match rows.first() {
            Some(first) if first.address < end => {
                let code = first.address..end;
                self.sequences.push(Sequence { code, rows: start..self.rows.len() });
            }
            _ => self.rows.truncate(start),
        }
    }
}
