//! Profiles that a program can have.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use gmon_analyzer::export::BuildFacts;
use gmon_analyzer::{Program, ProgramOptions};

use super::finding::Findings;
use crate::dormant::{self, Timed};
use crate::run::{Runtime, gains_capabilities, inspect};
use crate::text::counted;

/// The bits by which the system runs a program with other rights, and ignores `LD_PRELOAD` for it.
const SET_ID: u32 = 0o6000;

/// Looks at a program; what was read of it, if it is one.
pub(super) fn examine(path: &Path, findings: &mut Findings) -> Option<Program> {
    findings.begin("program", Some(path.display().to_string()));
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => {
            let error = gmon_analyzer::system_message(&error);
            findings.problem(error, "name the program by its path, such as ./prog");
            return None;
        }
    };
    let runtime = match inspect(path) {
        Ok(runtime) => runtime,
        Err(unfit) => {
            findings
                .problem(unfit.what(), unfit.remedy().unwrap_or("name a program that you can run"));
            return None;
        }
    };
    hooks(path, &runtime, findings);
    times(path, findings);
    if metadata.mode() & SET_ID != 0 || gains_capabilities(path) {
        let text =
            "runs with other rights than yours (set-user-ID, set-group-ID or file capabilities)";
        match runtime {
            Runtime::Linked => {
                findings.note(text, "its profile belongs to that user; run a copy without the bit")
            }
            _ => findings.problem(
                format!("{text}, so no runtime can be preloaded"),
                "link it with gmon cc, or profile a copy without the bit (cp PROGRAM copy)",
            ),
        }
    }
    names(path, findings)
}

/// Tells whether its calls are counted.
fn hooks(path: &Path, runtime: &Runtime, findings: &mut Findings) {
    match runtime {
        Runtime::Linked if dormant::is_dormant(path) => findings.note(
            "was built with --dormant: it counts no calls, and leaves no profile unless GMON_OPTIONS is set",
            dormant::WAKE,
        ),
        Runtime::Linked => findings.ok("has gmon's runtime linked into it: it leaves a profile whenever it runs"),
        Runtime::Wanted { starts: true } => findings.note(
            "has the C library's profiling runtime, which loses calls of threads that meet in a hook",
            "run it with gmon run, which preloads gmon's, or link it again with gmon cc",
        ),
        Runtime::Wanted { starts: false } => findings.problem(
            "was compiled with -pg, but no profiling runtime was linked: by itself it leaves no profile",
            "run it with gmon run, which preloads the runtime, or link it again with gmon cc",
        ),
        // Time can be measured all the same.
        Runtime::Unhooked(lack) => findings.note(
            format!("{}: gmon run shows time, but no calls are counted", lack.what),
            lack.remedy,
        ),
        Runtime::Absent(lack) | Runtime::Other(lack) => findings.problem(lack.what, lack.remedy),
    }
}

/// Tells which functions' calls can be timed.
fn times(path: &Path, findings: &mut Findings) {
    const MOST: usize = 5;
    if dormant::is_instrumented(path) {
        return findings.ok("calls of its functions can be timed (--times)");
    }
    let Some(timed) = Timed::of(path) else { return };
    let Timed { functions, without_exits, processor } = timed;
    let can = functions - without_exits.len().min(functions);
    let Some(exits) = &processor.exits else {
        let title = processor.title;
        return findings.note(
            format!("calls cannot be timed: on {title} exits of functions cannot sleep"),
            "time them in a build by gmon cc --times, or in one for another processor",
        );
    };
    let remedy = format!("compile with {}; or build it with gmon cc --times", exits.compilers);
    if can == 0 {
        return findings.note("calls cannot be timed: no function has an exit that sleeps", remedy);
    }
    findings.ok(format!("calls of {} can be timed (--times)", counted(can as u64, "function")));
    if !without_exits.is_empty() {
        let mut names = without_exits[..without_exits.len().min(MOST)].join(", ");
        if without_exits.len() > MOST {
            names.push_str(", …");
        }
        let count = counted(without_exits.len() as u64, "function");
        findings.note(
            format!("calls of {count} cannot be timed, as no exit of theirs sleeps: {names}"),
            format!("functions that end only by calling others, or never, have none; for the rest, {remedy}"),
        );
    }
}

/// Tells whether functions and lines have names; the program, if its file can be read at all.
fn names(path: &Path, findings: &mut Findings) -> Option<Program> {
    let program = match Program::open(path, &ProgramOptions::standard()) {
        Ok(program) => program,
        Err(error) => {
            let named = ProgramOptions { names_stripped: true, ..ProgramOptions::standard() };
            let stripped = Program::open(path, &named).ok();
            match stripped {
                Some(_) => findings.problem(
                    "has no symbols: it was stripped, so that functions have no names",
                    "link without -s and do not strip it, or install its debug file (package PROGRAM-dbg or -dbgsym)",
                ),
                None => findings.problem(error.to_string(), "build it again"),
            }
            return stripped;
        }
    };
    if program.has_line_numbers() {
        findings.ok("has symbols and line numbers");
    } else {
        findings.note(
            "has symbols, but no debug information: no source lines, and no functions that were inlined",
            "compile with -g, which changes neither the code nor its speed",
        );
    }
    if program.has_line_numbers() {
        for_compilers(&BuildFacts::of(&program), findings);
    }
    match program.image().build_id() {
        Some(_) => findings.ok("has a build id: a profile of another build is recognised"),
        None => findings.note(
            "has no build id: gmon cannot tell whether a profile is of this build",
            "link with -Wl,--build-id",
        ),
    }
    Some(program)
}

/// Tells how much of its profile a compiler can use.
fn for_compilers(facts: &BuildFacts, findings: &mut Findings) {
    let BuildFacts { functions, with_first_line, has_discriminators, namesakes, has_probes } =
        *facts;
    if has_probes {
        findings.ok("has pseudo probes: its profile for clang is by these, whatever its lines are (gmon cc --use-profile)");
        return;
    }
    if with_first_line < functions {
        findings.note(
            format!(
                "does not say of {} of {} on which line they begin: a compiler cannot use their profile",
                functions - with_first_line,
                counted(functions as u64, "function")
            ),
            "compile with -g or, with clang, -fdebug-info-for-profiling; rustc with -Cdebuginfo=1",
        );
    }
    if !has_discriminators {
        findings.note(
            "does not tell parts of a line apart (no discriminators): to a compiler all of a line is hot or none",
            "for a profile that goes back to clang, compile with -g -fdebug-info-for-profiling; cargo gmon pgo does so",
        );
    }
    if namesakes > 0 {
        findings.note(
            format!(
                "has {} that share a name with another: a compiler takes them for one",
                counted(namesakes as u64, "function")
            ),
            "with clang, compile with -funique-internal-linkage-names",
        );
    }
    if with_first_line == functions && has_discriminators && namesakes == 0 {
        findings.ok("has what a compiler needs of its profile (gmon cc --use-profile)");
    }
}
