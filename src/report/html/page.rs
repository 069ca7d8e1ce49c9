//! The page: what the browser runs, joined with what it shows.

use std::io::{self, Write};

use anyhow::{Context, Result};
use serde::Serialize;

use super::unscripted::escaped;

/// The frame of the page, with `{NAME}` for each part.
const FRAME: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// Parts that pages of a kind have of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The script: first what others use.
    script: &'static [&'static str],
    /// Part that the key t shows in the flame graph.
    part: &'static str,
}

/// A profile.
pub(super) const PROFILE: Kind = Kind {
    script: &[
        include_str!("page/text.js"),
        include_str!("page/names.js"),
        include_str!("page/nodes.js"),
        include_str!("page/profile.js"),
        include_str!("page/stacks.js"),
        include_str!("page/icicle.js"),
        include_str!("page/colours.js"),
        include_str!("page/table.js"),
        include_str!("page/list.js"),
        include_str!("page/parts.js"),
        include_str!("page/frames.js"),
        include_str!("page/sandwich.js"),
        include_str!("page/overview.js"),
        include_str!("page/flame.js"),
        include_str!("page/functions.js"),
        include_str!("page/function.js"),
        include_str!("page/graph.js"),
        include_str!("page/source.js"),
        include_str!("page/cycles.js"),
        include_str!("page/waits.js"),
        include_str!("page/parallel.js"),
        include_str!("page/page.js"),
    ],
    part: "next thread",
};

/// The difference of two sides.
pub(crate) const DIFFERENCE: Kind = Kind {
    script: &[
        include_str!("page/text.js"),
        include_str!("page/names.js"),
        include_str!("page/nodes.js"),
        include_str!("page/difference/difference.js"),
        include_str!("page/stacks.js"),
        include_str!("page/icicle.js"),
        include_str!("page/table.js"),
        include_str!("page/list.js"),
        include_str!("page/parts.js"),
        include_str!("page/difference/frames.js"),
        include_str!("page/sandwich.js"),
        include_str!("page/difference/overview.js"),
        include_str!("page/flame.js"),
        include_str!("page/difference/functions.js"),
        include_str!("page/difference/function.js"),
        include_str!("page/difference/calls.js"),
        include_str!("page/page.js"),
    ],
    part: "other side",
};

/// Heading of a page before anything is looked at, without JavaScript as well.
#[derive(Debug)]
pub(crate) struct Heading<'a> {
    pub(crate) title: &'a str,
    /// Subject of the recording, in a few words.
    pub(crate) facts: &'a str,
    /// HTML for a browser that runs no JavaScript.
    pub(crate) unscripted: String,
}

/// A page.
pub(crate) struct Page {
    kind: Kind,
    title: String,
    facts: String,
    unscripted: String,
    data: String,
}

impl Page {
    /// The page of what the script of `kind` makes of `data`.
    ///
    /// # Errors
    ///
    /// The data cannot be written as JSON.
    pub(crate) fn new(kind: Kind, heading: Heading<'_>, data: &impl Serialize) -> Result<Self> {
        let data = serde_json::to_string(data).context("the data of the page")?;
        Ok(Self {
            kind,
            title: escaped(heading.title),
            facts: escaped(heading.facts),
            unscripted: heading.unscripted,
            // No name can end the element that holds it.
            data: data.replace('<', "\\u003c"),
        })
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Errors of the destination.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rest = FRAME;
        while let Some((before, (name, after))) = next_part(rest) {
            out.write_all(before.as_bytes())?;
            match name {
                "title" => out.write_all(self.title.as_bytes())?,
                "facts" => out.write_all(self.facts.as_bytes())?,
                "part" => out.write_all(self.kind.part.as_bytes())?,
                "unscripted" => out.write_all(self.unscripted.as_bytes())?,
                "data" => out.write_all(self.data.as_bytes())?,
                "style" => write_code(STYLE, out)?,
                "script" => self.kind.script.iter().try_for_each(|part| write_code(part, out))?,
                _ => unreachable!("the frame has no other part"),
            }
            rest = after;
        }
        out.write_all(rest.as_bytes())
    }
}

/// Text before the next `{NAME}`, the name, and the text behind.
fn next_part(frame: &str) -> Option<(&str, (&str, &str))> {
    const NAMES: [&str; 7] = ["title", "facts", "part", "unscripted", "data", "style", "script"];
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
        for kind in [PROFILE, DIFFERENCE] {
            let script: usize = kind.script.iter().map(|part| length(part)).sum();
            let (style, frame) = (length(STYLE), FRAME.len());
            assert!(script <= 64 << 10, "the script has {script} bytes");
            assert!(
                script + style + frame <= 100_000,
                "the page has {script} + {style} + {frame} bytes"
            );
        }
    }
}
