//! Hooks of Rust programs that sleep until somebody wakes them: `cargo gmon --dormant`.

use std::path::Path;

use super::{
    options::{ALL, calls, workspace},
    project::{Project, Run},
};
use crate::live::steered::{Running, THREADS, is_between};
use support::command::{gmon, quiet, text_of};
use support::program::Program;
use support::tools;

#[test]
fn functions_of_all_crates_and_of_c_are_woken_by_name() {
    let place = workspace();
    let run = |arguments: &str, hooks: &str| {
        let mut command = place.command(&format!("run --dormant --top 1000 {arguments}"));
        let options = format!("out={},{hooks}", place.data().display());
        Run::of(command.env("CFLAGS", "-DFACTOR=*2").env("GMON_OPTIONS", options)).succeeded()
    };
    let rows = [
        ("", "hooks=*", [Some(3), Some(5), Some(7), Some(11)]),
        ("", "hooks=inner_most::l??f,app::own", [Some(3), None, None, Some(11)]),
        ("", "hooks=leaf_in_*,app::written*", [None, Some(5), Some(7), None]),
        ("", "stacks", [None; 4]),
        // The program has no hook of its own, and its library has.
        ("--only inner-most --no-c", "hooks=*", [Some(3), None, None, None]),
    ];
    for (arguments, hooks, expected) in tools::some(&rows, (1, 2), "lists of hooks") {
        let run = run(arguments, hooks);
        assert_eq!(calls(&run, ALL), *expected, "{arguments} {hooks}\n{}", run.stderr);
    }

    // By itself a program takes no profile.
    let program = Program::dormant(&run("", "hooks=wrong").executable());
    assert!(program.command().env_remove("GMON_OPTIONS").status().expect("a program").success());
    assert_eq!(program.files(), ["program"]);
}

/// Their exits sleep as well.
#[cfg(target_arch = "x86_64")]
#[test]
fn calls_are_timed() {
    const PROGRAM: &str = "
        #[inline(never)]
        fn handle(rounds: u64) -> u64 { (0..rounds).fold(1, |a, b| std::hint::black_box(a ^ b * 3)) }
        fn main() { for n in 0..50 { handle(if n % 10 == 0 { 5_000_000 } else { 50_000 }); } }";
    let manifest = "[package]\nname = \"desk\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let place = Project::new(&[("Cargo.toml", manifest), ("src/main.rs", PROGRAM)]);
    let mut command = place.command("run --dormant --times desk::handle");
    command.env("GMON_OPTIONS", format!("out={}", place.data().display()));
    let run = Run::of(&mut command).succeeded();
    let mut report = gmon();
    report.args(["report", "--times", "--format", "json"]).arg(run.executable()).arg(place.data());
    let table: serde_json::Value = serde_json::from_str(&text_of(&mut report)).expect("JSON");
    let text = table.to_string();
    let row = &table["tables"][0]["rows"][0];
    assert_eq!(
        (row["function"].as_str(), row["calls"].as_u64()),
        (Some("desk::handle"), Some(50)),
        "{text}"
    );
    // A tenth takes a hundred times as long.
    let time = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {text}"));
    assert!(time("p50_ns") > 0.0 && time("p99_ns") > 10.0 * time("p50_ns"), "{text}");
}

/// Threads call `lines::work`, which says in a file how often, as `steered.c` does, and at full speed a method of a generic type,
/// until the standard input ends.
const STEERED: &str = r#"
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};

mod lines {
    use std::{fs::File, os::unix::fs::FileExt};

    pub struct Own { pub file: File, pub place: u64, pub calls: u64 }

    #[inline(never)]
    pub fn work(own: &mut Own) {
        own.calls += 1;
        own.file.write_all_at(&own.calls.to_ne_bytes(), own.place).unwrap();
    }

    pub struct Parser<T>(pub T);
    impl<T: Copy> Parser<T> {
        #[inline(never)]
        pub fn word(&self) -> T { std::hint::black_box(self.0) }
    }
}

static HAS_ENDED: AtomicBool = AtomicBool::new(false);

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(0, |word| word.parse().unwrap());
    let file = std::fs::File::create("own").unwrap();
    file.set_len(64 * count).unwrap();
    let threads: Vec<_> = (0..count).map(|index| {
        let mut own = lines::Own { file: file.try_clone().unwrap(), place: 64 * index, calls: 0 };
        std::thread::spawn(move || {
            while !HAS_ENDED.load(Ordering::Relaxed) {
                lines::work(&mut own);
                for number in 0..100u32 { lines::Parser(number).word(); }
            }
        })
    }).collect();
    println!("ready");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    HAS_ENDED.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}
"#;

#[test]
fn functions_of_a_running_program_are_woken_by_name() {
    const ROUNDS: usize = 2;
    let manifest = "[package]\nname = \"steered\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                    [profile.release]\nlto = true\n";
    let place = Project::new(&[("Cargo.toml", manifest), ("src/main.rs", STEERED)]);
    let built = place.run("build --dormant --message-format=json").succeeded();
    let told = "counts calls when gmon ctl or GMON_OPTIONS wakes functions";
    assert!(built.stderr.contains(told), "{}", built.stderr);
    let made = |line: &str| serde_json::from_str::<serde_json::Value>(line).ok();
    let made = built.stdout.lines().filter_map(made);
    let path = made.filter_map(|made| Some(made["executable"].as_str()?.to_owned())).next();
    let program = Program::dormant(Path::new(&path.expect("a program")));
    let [work, word] = ["4work", "4word"].map(|part| symbol(&program.executable, part));

    let running = Running::start(&program, 2, ",paused");
    assert_eq!([running.calls(&work), running.calls(&word)], [0, 0]);
    for name in ["steered::lines::work", "steered::*::wor?", &work] {
        for _ in 0..ROUNDS {
            let before = running.calls(&work);
            let on = running.own();
            running.must(&format!("on --hooks {name}"));
            let (was_on, off) = (running.own(), running.own());
            running.must("off --hooks steered::*");
            let was_off = running.own();
            // A thread may have been in the hook when it was put to sleep before, and may be again.
            is_between(running.calls(&work) - before, off - was_on, was_off - on + THREADS);
        }
    }
    for name in ["steered::lines::Parser::word", "<steered::lines::Parser<u32>>::word"] {
        let before = [running.calls(&work), running.calls(&word)];
        running.must(&format!("on --hooks {name}"));
        let mut after = before;
        while after[1] == before[1] {
            after = [running.calls(&work), running.calls(&word)];
        }
        running.must("off --hooks *");
        // As above.
        is_between(after[0] - before[0], 0, THREADS);
    }
    running.finish();
}

/// The name of the only function with this part in it.
fn symbol(executable: &Path, part: &str) -> String {
    let listing = quiet("nm").arg(executable).output().expect("nm").stdout;
    let listing = String::from_utf8(listing).expect("text");
    let names = listing.lines().filter_map(|line| line.rsplit(' ').next());
    let mut names = names.filter(|name| name.contains("7steered") && name.contains(part));
    names.next().expect("a function").to_owned()
}
