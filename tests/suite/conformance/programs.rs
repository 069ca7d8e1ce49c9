//! Programs of many functions, each built with our runtime once and run under a workload.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tempfile::TempDir;

use super::comparison::Subject;
use support::{
    command::{gmon, quiet, static_library, text_of},
    compilers::GCC,
    sources, tools,
};

/// The workload of SQLite; its argument is a number of rows. Other programs stand for it on a desk.
pub(crate) fn sqlite() -> Option<&'static Path> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    if is_without_sqlite() {
        return None;
    }
    Some(PROGRAM.get_or_init(|| {
        let folder = sources::folder_of("libsqlite3-sys").join("sqlite3");
        build_c("sqlite", "sqlite", &["-O2"], &folder, &[folder.join("sqlite3.c")])
    }))
}

fn is_without_sqlite() -> bool {
    tools::is_left_to_ci("compiling SQLite takes long")
}

/// The workload of SQLite without optimisation, and with a part of SQLite's source replaced.
pub(crate) fn sqlite_with(part: &str, other: &str) -> Option<(PathBuf, PathBuf)> {
    if is_without_sqlite() {
        return None;
    }
    let original = sources::folder_of("libsqlite3-sys").join("sqlite3");
    let text = fs::read_to_string(original.join("sqlite3.c")).expect("the source of SQLite");
    assert_eq!(text.matches(part).count(), 1, "{part}");
    let changed = tempfile::tempdir().expect("a temporary folder");
    let source = changed.path().join("sqlite3.c");
    fs::write(&source, text.replace(part, other)).expect("a source");
    let build = |name, source| build_c(name, "sqlite", &["-O0"], &original, &[source]);
    Some((build("sqlite-before", original.join("sqlite3.c")), build("sqlite-after", source)))
}

/// A Lua interpreter with a script.
pub(crate) fn lua() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| lua_by("lua", &["-O2"])).clone()
}

/// Lua as the compiler makes it with these flags.
pub(crate) fn lua_by(name: &str, flags: &[&str]) -> PathBuf {
    let folder = sources::folder_of("lua-src").join("lua-5.4.9");
    let entries = fs::read_dir(&folder).expect("the sources of Lua");
    let mut sources: Vec<_> = entries.map(|entry| entry.expect("a source").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|suffix| suffix == "c"));
    sources.sort();
    build_c(name, "lua", flags, &folder, &sources)
}

/// A program of C++ with templates and exceptions, as a compiler makes it with these flags.
pub(crate) fn shapes(name: &str, compiler: &str, flags: &[&str]) -> PathBuf {
    build(name, compiler, flags, "shapes.cc")
}

/// A program of C++ whose threads share their work.
pub(crate) fn workers() -> PathBuf {
    build("workers", "g++", &["-std=c++17", "-O2", "-g", "-pthread"], "workers.cc")
}

/// The program of the assertions of GNU gprof's own tests.
pub(crate) fn upstream(compiler: &str) -> PathBuf {
    let flags = ["-O2", "-fno-omit-frame-pointer"];
    build(&format!("upstream.{compiler}"), compiler, &flags, "upstream.c")
}

/// A program of Rust. The compiler's hooks are not stable yet, so it must be asked for them in the
/// way of those who build the standard library.
pub(crate) fn words() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = output("words");
        let mut rustc = quiet(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.env("RUSTC_BOOTSTRAP", "1");
        rustc.args([
            "--edition=2024",
            "-O",
            "-g",
            "-Zinstrument-mcount",
            "-l",
            "static=gmon",
            "-L",
        ]);
        rustc.arg(static_library().parent().expect("a folder"));
        text_of(rustc.arg(source("words.rs")).arg("-o").arg(&program));
        program
    })
}

/// Runs a program of which the output begins so, and gives what it has written.
pub(crate) fn run(program: &Path, arguments: &[&str], printed: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = text_of(quiet(program).args(arguments).current_dir(&folder));
    assert!(text.starts_with(printed), "not the output of {program:?}:\n{text}");
    folder
}

/// A program and its data, to be compared.
pub(crate) fn subject(
    executable: &Path,
    folder: &TempDir,
    names: [(&'static str, &'static str); 4],
) -> Subject {
    let data = fs::read(folder.path().join("gmon.out")).expect("a data file");
    Subject { executable: executable.to_owned(), data, names }
}

/// A program of one source, as a compiler makes it with these flags.
pub(crate) fn build(name: &str, compiler: &str, flags: &[&str], file: &str) -> PathBuf {
    // Fortran's compiler leaves descriptions of modules where it runs.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = output(name);
    let mut compile = gmon();
    compile.args(["cc", compiler, "-g"]).args(flags).arg(source(file));
    text_of(compile.arg("-o").arg(&program).current_dir(&folder));
    program
}

/// Compiles a workload and what it works on, and links them.
fn build_c(
    name: &str,
    workload: &str,
    flags: &[&str],
    include: &Path,
    sources: &[PathBuf],
) -> PathBuf {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compile = |source: &Path| {
        let mut compile = gmon();
        // Lua would use functions that the linker warns of, and numbers that differ from run to run.
        compile
            .args(["cc", GCC.c, "-g", "-c", "-DLUA_USE_POSIX", "-Dluai_makeseed(L)=7"])
            .args(flags)
            .arg("-I");
        compile.arg(include).arg(source);
        text_of(compile.current_dir(&folder));
    };
    compile(&source(&format!("{workload}.c")));
    fs::rename(folder.path().join(format!("{workload}.o")), folder.path().join("workload.o"))
        .expect("an object file");
    sources.iter().for_each(|source| compile(source));
    let program = output(name);
    let mut link = gmon();
    link.args(["cc", GCC.c, "-g"]).args(flags);
    let entries = fs::read_dir(&folder).expect("a readable folder");
    let mut objects: Vec<_> = entries.map(|entry| entry.expect("an object file").path()).collect();
    objects.sort();
    text_of(link.args(objects).arg("-lm").arg("-o").arg(&program));
    program
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/conformance/programs").join(name)
}

fn output(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
