//! The page: what the browser runs, joined with what it shows.

use std::io::{self, Write};

use anyhow::{Context, Result};
use flate2::read::DeflateDecoder;
use serde::Serialize;

use super::unscripted::escaped;

/// A file of the folder `page`, as the build script has compressed it.
macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/page/", $name))
    };
}

/// The frame of the page, with `{NAME}` for each part.
const FRAME: &[u8] = packed!("page.html");
const STYLE: &[u8] = packed!("page.css");

/// Parts that pages of a kind have of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The script: first what others use.
    script: &'static [Part],
    /// Part that the key t shows in the flame graph.
    part: &'static str,
}

/// A view that only some profiles have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Time,
    Waits,
    Parallel,
}

/// A part of a script, and the view that it is for if not all pages have that.
type Part = (Option<View>, &'static [u8]);

const fn all(code: &'static [u8]) -> Part {
    (None, code)
}

const fn has(view: View, code: &'static [u8]) -> Part {
    (Some(view), code)
}

/// A profile.
pub(super) const PROFILE: Kind = Kind {
    script: &[
        all(packed!("text.js")),
        all(packed!("names.js")),
        all(packed!("nodes.js")),
        all(packed!("profile.js")),
        all(packed!("stacks.js")),
        all(packed!("icicle.js")),
        all(packed!("colours.js")),
        all(packed!("table.js")),
        all(packed!("list.js")),
        all(packed!("parts.js")),
        all(packed!("interval.js")),
        all(packed!("frames.js")),
        all(packed!("sandwich.js")),
        all(packed!("overview.js")),
        all(packed!("flame.js")),
        all(packed!("functions.js")),
        all(packed!("function.js")),
        all(packed!("graph.js")),
        all(packed!("source.js")),
        all(packed!("cycles.js")),
        has(View::Waits, packed!("waits.js")),
        has(View::Parallel, packed!("parallel.js")),
        has(View::Time, packed!("time.js")),
        all(packed!("page.js")),
    ],
    part: "next thread",
};

/// The difference of two sides.
pub(crate) const DIFFERENCE: Kind = Kind {
    script: &[
        all(packed!("text.js")),
        all(packed!("names.js")),
        all(packed!("nodes.js")),
        all(packed!("difference/difference.js")),
        all(packed!("stacks.js")),
        all(packed!("icicle.js")),
        all(packed!("table.js")),
        all(packed!("list.js")),
        all(packed!("parts.js")),
        all(packed!("difference/frames.js")),
        all(packed!("sandwich.js")),
        all(packed!("difference/overview.js")),
        all(packed!("flame.js")),
        all(packed!("difference/functions.js")),
        all(packed!("difference/function.js")),
        all(packed!("difference/calls.js")),
        all(packed!("page.js")),
    ],
    part: "other side",
};

impl Kind {
    /// The parts of the script of a page with these views.
    fn script_with(self, views: &[View]) -> impl Iterator<Item = &'static [u8]> {
        let needed = |part: &&Part| part.0.is_none_or(|view| views.contains(&view));
        self.script.iter().filter(needed).map(|(_, code)| *code)
    }
}

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
    views: Vec<View>,
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
            views: Vec::new(),
            title: escaped(heading.title),
            facts: escaped(heading.facts),
            unscripted: heading.unscripted,
            // No name can end the element that holds it.
            data: data.replace('<', "\\u003c"),
        })
    }

    /// The page with views that only some profiles have.
    pub(super) fn with(self, views: Vec<View>) -> Self {
        Self { views, ..self }
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Errors of the destination.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let frame = unpacked(FRAME)?;
        let mut rest = frame.as_str();
        while let Some((before, (name, after))) = next_part(rest) {
            out.write_all(before.as_bytes())?;
            match name {
                "title" => out.write_all(self.title.as_bytes())?,
                "facts" => out.write_all(self.facts.as_bytes())?,
                "part" => out.write_all(self.kind.part.as_bytes())?,
                "unscripted" => out.write_all(self.unscripted.as_bytes())?,
                "data" => out.write_all(self.data.as_bytes())?,
                "style" => write_code(&unpacked(STYLE)?, out)?,
                "script" => self
                    .kind
                    .script_with(&self.views)
                    .try_for_each(|part| write_script(&unpacked(part)?, out))?,
                _ => unreachable!("the frame has no other part"),
            }
            rest = after;
        }
        out.write_all(rest.as_bytes())
    }
}

fn unpacked(part: &[u8]) -> io::Result<String> {
    io::read_to_string(DeflateDecoder::new(part))
}

/// Text before the next `{NAME}`, the name, and the text behind.
fn next_part(frame: &str) -> Option<(&str, (&str, &str))> {
    const NAMES: [&str; 7] = ["title", "facts", "part", "unscripted", "data", "style", "script"];
    let places = NAMES.iter().filter_map(|name| Some((frame.find(&format!("{{{name}}}"))?, *name)));
    let (at, name) = places.min()?;
    Some((&frame[..at], (name, &frame[at + name.len() + 2..])))
}

/// Writes script as [`write_code`] does, and without spaces that only people need.
fn write_script(code: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<String> = code.lines().map(|line| tight(line.trim())).collect();
    write_code(&lines.join("\n"), out)
}

/// A line of script without spaces beside signs, but for those in text. A line that has a pattern, a comment or text within
/// text stays as it is.
fn tight(line: &str) -> String {
    const SIGNS: &str = "=<>+-*?:&|(){}[];,!%/";
    // A division has spaces around it, also where it is in text.
    if line.replace(" / ", "").contains('/') || line.matches('`').count() > 2 {
        return line.to_owned();
    }
    let all: Vec<char> = line.chars().collect();
    // The quote that ends the text, and whether the next character belongs to it in any case.
    let (mut quote, mut is_escaped) = (None, false);
    let mut is_needed = |&(at, character): &(usize, &char)| match (quote, at.checked_sub(1)) {
        (Some(end), _) => {
            if *character == end && !is_escaped {
                quote = None;
            }
            is_escaped = *character == '\\' && !is_escaped;
            true
        }
        (None, Some(before)) if *character == ' ' => match (all[before], all.get(at + 1)) {
            // Two of them would be one sign.
            (sign @ ('+' | '-'), Some(next)) if sign == *next => true,
            (sign, next) => !SIGNS.contains(sign) && next.is_some_and(|it| !SIGNS.contains(*it)),
        },
        _ => {
            quote = Some(*character).filter(|it| matches!(it, '\'' | '"' | '`'));
            true
        }
    };
    all.iter().enumerate().filter(|it| is_needed(it)).map(|(_, character)| *character).collect()
}

/// Writes code without indentation, empty lines, lines of comments, and ends of lines beside brackets and what divides.
/// No text in it goes over lines.
fn write_code(code: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines = code.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut is_open = true;
    for line in lines {
        if !is_open && !line.starts_with(['}', ')', ']']) {
            writeln!(out)?;
        }
        write!(out, "{line}")?;
        is_open = line.ends_with(['{', '(', '[', ',', ';']);
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(packed: &[u8]) -> String {
        unpacked(packed).unwrap()
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_code_keeps_within_its_limits() {
        let style = written(|out| write_code(&part(STYLE), out)).len();
        let frame = part(FRAME).len();
        for kind in [PROFILE, DIFFERENCE] {
            let parts = kind.script_with(&[View::Time, View::Waits, View::Parallel]).map(part);
            let script: usize =
                parts.map(|part| written(|out| write_script(&part, out)).len()).sum();
            assert!(script <= 72 << 10, "the script has {script} bytes");
            assert!(
                script + style + frame <= 100_000,
                "the page has {script} + {style} + {frame} bytes"
            );
        }
    }

    #[test]
    fn spaces_beside_signs_are_left_out_but_in_text() {
        for (line, expected) in [
            ("const a = (b, c) => b + +c;", "const a=(b,c)=>b+ +c;"),
            ("if (a - -b && c) return [d];", "if(a- -b&&c)return[d];"),
            ("let d = a in b ? c : e;", "let d=a in b?c:e;"),
            ("a = 'b , c' + d;", "a='b , c'+d;"),
            (
                "return \"it's (b , c)\" + \"\\\" , \" + d;",
                "return \"it's (b , c)\"+\"\\\" , \"+d;",
            ),
            ("a = `b ${c} , d` + e;", "a=`b ${c} , d`+e;"),
            ("a = `b ${c ? `d , e` : 1}`;", "a = `b ${c ? `d , e` : 1}`;"),
            ("a = b / c + 'd / e';", "a=b/c+'d / e';"),
            ("a = b / c(/ \\d/);", "a = b / c(/ \\d/);"),
            ("a = b; // c / d", "a = b; // c / d"),
        ] {
            assert_eq!(tight(line), expected);
        }
    }

    #[test]
    fn lines_end_where_a_statement_might() {
        let code = "// What for.\nif (a) {\n  b();\n  c\n    .d()\n}\n\nconst e = [\n  1,\n];\nf = 2\ng()\n";
        let expected = "if (a) {b();c\n.d()}\nconst e = [1,];f = 2\ng()\n";
        assert_eq!(written(|out| write_code(code, out)), expected);
    }

    #[test]
    fn a_page_has_the_scripts_of_its_views() {
        let has = |views: &[View], code: &str| {
            PROFILE.script_with(views).map(part).any(|it| it.contains(code))
        };
        assert!(has(&[View::Time], "views.time = ") && !has(&[View::Time], "views.waits = "));
        assert!(has(&[View::Waits], "views.waits = ") && !has(&[View::Waits], "views.time = "));
        assert!(has(&[], "const intervalOf"), "what other views use is there always");
    }
}
