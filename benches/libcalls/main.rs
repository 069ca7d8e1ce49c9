//! What it costs to count a call into a library: `cargo bench --bench libcalls [-- --check]`.
//!
//! A program calls a function of a library that only returns: as it is, with gmon's stubs, with the loader's interface
//! for auditors (`la_pltenter`), with uftrace and with ltrace, all in one run and by turns; and a function of its own
//! with gmon's hook. The cost is the time of a call minus that of the plain one. Tools that are not there are left
//! out aloud. Without `--bench`, which cargo passes when benchmarking, everything runs once and briefly.

#[path = "../launcher/mod.rs"]
mod launcher;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use launcher::{Result, compile};

/// A counted call costs at most so many times what a hook costs.
const LIMIT: f64 = 1.5;

fn main() -> ExitCode {
    launcher::bench("libcalls", |full| {
        if cfg!(target_arch = "x86_64") {
            return run(full);
        }
        println!("the auditor is written for x86-64: nothing is measured");
        Ok(0)
    })
}

/// A way to run the program.
struct Side {
    name: &'static str,
    program: PathBuf,
    /// What stands before the program.
    tool: Vec<String>,
    variables: Vec<(&'static str, String)>,
    /// Calls, in thousands: tools that stop the program at each would take long.
    thousands: u32,
    /// Whether it calls a function of its own.
    is_own: bool,
    fastest: f64,
}

fn run(full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut sides = sides(folder.path(), full)?;
    for _ in 0..if full { 10 } else { 1 } {
        for side in &mut sides {
            side.fastest = side.fastest.min(side.time(folder.path())?);
        }
    }
    let of = |name| sides.iter().find(|side| side.name == name).map_or(0.0, |side| side.fastest);
    let hook = of("own, with gmon's hook") - of("own");
    println!("{:32} {:>10} {:>10}", "", "ns a call", "added");
    for side in &sides {
        let plain = of(if side.is_own { "own" } else { "plain" });
        println!("{:32} {:10.2} {:10.2}", side.name, side.fastest, side.fastest - plain);
    }
    let times = (of("gmon --libcalls") - of("plain")) / hook.max(0.01);
    let holds = times <= LIMIT;
    println!(
        "a counted call costs {times:.2} times a hook (limit {LIMIT}): {}",
        if holds { "holds" } else { "does NOT hold" }
    );
    Ok(usize::from(!holds))
}

fn sides(folder: &Path, full: bool) -> Result<Vec<Side>> {
    let source =
        |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/libcalls/c").join(name);
    let place = |name: &str| folder.join(name);
    let library = place("libnothing.so");
    let auditor = place("audit.so");
    for (name, output) in [("nothing.c", &library), ("audit.c", &auditor)] {
        compile([source(name).as_os_str()], &["-fPIC", "-shared"], output)?;
    }
    let search = format!("-Wl,-rpath,{}", folder.display());
    let inputs = [source("calls.c"), library];
    let inputs = || inputs.iter().map(|path| path.as_os_str());
    // Lazy binding, without which the loader tells auditors of no calls.
    let flags = [&*search, "-Wl,-z,lazy"];
    let plain = place("plain");
    compile(inputs(), &flags, &plain)?;
    let hooked = place("hooked");
    let archive = gmon(&["config", "--static-lib"])?;
    let with_archive = || inputs().chain([archive.as_ref()]);
    compile(with_archive(), &[&flags[..], &["-pg"]].concat(), &hooked)?;
    let runtime = gmon(&["config", "--shared-lib"])?;
    let preload =
        |options: &str| vec![("LD_PRELOAD", runtime.clone()), ("GMON_OPTIONS", options.to_owned())];
    let many = if full { 20_000 } else { 100 };
    let few = if full { 1000 } else { 20 };
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let side = |name, program: &PathBuf, variables, is_own| Side {
        name,
        program: program.clone(),
        tool: Vec::new(),
        variables,
        thousands: many,
        is_own,
        fastest: f64::INFINITY,
    };
    let options = "libcalls,sampler=none,out=/dev/null";
    let mut sides = vec![
        side("plain", &plain, Vec::new(), false),
        side("gmon preloaded, no option", &plain, preload("sampler=none,out=/dev/null"), false),
        side("gmon --libcalls", &plain, preload(options), false),
        side("own", &plain, Vec::new(), true),
        side(
            "own, with gmon's hook",
            &hooked,
            vec![("GMON_OPTIONS", "sampler=none,out=/dev/null".to_owned())],
            true,
        ),
        side(
            "LD_AUDIT, la_pltenter",
            &plain,
            vec![("LD_AUDIT", auditor.display().to_string())],
            false,
        ),
    ];
    let traces = format!("uftrace record --no-pager --force -d {}", place("traces").display());
    for (name, tool, thousands) in
        [("uftrace record --force", &*traces, few), ("ltrace -c", "ltrace -c -e nothing", 10)]
    {
        let tool = words(tool);
        let program = tool.first().map_or("", String::as_str);
        if Command::new(program).arg("--version").output().is_err() {
            println!("left out: there is no {program}");
            continue;
        }
        sides.push(Side { tool, thousands, ..side(name, &plain, Vec::new(), false) });
    }
    Ok(sides)
}

/// What `gmon` prints.
fn gmon(arguments: &[&str]) -> Result<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_gmon")).args(arguments).output();
    let output = output.map_err(|error| format!("gmon: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl Side {
    /// Nanoseconds of a call in the fastest round.
    fn time(&self, folder: &Path) -> Result<f64> {
        let words = self.tool.iter().map(AsRef::as_ref).chain([self.program.as_os_str()]);
        let mut words = words.collect::<Vec<&std::ffi::OsStr>>().into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command
            .args(words)
            .arg(format!("{}000", self.thousands))
            .args(self.is_own.then_some("own"));
        command.current_dir(folder).envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = command.output().map_err(|error| format!("{}: {error}", self.name))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let time = text.lines().find_map(|line| line.trim().parse().ok());
        time.ok_or_else(|| format!("{}: {command:?}: {output:?}", self.name))
    }
}
