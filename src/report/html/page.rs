//! The page: what the browser runs, joined with the data of a profile.

use std::io::{self, Write};

use anyhow::{Context, Result};
use gmon_analyzer::Model;

use super::data::Data;
use super::facts::in_short;
use super::source::{Choice, pieces};
use super::tree::Tree;
use super::unscripted::{escaped, table};

/// The frame of the page, with `{NAME}` for each part.
const FRAME: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// The script: first what others use.
const SCRIPT: &[&str] = &[
    include_str!("page/text.js"),
    include_str!("page/profile.js"),
    include_str!("page/stacks.js"),
    include_str!("page/icicle.js"),
    include_str!("page/table.js"),
    include_str!("page/overview.js"),
    include_str!("page/flame.js"),
    include_str!("page/functions.js"),
    include_str!("page/function.js"),
    include_str!("page/graph.js"),
    include_str!("page/source.js"),
    include_str!("page/cycles.js"),
    include_str!("page/page.js"),
];

/// A page.
pub(super) struct Page {
    title: String,
    facts: String,
    table: String,
    data: String,
}

impl Page {
    /// The page of a profile.
    ///
    /// # Errors
    ///
    /// The data cannot be written as JSON.
    pub(super) fn new(
        model: &Model,
        title: Option<&str>,
        source: Choice,
        warnings: &[String],
    ) -> Result<Self> {
        let tree = Tree::new(model);
        let pieces = pieces(model, source);
        let data = Data::new(model, tree.as_ref(), &pieces, warnings);
        let data = serde_json::to_string(&data).context("the data of the page")?;
        let name = model.program.rsplit('/').next().unwrap_or_default();
        Ok(Self {
            title: escaped(title.unwrap_or(name)),
            facts: escaped(&in_short(model)),
            table: table(model),
            // No name can end the element that holds it.
            data: data.replace('<', "\\u003c"),
        })
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Those of the destination.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rest = FRAME;
        while let Some((before, (name, after))) = next_part(rest) {
            out.write_all(before.as_bytes())?;
            match name {
                "title" => out.write_all(self.title.as_bytes())?,
                "facts" => out.write_all(self.facts.as_bytes())?,
                "unscripted" => out.write_all(self.table.as_bytes())?,
                "data" => out.write_all(self.data.as_bytes())?,
                "style" => write_code(STYLE, out)?,
                "script" => SCRIPT.iter().try_for_each(|part| write_code(part, out))?,
                _ => unreachable!("the frame has no other part"),
            }
            rest = after;
        }
        out.write_all(rest.as_bytes())
    }
}

/// What comes before the next `{NAME}`, the name, and what comes behind.
fn next_part(frame: &str) -> Option<(&str, (&str, &str))> {
    const NAMES: [&str; 6] = ["title", "facts", "unscripted", "data", "style", "script"];
    let places = NAMES.iter().filter_map(|name| Some((frame.find(&format!("{{{name}}}"))?, *name)));
    let (at, name) = places.min()?;
    Some((&frame[..at], (name, &frame[at + name.len() + 2..])))
}

/// Writes code without indentation, empty lines and lines of comments. No text in it goes over lines.
fn write_code(code: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines = code.lines().map(str::trim_start);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_keeps_within_its_limits() {
        let length = |code: &str| {
            let mut out = Vec::new();
            write_code(code, &mut out).unwrap();
            out.len()
        };
        let script: usize = SCRIPT.iter().map(|part| length(part)).sum();
        let (style, frame) = (length(STYLE), FRAME.len());
        assert!(script <= 60 << 10, "the script has {script} bytes");
        assert!(
            script + style + frame <= 100_000,
            "the page has {script} + {style} + {frame} bytes"
        );
    }
}
