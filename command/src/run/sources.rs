//! Compiles sources into a program that is ready to be profiled.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::languages::{Kind, Language};
use crate::carried::{self, Port};
use crate::cc::{GNATMAKE_OPTIONS, blocks, ldc, start_files};
use crate::temporary;
use crate::text::joined;

/// What sources are compiled with, before what the command line adds.
const FLAGS: &[&str] = &["-O2", "-g", "-pg"];

/// What sources are compiled with where each block of the program has to be one of its source.
const FLAGS_FOR_BLOCKS: &[&str] = &["-O0", "-pg"];

/// Returns `true` if an argument is a source by its ending.
pub(crate) fn is_source(word: &OsStr) -> bool {
    Language::of(word).is_some()
}

/// What to know about a file that is no program and no source that we compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Advice {
    pub(crate) what: &'static str,
    /// What to do, where the first part does not say it already.
    pub(crate) remedy: Option<&'static str>,
}

impl Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        self.remedy.map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

/// What to do about a file that is no program and no source; `None` if it is not known what it is.
pub(super) fn other_language(path: &Path) -> Option<Advice> {
    type Language = (&'static [&'static str], &'static str, Option<&'static str>);
    const LANGUAGES: &[Language] = &[
        (
            &["rs"],
            "Rust programs are built and run by cargo gmon run, in the folder of their Cargo.toml",
            None,
        ),
        (
            &["s", "S", "o", "a"],
            "link it first, gmon cc gcc FILE -o PROGRAM, then gmon run ./PROGRAM",
            None,
        ),
        (&["h", "hpp", "hh"], "a header is no program", Some("name the sources to compile")),
        (
            &["py"],
            "name the interpreter, gmon run python3 FILE",
            Some("what it starts is profiled"),
        ),
    ];
    let ending = path.extension()?.to_str()?;
    let row = LANGUAGES.iter().find(|(endings, ..)| endings.contains(&ending));
    row.map(|&(_, what, remedy)| Advice { what, remedy })
}

/// Compiles the words up to `--`, sources and whatever else the compiler is to know, to `output`; with
/// hooks for its `blocks`, or without. Returns the words after it, which are the program's.
pub(super) fn compile(
    mut words: Vec<OsString>,
    output: &Path,
    counts_blocks: bool,
) -> Result<Vec<OsString>> {
    let arguments = match words.iter().position(|word| word == "--") {
        Some(at) => words.split_off(at).split_off(1),
        None => Vec::new(),
    };
    let languages = Language::all_of(&words);
    let (language, others) = languages.split_first().context("there is no source to compile")?;
    for other in others {
        if !language.takes.contains(&other.name) {
            bail!(
                "{} and {} do not go together here: compile each with gmon cc, link them with gmon cc, then \
                 gmon run ./PROGRAM",
                language.name,
                other.name
            );
        }
    }
    let compiler = language.call();
    let kind = language.kind_of(&compiler);
    if kind == Kind::Ldc && (counts_blocks || !others.is_empty()) {
        let what = if counts_blocks { "count blocks" } else { "compile C as well" };
        bail!("ldc2 cannot {what}: install gdc");
    }
    let carried = carried::unpack(Port::host())?;
    // What compilers leave beside the program is no use to anybody once it is linked.
    let leavings = temporary::folder()?;
    let mut command = Command::new(&compiler[0]);
    carried.offer_headers(&mut command);
    command.args(&compiler[1..]).args(language.options);
    let has_sanitizer = words.iter().any(|word| word.as_bytes().starts_with(b"-fsanitize="));
    let flags = match counts_blocks {
        true => [&blocks::options(&compiler, has_sanitizer), FLAGS_FOR_BLOCKS].concat(),
        false => FLAGS.to_vec(),
    };
    match kind {
        // It has other hooks than those of -pg.
        Kind::Ldc => _ = command.args(["-O2", "-g"]).arg(joined("-od=", leavings.path())),
        // Given -g, the binder would leave the source that it writes.
        Kind::Make => _ = command.args(["-q", "-cargs"]).args(flags).arg("-margs"),
        Kind::Gcc | Kind::WithModules => _ = command.args(flags),
    }
    let chooses_folder = words.iter().any(|word| word.as_bytes().starts_with(b"-J"));
    match kind {
        Kind::WithModules if !chooses_folder => _ = command.arg("-J").arg(leavings.path()),
        Kind::Make => _ = command.arg("-D").arg(leavings.path()),
        _ => {}
    }
    command.args(start_files::option(&compiler, &words, &carried));
    for word in words {
        // The C++ compiler takes .c for C++.
        let is_c =
            language.compiler == "c++" && Language::of(&word).is_some_and(|it| it.name == "C");
        if is_c {
            command.args(["-x", "c"]);
        }
        command.arg(word);
        if is_c {
            command.args(["-x", "none"]);
        }
    }
    command.args(languages.iter().filter_map(|it| it.library));
    let own = languages.iter().filter(|it| it.compiler != language.compiler);
    command.args(own.filter_map(|it| it.own_library));
    if kind == Kind::Ldc {
        let output = vec![joined("-of=", output)];
        command.args(ldc::complete(output, carried.unloading(), Some(&carried.archive())));
    } else {
        command.arg("-o").arg(output);
        if kind == Kind::Make {
            command.args(GNATMAKE_OPTIONS);
        }
        command.args(carried.unloading()).arg("-Xlinker").arg(carried.archive());
    }

    let program = Path::new(&compiler[0]).display();
    let status = command.status().with_context(|| {
        let other = language.other.map_or(String::new(), |other| format!(" or {other}"));
        let variable = language.variable;
        format!("cannot run the compiler {program} (install it{other}, or set {variable})")
    })?;
    if !status.success() {
        bail!("{program} did not compile the program ({status}); nothing was run");
    }
    Ok(arguments)
}
