//! The programs in `examples/c` and `tests/suite/programs`, and what each says about itself in comments of the form
//! `/*# DIRECTIVE … */`.
//!
//! | directive | meaning |
//! |---|---|
//! | `arc CALLER -> CALLEE N[/TOTAL]` | so many calls, of so many to the callee from everywhere; CALLER `<outside>` is whatever is not part of the program |
//! | `fanout CALLER -> PREFIX* M x N` | M functions whose names begin so, N calls to each |
//! | `calls FUNCTION N` | calls in all, recursive ones included |
//! | `cycle FUNCTION… N+M` | these functions form a cycle: calls from outside and within |
//! | `status N` | the exit status (0 otherwise) |
//! | `flags FLAG…` | for compiler and linker |
//! | `only NAME: REASON` | needs this compiler or this processor family |
//! | `not NAME: REASON` | not in this link mode, or not for this processor |
//!
//! The count `?` stands for what the program prints in a line `CALLER -> CALLEE N`.

use std::{fs, path::PathBuf};

use super::{
    compilers::Compiler,
    expectation::{Caller, Count, Expectation},
    modes::Mode,
    root,
};

/// One example and its directives.
pub struct Example {
    /// The file name without its suffix.
    pub name: String,
    /// The source file.
    pub source: PathBuf,
    /// What the profile must show.
    pub expectations: Vec<Expectation>,
    /// The exit status of the program.
    pub status: i32,
    /// Options for compiler and linker.
    pub flags: Vec<String>,
    only: Vec<String>,
    not: Vec<String>,
}

impl Example {
    /// All examples in C and C++, in the order of their names.
    ///
    /// # Panics
    ///
    /// If one cannot be read, has a directive that is not understood, or expects nothing.
    pub fn all() -> Vec<Self> {
        let folder = root().join("examples/c");
        let mut sources: Vec<PathBuf> = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|suffix| suffix == "c" || suffix == "cc"))
            .collect();
        sources.sort();
        sources.into_iter().map(Self::read).collect()
    }

    /// The example in one file.
    ///
    /// # Panics
    ///
    /// As [`all`](Self::all).
    pub fn read(source: PathBuf) -> Self {
        let text = fs::read_to_string(&source)
            .unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        let mut example = Self {
            name: source.file_stem().expect("a file name").to_string_lossy().into_owned(),
            source,
            expectations: Vec::new(),
            status: 0,
            flags: Vec::new(),
            only: Vec::new(),
            not: Vec::new(),
        };
        for directive in text.split("/*#").skip(1) {
            let directive = directive.split("*/").next().unwrap_or_default().trim();
            if example.add(directive).is_none() {
                panic!("{}: unknown directive: {directive}", example.source.display());
            }
        }
        assert!(!example.expectations.is_empty(), "{} expects nothing", example.source.display());
        example
    }

    fn add(&mut self, directive: &str) -> Option<()> {
        let (word, rest) = directive.split_once(' ')?;
        match word {
            "arc" | "fanout" | "calls" | "cycle" => {
                self.expectations.push(parse_expectation(word, rest)?);
            }
            "status" => self.status = rest.parse().ok()?,
            "flags" => self.flags.extend(rest.split(' ').map(str::to_owned)),
            "only" => self.only.push(rest.split_once(": ")?.0.to_owned()),
            "not" => self.not.push(rest.split_once(": ")?.0.to_owned()),
            _ => return None,
        }
        Some(())
    }

    /// Whether the example can be built by `compiler`.
    pub fn suits(&self, compiler: &Compiler) -> bool {
        let machine = compiler.target.architecture;
        self.only.iter().all(|name| name == compiler.name || name == machine)
            && self.not.iter().all(|name| name != machine)
    }

    /// Whether the example makes sense in `mode`.
    pub fn suits_mode(&self, mode: &Mode) -> bool {
        self.not.iter().all(|name| name != mode.name)
    }
}

fn parse_expectation(word: &str, rest: &str) -> Option<Expectation> {
    if word == "fanout" {
        let (caller, rest) = rest.split_once(" -> ")?;
        let (prefix, numbers) = rest.split_once("* ")?;
        let (callees, count) = numbers.split_once(" x ")?;
        let count = parse_count(count, &format!("{caller} -> {prefix}*"))?;
        let (caller, prefix) = (caller.to_owned(), prefix.to_owned());
        return Some(Expectation::Fanout { caller, prefix, callees: callees.parse().ok()?, count });
    }
    let (subject, count) = rest.rsplit_once(' ')?;
    Some(match word {
        "arc" => {
            let (caller, callee) = subject.split_once(" -> ")?;
            let caller = match caller {
                "<outside>" => Caller::Outside,
                name => Caller::Function(name.to_owned()),
            };
            let (count, total) = match count.split_once('/') {
                Some((count, total)) => (count, Some(total.parse().ok()?)),
                None => (count, None),
            };
            let count = parse_count(count, subject)?;
            Expectation::Arc { caller, callee: callee.to_owned(), count, total }
        }
        "calls" => {
            Expectation::Calls { function: subject.to_owned(), count: parse_count(count, subject)? }
        }
        "cycle" => {
            let (outside, within) = count.split_once('+')?;
            let members = subject.split(' ').map(str::to_owned).collect();
            let (outside, within) = (outside.parse().ok()?, within.parse().ok()?);
            Expectation::Cycle { members, outside, within }
        }
        _ => return None,
    })
}

fn parse_count(count: &str, subject: &str) -> Option<Count> {
    match count {
        "?" => Some(Count::Printed(subject.to_owned())),
        number => number.parse().ok().map(Count::Exactly),
    }
}
