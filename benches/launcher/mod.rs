//! Compiles programs and runs them by turns, for benchmarks that compare processes as a whole.

#![allow(dead_code, reason = "every benchmark compiles this module and uses its own part")]

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// One line for the user.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// Runs a benchmark, which gets whether it is to measure (cargo passes `--bench` then) and returns how many of its
/// limits do not hold. With `--check` these are a failure.
pub(crate) fn bench(name: &str, run: impl FnOnce(bool) -> Result<usize>) -> ExitCode {
    let is_asked_for = |option: &str| std::env::args().any(|argument| argument == option);
    match run(is_asked_for("--bench")) {
        Ok(over) if is_asked_for("--check") && over > 0 => {
            eprintln!("{name}: {over} of the limits do not hold");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{name}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns `true` if a part of a benchmark was asked for by its name, or none was.
pub(crate) fn is_wanted(part: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|word| !word.starts_with("--")).peekable();
    names.peek().is_none() || names.any(|name| name == part)
}

/// Runs a benchmark as [`bench`] does, of programs that can only be built for Linux on x86-64.
pub(crate) fn bench_on_x86_64(name: &str, run: impl FnOnce(bool) -> Result<usize>) -> ExitCode {
    bench(name, |full| {
        if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            return run(full);
        }
        println!("this benchmark builds for Linux on x86-64: nothing is measured");
        Ok(0)
    })
}

/// What the runs of one command took.
pub(crate) struct Runs {
    /// Fastest, in nanoseconds.
    pub(crate) fastest: u64,
    /// The one in the middle.
    pub(crate) middle: u64,
    /// Least CPU time.
    pub(crate) cpu: u64,
    /// Largest memory, in KiB.
    pub(crate) memory: u64,
}

/// What becomes of the `gmon.out` of the run before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Earlier {
    /// There is none.
    Removed,
    /// Each command replaces its own.
    Replaced,
}

/// A folder of compiled programs, in which commands run.
pub(crate) struct Launcher<'a> {
    folder: &'a Path,
    program: PathBuf,
}

/// Compiles `inputs` with the user's C compiler.
pub(crate) fn compile<'s>(
    inputs: impl IntoIterator<Item = &'s OsStr>,
    flags: &[&str],
    output: &Path,
) -> Result<()> {
    compile_by(&[], inputs, flags, output)
}

/// Compiles `inputs` with the user's C compiler, which other words start.
pub(crate) fn compile_by<'s>(
    words: &[&str],
    inputs: impl IntoIterator<Item = &'s OsStr>,
    flags: &[&str],
    output: &Path,
) -> Result<()> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut words = words.iter().map(OsStr::new).chain([compiler.as_os_str()]);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg("-O2").args(flags).args(inputs).arg("-o").arg(output);
    let status = command.status().map_err(|error| format!("{compiler:?}: {error}"))?;
    status.success().then_some(()).ok_or_else(|| format!("{command:?}: {status}"))
}

impl<'a> Launcher<'a> {
    /// Compiles the launcher in an empty folder.
    pub(crate) fn new(folder: &'a Path) -> Result<Self> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/launcher/launcher.c");
        let program = folder.join("launcher");
        compile([source.as_os_str()], &[], &program)?;
        Ok(Self { folder, program })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &'a Path {
        self.folder
    }

    /// Runs commands, each a list of words, by turns, so many times each.
    pub(crate) fn launch(
        &self,
        rounds: u32,
        earlier: Earlier,
        commands: &[Vec<OsString>],
        environment: &[(&str, &str)],
    ) -> Result<Vec<Runs>> {
        let separator = [OsString::from(",")];
        let mut launcher = Command::new(&self.program);
        launcher.args((earlier == Earlier::Replaced).then_some("-k"));
        launcher.arg(rounds.to_string()).args(commands.join(&separator[..]));
        launcher.current_dir(self.folder).envs(environment.iter().copied());
        let output = launcher.output().map_err(|error| format!("launcher: {error}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("a program failed: {launcher:?}: {} {message}", output.status));
        }
        let number = |text: &str| text.parse().map_err(|_| format!("launcher printed `{text}`"));
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| {
                let numbers = line.split_whitespace().map(number).collect::<Result<Vec<u64>>>()?;
                match numbers[..] {
                    [fastest, middle, cpu, memory] => Ok(Runs { fastest, middle, cpu, memory }),
                    _ => Err(format!("launcher printed `{line}`")),
                }
            })
            .collect()
    }
}

/// The middle of some figures, and bounds of the true one: 95 of 100 such bounds hold it.
pub(crate) struct Middle {
    pub(crate) middle: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Middle {
    pub(crate) fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_unstable_by(f64::total_cmp);
        let (len, last) = (figures.len() as f64, figures.len() - 1);
        // How many of so many values lie below the true middle is binomial: 1.96 standard deviations around one half.
        let half = 1.96 * len.sqrt() / 2.0;
        let at = |place: f64| figures[(place.max(0.0) as usize).min(last)];
        Self { middle: at(len / 2.0), least: at(len / 2.0 - half), most: at(len / 2.0 + half) }
    }
}
