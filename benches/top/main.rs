//! What `gmon top` takes of a processor at ten looks a second: `cargo bench --bench top [-- --check]`.
//!
//! The program has 10,000 functions, and 20,000 different calls between them in chains of a hundred. All of these are made
//! between two looks, or a thousand of them, or all with a million nodes of stacks, at the usual rate of samples and at ten
//! times that. `gmon top` shows it in a terminal of 80 columns, by tmux; where a look takes more than 2 ms, it looks less often.
//! How often it looked is how often the threads that do not draw have waited. With `--check` more than 2 % fails the run, and so
//! do fewer looks than nine in a second, but at the high rate. Without `--bench`, which cargo passes when benchmarking,
//! everything runs once and small, to show that it works.

#[path = "../launcher/mod.rs"]
mod launcher;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gmon_format::live::Live;
use launcher::{Result, compile};
use support::tools;

/// The part of a processor that `gmon top` may take: 2 %, rounded.
const MOST: f64 = 0.0205;

/// The looks that there are at least in a second, for ten that are asked for: some cost more than others, and the machine
/// does other things, too.
const LEAST: f64 = 9.0;

/// Samples in a second: as many as usual, and for stacks in a short time.
const RATE: u32 = 100;
const HIGH_RATE: u32 = 1000;

/// How large everything is.
struct Size {
    functions: usize,
    /// Different chains of calls.
    chains: usize,
    /// Those of a tenth of a second, where these are few.
    few: usize,
    nodes: usize,
    time: Duration,
}

fn main() -> ExitCode {
    launcher::bench("top", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let size = if full {
        Size {
            functions: 10_000,
            chains: 12_000,
            few: 12,
            nodes: 1_000_000,
            time: Duration::from_secs(20),
        }
    } else {
        Size { functions: 100, chains: 100, few: 2, nodes: 5_000, time: Duration::from_secs(1) }
    };
    let Some(tmux) = tools::find("tmux") else { return Ok(0) };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let folder = folder.path();
    let program = folder.join("program");
    build(folder, &program, size.functions)?;
    let mut over = 0;
    for (options, at_once, nodes, rates) in [
        ("", size.chains, 0, &[RATE][..]),
        ("", size.few, 0, &[RATE]),
        (",stacks=512", size.chains, size.nodes, &[HIGH_RATE, RATE]),
    ] {
        let live = folder.join(format!("live{at_once}.{nodes}"));
        let shown = live.display();
        let mut command = Command::new(&program);
        let first = rates[0];
        command.env("GMON_OPTIONS", format!("hz={first},live={shown}{options}"));
        command.current_dir(folder);
        command.args([size.chains, at_once].map(|number| number.to_string()));
        let child = command.stdout(Stdio::null()).spawn();
        let running = Running(child.map_err(|error| format!("{}: {error}", program.display()))?);
        wait_for_nodes(&live, nodes)?;
        let screen = Screen::start(&tmux, folder, running.0.id())?;
        for rate in rates {
            set_rate(running.0.id(), *rate)?;
            // It opens the program and reads everything first.
            thread::sleep(size.time / 4);
            let (begun, before) = (Instant::now(), screen.effort()?);
            thread::sleep(size.time);
            let (after, seconds) = (screen.effort()?, begun.elapsed().as_secs_f64());
            let used = (after.nanoseconds - before.nanoseconds) as f64 / 1e9;
            let looks = (after.looks - before.looks) as f64;
            println!(
                "{} functions, {at_once} chains at once, {} nodes, {rate} samples a second: {:.1} looks a second, {:.2} ms each, \
                 {:.2} % of a processor",
                size.functions,
                count_nodes(&live)?,
                looks / seconds,
                1e3 * used / looks,
                1e2 * used / seconds,
            );
            let is_slow = looks / seconds < LEAST && *rate == RATE;
            over += usize::from(used / seconds > MOST || is_slow);
        }
        let (bytes, least) = read_counts(&live)?;
        println!(
            "    {:.1} MB of tables of calls, whatever is in them; to read them and nothing else takes {:.2} ms",
            bytes as f64 / 1e6,
            1e3 * least
        );
    }
    Ok(over)
}

/// Makes a program of so many functions, each of which calls one of two others.
fn build(folder: &Path, program: &Path, functions: usize) -> Result<()> {
    let mut text = String::from("static volatile double sum;\ntypedef unsigned long R;\n");
    for number in 0..functions {
        _ = writeln!(text, "void f{number}(int depth, R *random);");
    }
    for number in 0..functions {
        let [one, other] = [2 * number + 1, 2 * number + 2].map(|next| next % functions);
        _ = writeln!(
            text,
            "__attribute__((noinline, noclone)) void f{number}(int depth, R *random) {{ if (depth > 0) {{ *random = *random * \
             6364136223846793005ul + 1442695040888963407ul; if (*random >> 63) f{one}(depth - 1, random); else \
             f{other}(depth - 1, random); }} else for (int i = 0; i < 1000; i++) sum += i; sum += {number}; }}"
        );
    }
    text.push_str(
        "#include <stdlib.h>\n#include <time.h>\nint main(int count, char **words) { R chains = atol(words[1]), at_once = \
         atol(words[2]); for (R first = 0;; first = (first + at_once) % chains) { clock_t start = clock(); do for (R n = 0; n < \
         at_once; n++) { R random = first + n; f0(100, &random); } while (clock() - start < CLOCKS_PER_SEC / 10); } }\n",
    );
    let source = folder.join("program.c");
    fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
    let gmon = Command::new(env!("CARGO_BIN_EXE_gmon")).args(["config", "--static-lib"]).output();
    let archive = gmon.map_err(|error| format!("gmon config: {error}"))?.stdout;
    let archive = String::from_utf8_lossy(&archive).trim().to_owned();
    let inputs = [source.as_os_str(), archive.as_ref()];
    compile(inputs, &["-pg", "-fno-optimize-sibling-calls"], program)
}

/// Has a program be sampled so often in a second.
fn set_rate(program: u32, rate: u32) -> Result<()> {
    let mut gmon = Command::new(env!("CARGO_BIN_EXE_gmon"));
    gmon.args(["ctl", &program.to_string(), "rate", &rate.to_string()]);
    let output = gmon.output().map_err(|error| format!("gmon ctl: {error}"))?;
    output.status.success().then_some(()).ok_or_else(|| format!("{gmon:?}: {}", output.status))
}

/// Waits until the stacks have so many nodes.
fn wait_for_nodes(live: &Path, nodes: usize) -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(600);
    let begun = Instant::now();
    while count_nodes(live).unwrap_or(0) < nodes || !live.exists() {
        if begun.elapsed() > PATIENCE {
            return Err(format!("there are no {nodes} nodes in {}", live.display()));
        }
        thread::sleep(Duration::from_secs(1));
    }
    Ok(())
}

fn count_nodes(live: &Path) -> Result<usize> {
    let bytes = fs::read(live).map_err(|error| format!("{}: {error}", live.display()))?;
    let file = Live::new(&bytes).map_err(|error| format!("{}: {error}", live.display()))?;
    Ok(file.stacks().map(|stacks| stacks.iter().count()).sum())
}

/// How many bytes the tables of calls have, and the CPU time, in seconds, that reading them takes: what no look can do without.
fn read_counts(live: &Path) -> Result<(usize, f64)> {
    const TIMES: u32 = 50;
    const PIECE: usize = 1 << 18;
    let complain = |error| format!("{}: {error}", live.display());
    let bytes = fs::read(live).map_err(complain)?;
    let file = Live::new(&bytes).map_err(|error| format!("{}: {error}", live.display()))?;
    let tables: Vec<_> = file.tables().map(|table| table.entries().place()).collect();
    let file = File::open(live).map_err(complain)?;
    let mut buffer = vec![0; PIECE];
    // The system brings the time up to date when the thread waits.
    thread::sleep(Duration::from_millis(1));
    let before = own_time();
    for _ in 0..TIMES {
        for table in &tables {
            for start in table.clone().step_by(PIECE) {
                let len = PIECE.min(table.end - start);
                file.read_exact_at(&mut buffer[..len], start as u64).map_err(complain)?;
            }
        }
        // As long as a look waits for the next, so that the program's counts are in another processor's cache again.
        thread::sleep(Duration::from_millis(100));
    }
    let used = own_time().saturating_sub(before);
    Ok((tables.iter().map(ExactSizeIterator::len).sum(), (used / TIMES).as_secs_f64()))
}

/// The CPU time of this thread.
fn own_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let number = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(number.unwrap_or_default())
}

/// A program that is killed in the end.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// `gmon top` in a terminal.
struct Screen<'s> {
    tmux: &'s Path,
    folder: &'s Path,
    process: u32,
}

/// What `gmon top` has done.
struct Effort {
    nanoseconds: u64,
    looks: u64,
}

impl<'s> Screen<'s> {
    fn start(tmux: &'s Path, folder: &'s Path, program: u32) -> Result<Self> {
        let mut screen = Self { tmux, folder, process: 0 };
        let gmon = env!("CARGO_BIN_EXE_gmon");
        let program = program.to_string();
        let size = ["new-session", "-d", "-x", "80", "-y", "24"];
        let top = [gmon, "--color=never", "top", "--interval", "0.1", &program];
        screen.tell(&[&size[..], &top].concat())?;
        let process = screen.tell(&["display-message", "-p", "#{pane_pid}"])?;
        screen.process = process.trim().parse().map_err(|_| format!("tmux said {process}"))?;
        Ok(screen)
    }

    /// Has tmux, with a server of its own, do something, and returns what it says.
    fn tell(&self, words: &[&str]) -> Result<String> {
        let mut command = Command::new(self.tmux);
        command.env_remove("TMUX").env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.args(["-f", "/dev/null", "-S"]).arg(self.folder.join("socket")).args(words);
        let output = command.output().map_err(|error| format!("tmux: {error}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(format!("tmux: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// The CPU time of all its threads, and how often the one that looks has waited. The other one that does not draw waits for
    /// keys all the time.
    fn effort(&self) -> Result<Effort> {
        let tasks = Path::new("/proc").join(self.process.to_string()).join("task");
        let entries =
            fs::read_dir(&tasks).map_err(|error| format!("{}: {error}", tasks.display()))?;
        let mut effort = Effort { nanoseconds: 0, looks: 0 };
        for task in entries.filter_map(std::result::Result::ok) {
            let read = |name: &str| fs::read_to_string(task.path().join(name)).unwrap_or_default();
            let number =
                |text: Option<&str>| text.and_then(|it| it.parse::<u64>().ok()).unwrap_or(0);
            effort.nanoseconds += number(read("schedstat").split(' ').next());
            if task.file_name().to_string_lossy() != self.process.to_string() {
                let status = read("status");
                let line =
                    status.lines().find_map(|it| it.strip_prefix("voluntary_ctxt_switches:"));
                effort.looks += number(line.map(str::trim));
            }
        }
        Ok(effort)
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        _ = self.tell(&["kill-server"]);
    }
}
