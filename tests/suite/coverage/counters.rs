//! Builds examples with counts of ours and of the compiler, runs both, and reads what was counted.

use std::path::Path;

use super::tracefile::{Lines, of_gcov, of_lcov};
use support::{
    command::{output_of, text_of},
    compilers::Compiler,
    example::Example,
    workplace::Workplace,
};

/// Builds an example without optimisation and runs it: with our counts as `ours`.
pub(crate) fn count(place: &Workplace, compiler: &Compiler, example: &Example) {
    let mut cc = place.gmon("cc --blocks");
    cc.arg(compiler.driver(&example.source)).args(compiler.options);
    cc.args(["-O0", "-w"]).args(&example.flags).arg(&example.source);
    text_of(cc.args(["-o", "ours"]));
    // Only the counts are compared.
    let mut ours = compiler.target.run(&place.path("ours"), None);
    let run = output_of(ours.current_dir(place.folder()).env("GMON_OPTIONS", "sampler=none"));
    assert_eq!(run.status.code(), Some(example.status), "{}: {run:?}", example.name);
}

/// Our counts as a tracefile.
pub(crate) fn tracefile(place: &Workplace) -> String {
    text_of(&mut place.gmon("export --format lcov ours gmon.out"))
}

/// The counts of gcov.
pub(crate) fn gcov(place: &Workplace, compiler: &Compiler, example: &Example) -> Lines {
    const FLAGS: [&str; 4] = ["-O0", "-w", "--coverage", "-fprofile-update=atomic"];
    build_theirs(place, compiler, example, &FLAGS);
    let text = text_of(place.command("gcov").arg("-t").args(files(place, ".gcda")));
    of_gcov(&text, &name(&example.source))
}

/// The counts of llvm-cov.
pub(crate) fn llvm_cov(place: &Workplace, compiler: &Compiler, example: &Example) -> Lines {
    const FLAGS: [&str; 5] =
        ["-O0", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic"];
    build_theirs(place, compiler, example, &FLAGS);
    let mut merge = place.command("llvm-profdata");
    text_of(merge.arg("merge").args(files(place, ".profraw")).args(["-o", "merged"]));
    let mut export = place.command("llvm-cov");
    let text = text_of(export.args(["export", "-format=lcov", "theirs", "-instr-profile=merged"]));
    of_lcov(&text, &name(&example.source))
}

fn build_theirs(place: &Workplace, compiler: &Compiler, example: &Example, flags: &[&str]) {
    let mut build = place.command(compiler.driver(&example.source));
    build.args(flags).args(&example.flags).arg(&example.source).args(["-o", "theirs"]);
    text_of(&mut build);
    let run = output_of(&mut place.command(place.path("theirs")));
    assert_eq!(run.status.code(), Some(example.status), "{}: {run:?}", example.name);
}

/// Files in the folder with this ending.
fn files(place: &Workplace, ending: &str) -> impl Iterator<Item = String> {
    place.files().into_iter().filter(move |name| name.ends_with(ending))
}

/// The name of a source without its folder.
pub(crate) fn name(source: &Path) -> String {
    source.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
