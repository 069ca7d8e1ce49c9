//! Messages of mistakes that no other test makes: each says what was wrong, and what to do next.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use support::{tools, workplace::Workplace};

/// Half a second of work, to be sampled; next to none of it in the C library, of which data files tell nothing.
const PROGRAM: &str = "\
#include <time.h>
__attribute__((noinline)) int work(void) { for (volatile int i = 0; i < 10000; i++); return clock() < CLOCKS_PER_SEC / 2; }
int main(void) { while (work()); }
";

/// What is typed behind `gmon`, the exit status, and what is said.
const MISTAKES: [(&str, i32, &str); 32] = [
    ("nosuch", 2, "unrecognized subcommand 'nosuch'"),
    ("help nosuch", 2, "unrecognized subcommand 'nosuch'"),
    ("recover folder", 1, "gmon: folder: not a regular file"),
    ("annotate --function work ./prog", 1, "the lines of work are not known; compile with -g"),
    (
        "config --target mips-linux-gnu --libs",
        1,
        "mips-linux-gnu: there is no runtime for mips, only for",
    ),
    (
        "report ./prog --child work",
        1,
        "--child and --no-children need a folder that gmon run -d has made",
    ),
    (
        "report counts.json --threads",
        1,
        "--threads needs call stacks, which this profile does not have; gmon run records them",
    ),
    (
        "export ./prog --format callgrind -o folder/",
        2,
        "folder/: a folder, into which only jsonl goes; name a file",
    ),
    ("export ./prog --format nosuch", 2, "possible values: "),
    ("diff counts.json", 2, "gmon: say gmon diff BASE NEW; see gmon diff --help"),
    ("diff a b c", 2, "gmon: say --base FILE... --new FILE... for several runs of a side"),
    (
        "diff a b --fail-on foo:+1",
        2,
        "--fail-on foo:+1: foo is none of calls, self, total, samples, mean, p50, p90, p99, p99.9, max",
    ),
    ("diff a b --fail-on self:+5", 2, "--fail-on self:+5: 5 of what? Say 5s or 5%"),
    (
        "diff counts.json counts.json --fail-on calls:+0",
        1,
        "counts.json is on both sides, so no limit can be exceeded; name",
    ),
    (
        "diff --base counts.json other.json --new counts.json",
        1,
        "seconds of CPU time at 100 Hz, seconds of CPU time at 200 Hz; take all with the same --rate",
    ),
    (
        "diff counts.json other.json --runs 3",
        2,
        "--runs is for --base-run and --new-run; these profiles are there already",
    ),
    (
        "diff counts.json folder",
        1,
        "folder: no profiles in JSON are in this folder; gmon run --runs",
    ),
    (
        "ctl dead.live on",
        1,
        "no running program counts in dead.live; gmon recover makes gmon.out of it",
    ),
    ("ctl 999999999 on", 1, "there is no process 999999999"),
    (
        "top dead.live --once",
        1,
        "no running program counts in dead.live; name it: gmon top --program FILE dead.live",
    ),
    ("annotate --function nosuch ./prog", 1, "has no function nosuch; gmon gprof -p -z lists all"),
    (
        "report counts.json --calls nosuch",
        1,
        "no function nosuch was called or seen by a sample; gmon report without --calls lists",
    ),
    (
        "report ./prog --calls nosuch",
        1,
        "no function nosuch was called or seen by a sample; gmon report without --calls lists",
    ),
    (
        "report ./changed stacks.out",
        1,
        "the program's abcd; run it again, or accept names that can be wrong with --any-build",
    ),
    (
        "export --format json counts.json gmon.out",
        1,
        "counts.json: an exported profile; name no data files behind it",
    ),
    (
        "export ./prog -o x.nosuch",
        2,
        "x.nosuch: the name does not tell the format; say --format with",
    ),
    (
        "export ./prog stacks.out --format callgrind --threads split",
        2,
        "callgrind has a file for each thread; say -o FILE",
    ),
    (
        "merge -o sum.txt counts.json other.json",
        1,
        "sum.txt: the sum of exported profiles is one, too; call it sum.txt.json, or",
    ),
    (
        "merge -o sum.json gmon.out",
        1,
        "which are not in gmon.out; export it: gmon export PROGRAM gmon.out -o sum.json, or name",
    ),
    (
        "report ./prog paused.out --threads",
        1,
        "--threads needs call stacks: no sample was taken; let the program do more, or sample",
    ),
    (
        "merge --like prog -o sum.full stacks.out.full",
        1,
        "--like is for files that do not tell their encoding, which stacks.out.full does",
    ),
    (
        "diff --base-run= --new-run=./prog --runs 5",
        1,
        "the command of a side is empty; say what to run, such as --base-run",
    ),
];

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.gmon("cc gcc -O1 prog.c -o prog").assert().success();
    for (rate, profile) in [("hz=100", "counts.json"), ("hz=200", "other.json")] {
        place.command("./prog").env("GMON_OPTIONS", rate).assert().success();
        place.gmon(&format!("export ./prog -o {profile}")).assert().success();
    }
    std::fs::create_dir(place.path("folder")).expect("a folder");
    place.command("./prog").env("GMON_OPTIONS", "stacks,out=stacks.out").assert().success();
    let paused = "stacks,paused,out=paused.out";
    place.command("./prog").env("GMON_OPTIONS", paused).assert().success();
    place.gmon("cc gcc -O1 -Wl,--build-id=0xabcd prog.c -o changed").assert().success();
    // What a program leaves that nobody could stop kindly.
    place.write("endless.c", PROGRAM.replace("CLOCKS_PER_SEC / 2", "1000L * CLOCKS_PER_SEC"));
    place.gmon("cc gcc -O1 endless.c -o endless").assert().success();
    let gmon = place.gmon("").get_program().to_string_lossy().into_owned();
    let counts = format!("{gmon} ctl dead.live status > status 2>&1");
    let killed = format!(
        "GMON_OPTIONS=live=dead.live ./endless & n=0; until {counts} || [ $((n += 1)) -gt 5000 ]; do sleep 0.01; done; kill -9 $!; wait $! || true"
    );
    place.command("sh").args(["-c", &killed]).assert().success();
    for (arguments, status, message) in MISTAKES {
        let mistake = place.gmon(arguments).assert().code(status);
        mistake.stdout(is_empty()).stderr(contains(message).and(contains("panicked").not()));
    }
}

/// Mistakes that only an unusual environment makes.
#[test]
fn what_surrounds_gmon_can_be_wrong_too() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.write("bad.c", "int main(void) { return");
    place.gmon("cc gcc -O1 prog.c -o prog").assert().success();
    place.command("./prog").assert().success();
    let colon = place.path("a:b");
    std::fs::create_dir(&colon).expect("a folder");
    for (arguments, (variable, value), message) in [
        (
            "run /bin/true",
            ("XDG_CACHE_HOME", colon.to_str().expect("a path")),
            "separate paths in LD_PRELOAD; set XDG_CACHE_HOME to a folder without them",
        ),
        (
            "report ./prog --html page.html --open",
            ("PATH", "/nonexistent"),
            "there is no browser to open it with; set BROWSER, or open it yourself",
        ),
        ("run bad.c", ("LC_ALL", "C"), "did not compile the program"),
    ] {
        let mut mistake = place.gmon(arguments);
        mistake.env_remove("BROWSER").env(variable, value).env_remove("GMON_OPTIONS");
        let said = String::from_utf8_lossy(&mistake.output().expect("gmon").stderr).into_owned();
        assert!(said.contains(message) && !said.contains("panicked"), "{arguments}: {said}");
    }
}

/// Programs that do something else each time, leave others behind, or are parts of a whole.
#[test]
fn what_programs_do_can_surprise_too() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for program in ["prog", "other"] {
        place.gmon(&format!("cc gcc -O1 prog.c -o {program}")).assert().success();
    }
    let said = |words: &[&str], variables: &[(&str, &str)]| {
        let mut run = place.gmon("run");
        run.args(words).envs(variables.iter().copied()).env_remove("GMON_OPTIONS");
        String::from_utf8_lossy(&run.output().expect("gmon").stderr).into_owned()
    };
    let changing = "test -e done || ./prog; touch done";
    // Some seconds of work, and gmon is silent for less.
    let many = "(for i in 1 2 3 4 5 6 7 8; do ./prog; done) &";
    let launcher = |ranks: &'static [(&str, &str)]| said(&["./prog"], ranks);
    for (said, messages) in [
        (
            said(&["--runs", "2", "sh", "-c", "./prog; ./other"], &[]),
            [" are kept, those of ", " are not\n"],
        ),
        (
            said(&["--runs", "2", "sh", "-c", changing], &[]),
            [
                "run 2 of 2: a run left no profile of ",
                "; name a command that runs the same program",
            ],
        ),
        (
            said(&["sh", "-c", many], &[]),
            ["the program has ended, but ", "; interrupt (Ctrl-C) to see"],
        ),
        (
            launcher(&[("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "2")]),
            ["ranks are not here yet: gmon.out.1", "; the summary is without them"],
        ),
        (
            launcher(&[("PMIX_RANK", "0")]),
            ["does not say how many ranks there are", "and gmon report takes the files of all"],
        ),
    ] {
        assert!(messages.iter().all(|message| said.contains(message)), "{messages:?}: {said}");
    }
}

/// Where others could exchange what is linked into programs, and where what is written would be seen.
#[test]
fn places_can_be_wrong_too() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    let open = place.path("open");
    std::fs::create_dir(&open).expect("a folder");
    std::fs::set_permissions(&open, Permissions::from_mode(0o777)).expect("our folder");
    let mut compile = place.gmon("cc gcc prog.c -o prog");
    let refused = compile.env("XDG_CACHE_HOME", open.join("a")).env("TMPDIR", &open).assert();
    let message = "/open can be written by other users); set XDG_CACHE_HOME to a folder of yours";
    refused.failure().stderr(contains(message));

    place.gmon("cc gcc -O1 prog.c -o prog").assert().success();
    for arguments in ["run prog.c", "run -d a,b ./prog", "run --runs 2 ./prog", "doctor"] {
        let mut gmon = place.gmon(arguments);
        gmon.env("XDG_CACHE_HOME", place.path("cache")).env("TMPDIR", "/dev/null");
        let output = gmon.output().expect("gmon");
        let said = [output.stdout, output.stderr]
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .concat();
        let message = "no temporary folder can be made in /dev/null; set TMPDIR to another";
        let words: Vec<&str> = said.split_whitespace().collect();
        assert!(words.join(" ").contains(message), "{arguments}: {said}");
    }
    let gmon = place.gmon("").get_program().to_string_lossy().into_owned();
    let lost = format!("mkdir gone && cd gone && rmdir ../gone && {gmon} install --prefix there");
    let lost = place.command("sh").args(["-c", &lost]).assert().failure();
    lost.stderr(contains("there is no current folder; name the prefix by its path from /"));
    // The program takes away the folder that its profile is to go to, and its profile with it.
    let taken = ["-o", "away/x.out", "sh", "-c", "./prog; rm -r away"];
    place.command("mkdir").arg("away").assert().success();
    let taken = place.gmon("run").args(taken).env_remove("GMON_OPTIONS").output().expect("gmon");
    let said = String::from_utf8_lossy(&taken.stderr).into_owned();
    let message = "if the program has removed it, name another with -o: No such file or directory";
    assert!(said.contains(message), "{said}");

    let Some(script) = tools::find("script") else { return };
    place.command("./prog").assert().success();
    let mut terminal = place.command(script);
    terminal.args(["-qec", &format!("{gmon} export ./prog --format pprof"), "/dev/null"]);
    terminal.assert().code(2).stdout(contains("pprof is not for a terminal; say -o FILE, or"));
}

/// Programs that cannot be asked, though they count into live files.
#[test]
fn programs_can_be_deaf_too() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM.replace("CLOCKS_PER_SEC / 2", "1000L * CLOCKS_PER_SEC"));
    place.gmon("cc gcc -O1 prog.c -o prog").assert().success();
    let gmon = place.gmon("").get_program().to_string_lossy().into_owned();
    let script = format!(
        "GMON_OPTIONS=live=deaf.live,sampler=none ./prog & \
         n=0; until {gmon} ctl deaf.live status > status 2>&1 || [ $((n += 1)) -gt 5000 ]; do sleep 0.01; done; \
         {gmon} ctl deaf.live on; \
         {gmon} ctl $! rate 500; \
         printf nonsense | dd of=deaf.live bs=1 seek=1024 conv=notrunc status=none; \
         {gmon} ctl deaf.live on; \
         kill -9 $!; wait $!; \
         GMON_OPTIONS=live=perf.live,sampler=perf ./prog & \
         n=0; until {gmon} ctl perf.live status > status 2>&1 || [ $((n += 1)) -gt 5000 ]; do sleep 0.01; done; \
         {gmon} ctl perf.live --wait 60 rate 500; \
         kill -9 $!; wait $!"
    );
    let said = place.command("sh").args(["-c", &script]).output().expect("sh").stderr;
    let said = String::from_utf8_lossy(&said).into_owned();
    let message = "looks for requests when it is sampled, and takes no samples; start it without GMON_OPTIONS=sampler=none";
    assert_eq!(said.matches(message).count(), 2, "{said}");
    // The word by which gmon knows what it may write into was made another.
    assert!(said.contains("built with an older gmon, which cannot be steered"), "{said}");
    // Where performance events are forbidden, another sampler takes their place, which can.
    let message = "its sampler cannot do that; see gmon ctl --help";
    assert!(said.contains(message) || said.contains("instead"), "{said}");
}

/// Profiles that are there, and tell nothing or not the same.
#[test]
fn profiles_can_be_of_nothing_too() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.write("other.c", PROGRAM.replace("work", "others"));
    for program in ["prog", "other"] {
        place.gmon(&format!("cc gcc -O1 {program}.c -o {program}")).assert().success();
        place.command(format!("./{program}")).assert().success();
        place.gmon(&format!("export ./{program} -o {program}.json")).assert().success();
    }
    let mut nothing: serde_json::Value =
        serde_json::from_str(&place.read("prog.json")).expect("JSON");
    for list in ["functions", "arcs", "lines", "places", "contexts"] {
        nothing[list] = serde_json::json!([]);
    }
    nothing["sampling"]["samples"] = 0.into();
    place.write("nothing.json", nothing.to_string());
    for (arguments, message) in [
        (
            "merge -o sum.json nothing.json",
            "these profiles have neither samples nor calls, so there is nothing to add up",
        ),
        (
            "diff prog.json nothing.json",
            "cannot compare: the new side has neither samples nor counted calls, so there is nothing to compare",
        ),
        (
            "diff nothing.json nothing.json",
            "cannot compare: both sides have neither samples nor counted calls",
        ),
    ] {
        place.gmon(arguments).assert().code(1).stdout(is_empty()).stderr(contains(message));
    }
    let gmon = place.gmon("").get_program().to_string_lossy().into_owned();
    let full = format!("{gmon} diff prog.json prog.json > /dev/full");
    let full = place.command("sh").args(["-c", &full]).assert().code(1);
    full.stderr(contains("to standard output: No space left on device"));
}

#[test]
fn cargo_gmon_says_what_it_lacks() {
    let place = Workplace::new();
    let command = env!("CARGO_BIN_EXE_cargo-gmon");
    let answer = |arguments: &[&str], path: &str| {
        let mut cargo_gmon = place.command(command);
        cargo_gmon.env_remove("CARGO").env_remove("RUSTC").env("PATH", path);
        let answer = cargo_gmon.args(arguments).assert().failure().stdout(is_empty());
        String::from_utf8(answer.get_output().stderr.clone()).expect("UTF-8")
    };
    let nothing = place.path("nothing").display().to_string();
    let without_cargo = answer(&["gmon", "run"], &nothing);
    assert!(
        without_cargo.contains("gmon: cannot run cargo; install Rust (https://rustup.rs)"),
        "{without_cargo}"
    );
    let explode = answer(&["gmon", "explode"], &nothing);
    assert!(explode.contains("unrecognized subcommand 'explode'"), "{explode}");
    let by_hand = answer(&["run-profiled"], &nothing);
    // Not in a project.
    let mut lost = place.command(command);
    let lost = lost.args(["gmon", "run"]).assert().failure().stdout(is_empty());
    lost.stderr(contains("; go to a cargo project, or name one with --manifest-path"));
    place.write("Cargo.toml", "[package]\nname = \"x\"\nversion = \"1.0.0\"\n");
    std::fs::create_dir(place.path("src")).expect("a folder");
    place.write("src/main.rs", "fn main() {}");
    let mut mute = place.command(command);
    let mute = mute.args(["gmon", "run"]).env("RUSTC", "/bin/true").assert().failure();
    mute.stderr(contains("/bin/true does not tell its version (no reason given); name another"));
    place.write("Cargo.toml", "nonsense");
    let mut unreadable = place.command(command);
    let unreadable = unreadable.args(["gmon", "run"]).assert().failure().stdout(is_empty());
    unreadable.stderr(contains("cargo cannot read the project: ").and(contains("Cargo.toml:1:9")));
    assert!(by_hand.contains("this is for cargo; say `cargo gmon run`"), "{by_hand}");
}
