//! Call stacks with the samples of both sides, for differential flame graphs: `inferno-diff-folded`'s output.

use std::io::{self, Write};

use gmon_analyzer::diff::stack_pairs;
use gmon_analyzer::export::folded_name;

use super::Compared;

/// A line for each stack: its functions, the samples of the base, those of the new side.
pub(super) fn write(compared: &Compared, out: &mut dyn Write) -> io::Result<()> {
    let comparison = &compared.comparison;
    let names: Vec<String> =
        comparison.functions.iter().map(|it| folded_name(&it.display)).collect();
    for pair in stack_pairs(comparison, &compared.base, &compared.new) {
        let frames: Vec<&str> = pair.frames.iter().map(|id| names[*id as usize].as_str()).collect();
        let [base, new] = pair.samples;
        writeln!(out, "{} {base} {new}", frames.join(";"))?;
    }
    Ok(())
}
