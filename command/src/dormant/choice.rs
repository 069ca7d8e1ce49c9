//! Functions that the user means, by patterns of their names.

use std::fs;
use std::ops::Range;

use anyhow::{Context, Result, bail};
use gmon_analyzer::symbols::Demangling;
use gmon_format::{dormant, glob};

use gmon_analyzer::signature::without_parameters;

use super::file::{ProgramFile, has_exit};

/// The patterns of a list. They stand between commas, but for those within parentheses or angle brackets.
pub(crate) fn patterns(list: &str) -> Vec<&str> {
    let mut depth = 0i32;
    let parts = list.split(|character| {
        match character {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            _ => {}
        }
        character == ',' && depth <= 0
    });
    parts.filter(|pattern| !pattern.is_empty()).collect()
}

/// The addresses in the file of a running program at which functions begin that fit patterns and have hooks.
///
/// # Errors
/// If the program has no hooks that sleep, or a pattern fits no function that has one.
pub(crate) fn functions(process: u32, title: &str, patterns: &[&str]) -> Result<Vec<u32>> {
    let functions = chosen(process, title, patterns, Purpose::Counts)?;
    Ok(functions.into_iter().map(|function| function.start).collect())
}

/// The addresses in the file of a running program of functions that fit patterns and whose calls can be timed.
///
/// # Errors
/// If the program's exits do not sleep, or a pattern fits no function whose do.
pub(crate) fn timed(process: u32, title: &str, patterns: &[&str]) -> Result<Vec<Range<u32>>> {
    chosen(process, title, patterns, Purpose::Times)
}

/// The use that functions are wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Counts,
    Times,
}

fn chosen(
    process: u32,
    title: &str,
    patterns: &[&str],
    purpose: Purpose,
) -> Result<Vec<Range<u32>>> {
    let path = format!("/proc/{process}/exe");
    let data = fs::read(&path).with_context(|| path.clone())?;
    let program = ProgramFile::read(&data).with_context(|| path.clone())?;
    let is_timed =
        |program: &ProgramFile<'_>| purpose == Purpose::Times && program.is_instrumented();
    let Some(program) = program.filter(|program| program.is_dormant() || is_timed(program)) else {
        match purpose {
            Purpose::Counts => {
                bail!("{title} was not built with --dormant: it has no hooks that sleep")
            }
            Purpose::Times => bail!(
                "{title} was not built with gmon cc --dormant or --times: its calls cannot be timed"
            ),
        }
    };
    let mut functions = program.functions().with_context(|| path.clone())?;
    if functions.is_empty() {
        bail!("{title} has no symbols by which its functions are known: it was stripped");
    }
    if program.is_dormant() {
        functions.retain(|(_, function)| program.hook(function.start).is_some());
    }
    if purpose == Purpose::Times && program.is_dormant() {
        let processor = program.processor;
        if processor.exits.is_none() {
            bail!("{title} is for {}, where calls cannot be timed", processor.title);
        }
        let exits = program.exit_places();
        functions.retain(|(_, function)| has_exit(&exits, function));
    }
    let is_dormant = program.is_dormant();
    let mut addresses = Vec::new();
    for pattern in patterns {
        let before = addresses.len();
        let chosen = functions.iter().filter(|(name, _)| is_meant(pattern, name));
        addresses.extend(chosen.filter_map(|(_, function)| {
            Some(u32::try_from(function.start).ok()?..u32::try_from(function.end).ok()?)
        }));
        if addresses.len() == before {
            match purpose {
                Purpose::Counts => {
                    bail!("no function of {title} that was compiled with --dormant fits {pattern}")
                }
                Purpose::Times if !is_dormant => bail!("no function of {title} fits {pattern}"),
                Purpose::Times => bail!(
                    "no function of {title} whose exits sleep fits {pattern}; gmon doctor names \
                     those that cannot be timed"
                ),
            }
        }
    }
    addresses.sort_unstable_by_key(|function| (function.start, function.end));
    addresses.dedup_by_key(|function| function.start);
    Ok(addresses)
}

/// Returns `true` if a pattern fits a function, by the linker's name or by the source's, with parameters
/// or without.
fn is_meant(pattern: &str, name: &[u8]) -> bool {
    let readable = Demangling::Auto.demangle(name);
    let readable = String::from_utf8_lossy(&readable);
    let forms = [&*readable, without_parameters(&readable)];
    dormant::fits(pattern.as_bytes(), name) || forms.iter().any(|form| glob::fits(pattern, form))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_between_commas() {
        for (list, expected) in [
            ("parse_*,lex", &["parse_*", "lex"][..]),
            ("f(int, char),g<a,b>::h,", &["f(int, char)", "g<a,b>::h"]),
            ("", &[]),
        ] {
            assert_eq!(patterns(list), expected);
        }
    }

    #[test]
    fn functions_are_meant_by_either_name() {
        for (pattern, name, expected) in [
            ("parse_*", "parse_line", true),
            ("parse_line", "parse_line.part.0", true),
            ("Parser::line", "_ZN6Parser4lineEi", true),
            ("Parser::line(int)", "_ZN6Parser4lineEi", true),
            ("*Parser*", "_ZN6Parser4lineEi", true),
            ("Parser::lin", "_ZN6Parser4lineEi", false),
            ("line", "_ZN6Parser4lineEi", false),
        ] {
            assert_eq!(is_meant(pattern, name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
