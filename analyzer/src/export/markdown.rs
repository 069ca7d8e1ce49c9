//! A table in GitHub's Markdown: for summaries of jobs and comments on changes.

use std::io::{self, Write};

use super::format::{Choice, FileNames, Format, Need, Table, View, Writer};
use super::table::{Cell, columns, functions, rows};
use super::words::{amount, amount_with_unit, counted, grouped, share};
use crate::model::{Inclusive, Model};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    help: "a table of the top functions, for job summaries and reviews",
    files: FileNames::ending(".md"),
    needs: &[Need::Anything],
    choices: &[Choice::Table, Choice::Part],
    writer: Writer::OfModel(write),
};

/// So many rows, unless the user says how many.
const ROWS: usize = 10;

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let sampling = &model.sampling;
    let functions = model.functions.iter().filter(|it| it.calls.is_some() || it.samples > 0);
    writeln!(
        out,
        "**{}**: {} in {}, {} of {}\n",
        markdown_text(model.program_name()),
        amount_with_unit(sampling, sampling.time(sampling.samples)),
        counted(sampling.samples, "sample"),
        counted(model.calls(), "call"),
        counted(functions.count() as u64, "function"),
    )?;
    match view.table {
        Table::Functions => write_functions(model, view, out)?,
        Table::Arcs | Table::Lines => write_rows(model, view, out)?,
    }
    if sampling.inclusive == Inclusive::Apportioned && view.table != Table::Lines {
        writeln!(out, "\ntotal: apportioned by calls, not measured")?;
    }
    Ok(())
}

fn write_functions(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| self | % | total | calls | function |\n|---:|---:|---:|---:|---|")?;
    let sampling = &model.sampling;
    for function in functions(model, view, Some(ROWS)) {
        writeln!(
            out,
            "| {} | {:.1} | {} | {} | {} |",
            amount(sampling, function.self_ns),
            100.0 * share(model, function.self_ns, function.calls),
            amount(sampling, function.total_ns),
            function.calls.map_or_else(String::new, grouped),
            markdown_code(&function.display),
        )?;
    }
    Ok(())
}

/// The columns of other tables as they are, but for nanoseconds.
fn write_rows(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let top = Some(view.top.unwrap_or(ROWS));
    let rows = rows(model, &View { top, ..view.clone() });
    let columns: Vec<_> = columns(view.table).iter().filter(|name| **name != "inclusive").collect();
    let title = |name: &&&str| format!(" {} |", name.strip_suffix("_ns").unwrap_or(name));
    let is_number = |name: &str| {
        matches!(name, "line" | "calls" | "executions" | "samples") || name.ends_with("_ns")
    };
    let rule = |name: &&&str| if is_number(name) { "---:|" } else { "---|" };
    writeln!(out, "|{}", columns.iter().map(title).collect::<String>())?;
    writeln!(out, "|{}", columns.iter().map(rule).collect::<String>())?;
    for row in rows {
        out.write_all(b"|")?;
        for (name, cell) in columns.iter().zip(&row) {
            let text = match cell {
                Cell::Text(text) if text.is_empty() => String::new(),
                Cell::Text(text) => markdown_code(text),
                Cell::Number(time) if name.ends_with("_ns") => amount(&model.sampling, *time),
                Cell::Number(line) if **name == "line" => line.to_string(),
                Cell::Number(number) => grouped(*number),
                Cell::Unknown => String::new(),
            };
            write!(out, " {text} |")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A name as code. A bar would end its cell even there, and a backquote the code.
#[must_use]
pub fn markdown_code(name: &str) -> String {
    let name = name.replace('|', "\\|").replace(char::is_control, " ");
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    match longest {
        0 => format!("`{name}`"),
        ticks => {
            let fence = "`".repeat(ticks + 1);
            format!("{fence} {name} {fence}")
        }
    }
}

/// A name as text.
#[must_use]
pub fn markdown_text(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if c.is_control() => text.push(' '),
            c if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '/' | '-') => {
                text.extend(['\\', c])
            }
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::markdown_code;

    #[test]
    fn names_stay_in_their_cells() {
        for (name, text) in [
            ("main", "`main`"),
            ("operator|(A, B)", "`operator\\|(A, B)`"),
            ("a`b", "`` a`b ``"),
            ("a``b", "``` a``b ```"),
            ("<b>", "`<b>`"),
        ] {
            assert_eq!(markdown_code(name), text);
        }
    }
}
