//! Each option of `gmon report` with each kind of file: it works, or says why not.

use std::process::Stdio;
use std::{fs, thread, time::Duration};

use serde_json::Value;
use support::command::{gmon, output_of, said, text_of};
use support::program::Program;
use support::tools;

use super::run;

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A program and its data file, beside which the full profile lies.
    Data,
    /// The full profile.
    Full,
    /// A profile in JSON.
    Json,
    /// One in the first version of the format.
    Json1,
    /// The file of a process that runs.
    Live,
    /// The sum of two full profiles.
    Sum,
    /// A program and its data file without call stacks.
    Counts,
    /// A profile without call stacks in JSON.
    CountsJson,
}

use Kind::{Counts, CountsJson, Data, Full, Json, Json1, Live, Sum};

const KINDS: [Kind; 8] = [Data, Full, Json, Json1, Live, Sum, Counts, CountsJson];

/// Options, a text in what they show, and the files with which they do not work, each with why.
struct Row {
    options: &'static str,
    shows: &'static str,
    refused: &'static [(&'static [Kind], &'static str)],
}

const fn row(
    options: &'static str,
    shows: &'static str,
    refused: &'static [(&'static [Kind], &'static str)],
) -> Row {
    Row { options, shows, refused }
}

const NO_STACKS: (&[Kind], &str) = (&[Counts, CountsJson], "needs call stacks");
const NO_TIMES: (&[Kind], &str) =
    (&[Json1, CountsJson], "needs the times of samples, which were not kept");
const COUNTS: (&[Kind], &str) = (&[Counts], "needs call stacks");
const SEVERAL: (&[Kind], &str) = (&[Sum], "needs one run: these profiles are of several");
const NO_FOLDER: &[(&[Kind], &str)] =
    &[(&KINDS, "--child and --no-children need a folder that gmon run -d has made")];

const TABLE: [Row; 46] = [
    row("", "dear", &[]),
    row("--top 1", "more functions", &[]),
    row("--names linker", "dear", &[]),
    row("--names full", "dear", &[]),
    row("--names plain", "dear", &[]),
    row("--names short", "dear", &[]),
    row("--calls work", "callers", &[]),
    row("--tree", "cut: functions with less than 1 %", &[NO_STACKS]),
    row("--tree --cut 40", "cut: functions with less than 40 %", &[NO_STACKS]),
    row("--bottom-up", "cut: callers with less than 1 %", &[NO_STACKS]),
    row("--bottom-up --cut 40", "cut: callers with less than 40 %", &[NO_STACKS]),
    row("--inlines fold", "dear", &[]),
    row("--inlines show --calls work", "callers", &[]),
    row(
        "--debuginfod",
        "",
        &[
            (&[Data, Full, Live, Sum, Counts], "the address of a server in DEBUGINFOD_URLS"),
            (&[Json, Json1, CountsJson], "exported profiles keep the names they have"),
        ],
    ),
    row("--times", "", &[(&KINDS, "needs the times of calls")]),
    row("--times --by thread", "", &[(&KINDS, "needs")]),
    row("--times --by caller", "", &[(&KINDS, "needs")]),
    row(
        "--by caller",
        "",
        &[(&[Data, Full, Json, Json1, Live, Sum], "--by caller is for --times"), NO_STACKS],
    ),
    row(
        "--times --by module",
        "",
        &[
            (&[Data, Full, Json, Json1, Live, Sum], "times of calls are kept by thread"),
            (&[Counts, CountsJson], "needs the times of calls, which were not taken"),
        ],
    ),
    row("--threads", "CPU: by the clocks of the system", &[NO_STACKS]),
    row("--modules", "/program", &[NO_STACKS]),
    row("--by thread", "program: ", &[NO_STACKS]),
    row("--by module", "/program: ", &[NO_STACKS]),
    row("--by library", "lib", &[NO_STACKS]),
    row(
        "--by rank",
        "no launcher, such as mpirun, gave these processes a rank",
        &[NO_STACKS, (&[Json1], "needs the ranks of threads, which gmon-profile/1 does not tell")],
    ),
    row("--only work", "stacks with work", &[NO_STACKS]),
    row("--only dear/work", "stacks with dear/work", &[NO_STACKS]),
    row("--only dear.h", "stacks with dear.h", &[NO_STACKS]),
    row(
        "--only dear.h:8",
        "stacks with dear.h:8",
        &[NO_STACKS, (&[Json, Json1], "does not tell which functions a line belongs to")],
    ),
    row("--without recurse --threads", "stacks without recurse", &[NO_STACKS]),
    row("--from 0s", "calls are counted without times", &[COUNTS, NO_TIMES, SEVERAL]),
    row("--to 1h", "calls are counted without times", &[COUNTS, NO_TIMES, SEVERAL]),
    row("--last 1h", "calls are counted without times", &[COUNTS, NO_TIMES, SEVERAL]),
    row("--slower 10ms", "", &[(&KINDS, "needs")]),
    row("--phase start", "", &[(&KINDS, "phase")]),
    row("--format text", "dear", &[]),
    row("--format csv", "self", &[]),
    row("--format tsv --calls work", "dear", &[]),
    row("--format markdown --threads", "program", &[NO_STACKS]),
    row("--format json --by module", "gmon-tables/1", &[NO_STACKS]),
    row("--any-build", "dear", &[]),
    row("--child 1", "", NO_FOLDER),
    row("--no-children", "", NO_FOLDER),
    row("--html page.html", "", &[]),
    row("--html page.html --open", "", &[]),
    row("--html page.html --source none --title Dear --only work", "", &[NO_STACKS]),
];

/// Files of a program of each kind.
struct Files {
    stacks: Program,
    counts: Program,
}

impl Files {
    fn new() -> Self {
        let stacks = run("dear.c", "stacks,record,hz=1000");
        let export = |program: &Program, name: &str| {
            let mut export = gmon();
            export.args(["export", "-o"]).arg(program.path(name));
            text_of(export.arg(&program.executable).arg(program.data()));
        };
        export(&stacks, "profile.json");
        let text = fs::read_to_string(stacks.path("profile.json")).expect("a profile");
        let mut first: Value = serde_json::from_str(&text).expect("JSON");
        first["schema"] = "gmon-profile/1".into();
        let fields = first.as_object_mut().expect("an object");
        ["run", "ranks", "regions", "timeline"].iter().for_each(|field| _ = fields.remove(*field));
        fs::write(stacks.path("first.json"), first.to_string()).expect("a writable folder");
        let options = [("GMON_OPTIONS", "stacks,record,hz=1000,out=second")];
        assert!(stacks.run(&[], &options).status.success());
        let mut merge = gmon();
        merge.args(["merge", "-o"]).arg(stacks.path("sum"));
        text_of(merge.arg(stacks.path("gmon.out.full")).arg(stacks.path("second.full")));
        let counts = run("dear.c", "hz=1000");
        export(&counts, "profile.json");
        Self { stacks, counts }
    }

    /// The words that name those of a kind.
    fn words(&self, kind: Kind) -> Vec<std::path::PathBuf> {
        let Self { stacks, counts } = self;
        match kind {
            Data => vec![stacks.executable.clone(), stacks.data()],
            Full => vec![stacks.path("gmon.out.full")],
            Json => vec![stacks.path("profile.json")],
            Json1 => vec![stacks.path("first.json")],
            Live => vec![stacks.path("profile.live")],
            Sum => vec![stacks.path("sum")],
            Counts => vec![counts.executable.clone(), counts.data()],
            CountsJson => vec![counts.path("profile.json")],
        }
    }
}

#[test]
fn each_option_works_with_each_file_or_says_why_not() {
    let files = Files::new();
    // One process that runs for as long as it is looked at.
    let mut running = files.stacks.command();
    running.env("GMON_OPTIONS", "stacks,record,hz=1000,live=profile.live,out=live.out");
    let mut running = running.arg("forever").stdout(Stdio::null()).spawn().expect("a process");
    let is_there = || {
        let shown = output_of(gmon().arg("report").arg(files.stacks.path("profile.live")));
        ["work", "recurse", "dear"].iter().all(|name| {
            String::from_utf8_lossy(&shown.stdout)
                .lines()
                .any(|it| it.ends_with(&format!(" {name}")))
        })
    };
    while !is_there() {
        assert!(running.try_wait().expect("a state").is_none(), "it ended before it was looked at");
        thread::sleep(Duration::from_millis(20));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (turn, Row { options, shows, refused }) in TABLE.iter().enumerate() {
        for &kind in tools::some(&KINDS, (turn, 3), "files for each option of gmon report") {
            let mut report = gmon();
            report.current_dir(folder.path()).env("BROWSER", "true").arg("report");
            report.env_remove("DEBUGINFOD_URLS");
            report.args(options.split_whitespace()).args(files.words(kind));
            let output = output_of(&mut report);
            let (text, said) = (String::from_utf8_lossy(&output.stdout), said(&output));
            let why = refused.iter().find(|(kinds, _)| kinds.contains(&kind));
            match why {
                None => {
                    assert_eq!(output.status.code(), Some(0), "{options} {kind:?}: {said}");
                    assert!(text.contains(shows), "{options} {kind:?}: {text}");
                }
                Some((_, why)) => {
                    let refusal = (output.status.code(), text.len());
                    assert_eq!(refusal, (Some(1), 0), "{options} {kind:?}: {text}{said}");
                    assert!(said.contains(why), "{options} {kind:?}: {said}");
                }
            }
            // The first version says what it lacks, where that could be looked for.
            let lacks = text.contains("gmon-profile/1 does not tell waits");
            let silent = ["html", "--modules", "csv", "tsv", "markdown", "json"];
            let is_table = why.is_none() && !silent.iter().any(|word| options.contains(word));
            assert_eq!(lacks, kind == Json1 && is_table, "{options} {kind:?}: {text}");
        }
    }
    running.kill().expect("it runs");
    running.wait().expect("it ended");
}

#[test]
fn the_table_has_each_option() {
    let help = text_of(gmon().args(["report", "--help-all"]));
    let options = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    let names =
        options.filter_map(|it| it.split(|c: char| c != '-' && !c.is_alphanumeric()).next());
    let names: Vec<_> = names.filter(|name| *name != "color").collect();
    assert!(names.len() > 15, "{help}");
    for name in names {
        let is_in = |row: &Row| row.options.split(' ').any(|word| word == format!("--{name}"));
        assert!(TABLE.iter().any(is_in), "--{name} is in no row");
    }
}
