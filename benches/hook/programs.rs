//! The measured programs: the same C objects, each time linked with another hook.
//!
//! Per form of hook call the shapes are compiled once, so that sides of one form differ in the hook
//! alone. The C library's hooks and ours when preloaded are reached through the global offset
//! table; what is linked statically is called directly, as in any program linked that way.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmon_format::{Encoding, Record, Records};

use crate::Result;
use crate::sides::{Form, Hook, Side};

/// Wakes the hooks of the functions whose calls count: compilers leave room in the others, too.
const AWAKE: &str = "hooks=leaf,shared,operation_*,fibonacci";

/// What one run of a program measured.
pub(crate) struct Run {
    /// The first number that it printed.
    pub(crate) nanoseconds: f64,
    /// The calls that it made.
    pub(crate) calls: u64,
    /// The calls in its profile, if its hook writes one.
    pub(crate) counted: Option<u64>,
}

/// All sides, ready to run.
pub(crate) struct Programs {
    folder: PathBuf,
    shared_library: PathBuf,
    compiler: Compiler,
}

impl Programs {
    /// Compiles and links all sides in an empty `folder`.
    pub(crate) fn build(folder: &Path) -> Result<Self> {
        let compiler = Compiler::find();
        let archive = gmon_config("--static-lib")?;
        let shared_library = gmon_config("--shared-lib")?;

        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/hook/c");
        for form in Form::ALL {
            let object = folder.join(object_name(form));
            compiler.compile(form.flags(), &sources.join("shapes.c"), &object)?;
        }
        let returns_only = folder.join("returns_only.o");
        let architecture = format!("returns_only/{}.S", std::env::consts::ARCH);
        compiler.compile("", &sources.join(architecture), &returns_only)?;

        for main in ["timing", "storm"] {
            let driver = folder.join(main).with_extension("o");
            compiler.compile("-pthread", &sources.join(main).with_extension("c"), &driver)?;
            for side in Side::ALL {
                let (flags, hook) = match side.hook {
                    Hook::None | Hook::Asleep => ("-pthread", None),
                    Hook::Ours if side.form == Form::Dormant => ("-pthread", None),
                    Hook::ReturnsOnly => ("-pthread", Some(&returns_only)),
                    Hook::Ours => ("-pthread -pg", Some(&archive)),
                    Hook::Glibc | Hook::OursPreloaded => ("-pthread -pg", None),
                };
                let shapes = folder.join(object_name(side.form));
                let objects = [Some(&driver), Some(&shapes), hook];
                let executable = folder.join(executable_name(main, side));
                let sleeps = side.form == Form::Dormant && side.hook != Hook::None;
                let link = if sleeps { Compiler::link_dormant } else { Compiler::link };
                link(&compiler, flags, objects.into_iter().flatten().collect(), &executable)?;
            }
        }
        Ok(Self { folder: folder.to_owned(), shared_library, compiler })
    }

    /// The compiler's first line about itself.
    pub(crate) fn compiler(&self) -> String {
        let output = Command::new(&self.compiler.0).arg("--version").output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.unwrap_or_default().lines().next().unwrap_or("unknown").to_owned()
    }

    /// Runs the program `main` of one side to its end.
    pub(crate) fn run(&self, main: &str, side: Side, arguments: [&str; 2]) -> Result<Run> {
        let profile = self.folder.join("gmon.out");
        // What an earlier run left must not pass for this one's.
        let _ = fs::remove_file(&profile);

        let mut command = Command::new(self.folder.join(executable_name(main, side)));
        command.args(arguments).current_dir(&self.folder);
        command.env_remove("GMON_OUT_PREFIX").env_remove("GMON_OPTIONS").env_remove("LD_PRELOAD");
        if side.form == Form::Dormant && side.hook == Hook::Ours {
            command.env("GMON_OPTIONS", AWAKE);
        }
        if side.hook == Hook::OursPreloaded {
            command.env("LD_PRELOAD", &self.shared_library);
        }
        let numbers = output_of(&mut command)?;
        let (nanoseconds, calls) = numbers
            .trim()
            .split_once(' ')
            .and_then(|(time, calls)| Some((time.parse().ok()?, calls.parse().ok()?)))
            .ok_or_else(|| format!("{command:?} printed {numbers:?}, not two numbers"))?;
        let counted = if side.hook.counts() { Some(calls_in(&profile)?) } else { None };
        Ok(Run { nanoseconds, calls, counted })
    }
}

fn object_name(form: Form) -> String {
    format!("shapes{}.o", form.flags().replace(' ', ""))
}

fn executable_name(main: &str, side: Side) -> String {
    format!("{main}{}-{}", side.form.flags(), side.hook.name()).replace([' ', ','], "-")
}

/// The sum of the counts of all arcs in a data file.
fn calls_in(profile: &Path) -> Result<u64> {
    let failure = |error: &dyn std::fmt::Display| format!("{}: {error}", profile.display());
    let bytes = fs::read(profile).map_err(|error| failure(&error))?;
    let records = Records::new(&bytes, Encoding::NATIVE).map_err(|error| failure(&error))?;
    let mut calls = 0;
    for record in records {
        if let Record::Arc(arc) = record.map_err(|error| failure(&error))? {
            calls += arc.count;
        }
    }
    Ok(calls)
}

/// A path that the `gmon` command of this build prints.
fn gmon_config(piece: &str) -> Result<PathBuf> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gmon"));
    output_of(command.args(["config", piece])).map(|path| path.trim_end().into())
}

/// The C compiler: `$CC`, else `cc`.
struct Compiler(OsString);

impl Compiler {
    /// Functions and loops start on a cache line of their own, so that the length of a prologue
    /// does not change how the next function is fetched. `fibonacci` must stay recursive.
    const FLAGS: &[&str] =
        &["-O2", "-fno-optimize-sibling-calls", "-falign-functions=64", "-falign-loops=64"];

    fn find() -> Self {
        Self(std::env::var_os("CC").filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".into()))
    }

    fn compile(&self, flags: &str, source: &Path, object: &Path) -> Result<()> {
        let mut command = Command::new(&self.0);
        command.args(Self::FLAGS).args(flags.split_whitespace());
        command.arg("-c").arg(source).arg("-o").arg(object);
        output_of(&mut command).map(drop)
    }

    fn link(&self, flags: &str, objects: Vec<&PathBuf>, executable: &Path) -> Result<()> {
        Self::link_by(Command::new(&self.0), flags, objects, executable)
    }

    /// By `gmon cc --dormant`.
    fn link_dormant(&self, flags: &str, objects: Vec<&PathBuf>, executable: &Path) -> Result<()> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gmon"));
        command.args(["cc", "--dormant"]).arg(&self.0);
        Self::link_by(command, flags, objects, executable)
    }

    fn link_by(
        mut command: Command,
        flags: &str,
        objects: Vec<&PathBuf>,
        executable: &Path,
    ) -> Result<()> {
        command.args(flags.split_whitespace()).args(objects).arg("-o").arg(executable);
        output_of(&mut command).map(drop)
    }
}

/// Runs a command that must succeed and returns what it printed.
fn output_of(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{stderr}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{command:?}: output is not UTF-8"))
}
