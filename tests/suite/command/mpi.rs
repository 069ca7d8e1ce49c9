//! Parallel programs of MPI, by both of its usual libraries: a profile for each rank, one summary, and ranks beside each
//! other.

use std::path::Path;
use std::process::Command;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, is_match};
use support::tools;
use support::workplace::Workplace;

/// A library of MPI: its compiler, and how to start programs as any user on any machine.
struct Library {
    compiler: &'static str,
    launcher: &'static str,
    options: &'static str,
}

const MPICH: Library = Library { compiler: "mpicc.mpich", launcher: "mpirun.mpich", options: "" };
const OPEN_MPI: Library = Library {
    compiler: "mpicc.openmpi",
    launcher: "mpirun.openmpi",
    options: "--allow-run-as-root --oversubscribe",
};

const RANKS: u64 = 4;

impl Library {
    /// A place with the example, of which rank r does r + 1 units; none if the library is not installed.
    fn place(&self) -> Option<Workplace> {
        tools::find(self.compiler).and(tools::find(self.launcher))?;
        let place = Workplace::new();
        place.write("units.c", include_str!("../../../examples/languages/units.c"));
        let line = format!("cc {} -O2 -g units.c -o units", self.compiler);
        place.gmon(&line).assert().success();
        Some(place)
    }

    /// The command that starts all ranks, behind these words.
    fn all_ranks(&self, mut before: Command) -> Command {
        let number = RANKS.to_string();
        let options = self.options.split_whitespace().chain(["-n", number.as_str()]);
        before.args(options);
        // Open MPI's runs of one user share a folder there, which the first to end removes under the others.
        if let Some(place) = before.get_current_dir().map(Path::to_owned) {
            before.env("TMPDIR", place);
        }
        before
    }

    fn start(&self, place: &Workplace) -> Command {
        self.all_ranks(place.command(self.launcher))
    }
}

/// The files of profiles in a place.
fn profiles(place: &Workplace) -> Vec<String> {
    place.files().into_iter().filter(|file| file.starts_with("gmon.out")).collect()
}

/// The seconds of the rank or of the function that a row is of, in one of its columns.
fn seconds(text: &str, row: &str, column: usize) -> f64 {
    let is_row = |line: &&str| line.split_whitespace().next_back() == Some(row);
    let line = text.lines().find(is_row).unwrap_or_else(|| panic!("no row {row} in {text}"));
    let cell = line.split_whitespace().nth(column).and_then(|cell| cell.parse().ok());
    cell.unwrap_or_else(|| panic!("no number in {line}"))
}

/// Demands that `--by rank` shows the work that each rank did. Times are only compared with each other, and loosely.
fn shows_all_ranks(place: &Workplace, data: &str) {
    let report = place.gmon(&format!("report units {data} --by rank --top 100")).output();
    let text = String::from_utf8(report.expect("gmon report").stdout).expect("UTF-8");
    let work: Vec<f64> = (0..RANKS).map(|rank| seconds(&text, &rank.to_string(), 2)).collect();
    // They did one, two, three and four units of work. A busy machine may swap two neighbours.
    assert!(work[0] > 0.0 && work[0] < work[2] && work[1] < work[3], "{text}");
    assert!(work[3] > 2.0 * work[0], "the last rank did four times as much: {text}");
    let slowest = ["rank 2 the slowest", "rank 3 the slowest"];
    assert!(text.contains("imbalance") && slowest.iter().any(|it| text.contains(it)), "{text}");
    let imbalance = seconds(&text, "unit", 3);
    assert!((1.2..2.5).contains(&imbalance), "1.6 is expected: {text}");
}

/// Each rank writes its own file, none complains, and the calls are those that it made.
fn ranks_have_files_of_their_own(library: &Library) {
    let Some(place) = library.place() else { return };
    for _ in 0..2 {
        library.start(&place).arg("./units").assert().success().stderr(is_empty());
        assert_eq!(
            profiles(&place),
            (0..RANKS).map(|r| format!("gmon.out.{r}")).collect::<Vec<_>>()
        );
    }
    for rank in 0..RANKS {
        let flat = place.gmon(&format!("gprof -b -p units gmon.out.{rank}")).output();
        let flat = String::from_utf8(flat.expect("gmon gprof").stdout).expect("UTF-8");
        let row = flat.lines().find(|line| line.ends_with(" unit")).expect("a row of unit");
        let calls = row.split_whitespace().nth(3).map(str::parse);
        assert_eq!(calls, Some(Ok(rank + 1)), "{flat}");
    }
}

fn a_run_within_each_rank_shows_one_summary(library: &Library) {
    let Some(place) = library.place() else { return };
    let gmon = place.gmon("").get_program().to_owned();
    let run = library.start(&place).arg(gmon).args(["run", "./units"]).assert().success();
    let once = is_match(r"(?s)^units: [^\n]*, 14 calls of 2 functions\n").expect("a pattern");
    run.stderr(once.and(contains("seconds of CPU time").count(1)).and(contains("ranks: 4,")));
    let files = profiles(&place);
    assert_eq!(files.len() as u64, 2 * RANKS, "{files:?}");
    shows_all_ranks(&place, "gmon.out.0 gmon.out.1 gmon.out.2 gmon.out.3");
    // Call stacks of that run are still there, and none are waited for.
    for options in ["--no-stacks", "-d all"] {
        let mut run = library.start(&place);
        run.arg(crate::GMON).arg("run").args(options.split(' '));
        let once = contains(", 14 calls of 2 functions\n").count(1);
        run.arg("./units").assert().success().stderr(once.and(contains("not here yet").not()));
    }
}

fn a_run_of_the_launcher_shows_all_ranks(library: &Library) {
    let Some(place) = library.place() else { return };
    let run = place.gmon(&format!("run -o all {}", library.launcher));
    let run = library.all_ranks(run).arg("./units").assert().success();
    run.stderr(contains("in 4 processes, 14 calls of 2 functions").and(contains("ranks: 4,")));
    let data = if place.exists("all.units") { "all.units" } else { "all" };
    shows_all_ranks(&place, data);
}

#[test]
fn ranks_of_mpich_have_files_of_their_own() {
    ranks_have_files_of_their_own(&MPICH);
}

#[test]
fn ranks_of_open_mpi_have_files_of_their_own() {
    ranks_have_files_of_their_own(&OPEN_MPI);
}

#[test]
fn a_run_within_each_rank_of_mpich_shows_one_summary() {
    a_run_within_each_rank_shows_one_summary(&MPICH);
}

#[test]
fn a_run_within_each_rank_of_open_mpi_shows_one_summary() {
    a_run_within_each_rank_shows_one_summary(&OPEN_MPI);
}

#[test]
fn a_run_of_the_launcher_of_mpich_shows_all_ranks() {
    a_run_of_the_launcher_shows_all_ranks(&MPICH);
}

#[test]
fn a_run_of_the_launcher_of_open_mpi_shows_all_ranks() {
    a_run_of_the_launcher_shows_all_ranks(&OPEN_MPI);
}

#[test]
fn patterns_name_rank_machine_and_variables() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    place.gmon("cc cc prog.c -o prog").assert().success();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    let host = host.trim_end();
    for (pattern, rank, file) in [
        ("p.%r", Some("12"), "p.12".to_owned()),
        ("p.%r", None, "p.0".to_owned()),
        ("p.%h", None, format!("p.{host}")),
        ("p.%q{JOB}.%r", Some("3"), "p.night.3".to_owned()),
        ("p.%q{UNSET}", None, "p.".to_owned()),
        ("p.%q", None, "p.%q".to_owned()),
        ("", Some("5"), "gmon.out.5".to_owned()),
        ("", Some("five"), "gmon.out".to_owned()),
    ] {
        let mut run = place.command("./prog");
        run.env("JOB", "night").env("GMON_OPTIONS", format!("out={pattern}"));
        if let Some(rank) = rank {
            run.env("PMI_RANK", rank);
        }
        run.assert().success().stderr(is_empty());
        assert!(place.exists(&file), "{pattern}: {:?}", place.files());
        std::fs::remove_file(place.path(&file)).expect("the file");
    }
}

#[test]
fn every_launcher_tells_ranks() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    place.gmon("cc cc prog.c -o prog").assert().success();
    // In the order in which they count, each set beside those after it.
    let launchers = [
        "OMPI_COMM_WORLD_RANK",
        "MV2_COMM_WORLD_RANK",
        "PALS_RANKID",
        "ALPS_APP_PE",
        "JSM_NAMESPACE_RANK",
        "FLUX_TASK_RANK",
        "PMI_RANK",
        "PMIX_RANK",
        "SLURM_PROCID",
        "MPI_LOCALRANKID",
    ];
    for first in 0..launchers.len() {
        let ranks = (first..).map(|rank| rank.to_string());
        let mut run = place.command("./prog");
        run.envs(launchers.into_iter().skip(first).zip(ranks));
        run.assert().success().stderr(is_empty());
        assert!(place.exists(&format!("gmon.out.{first}")), "{}", launchers[first]);
    }
    assert_eq!(
        place.files().iter().filter(|it| it.starts_with("gmon.out")).count(),
        launchers.len()
    );
}

#[test]
fn a_source_is_compiled_before_ranks_run_it() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    let run = place.gmon("run prog.c").env("PMI_RANK", "1").assert().code(1);
    run.stderr(contains("gmon: each rank would compile the program; compile it first"));
}

#[test]
fn a_parallel_region_has_its_time_by_thread() {
    for (compiler, region) in [("gcc", "main (parallel 1)"), ("clang", "uneven.c (parallel 1)")] {
        if tools::find(&format!("{compiler} -fopenmp")).is_some() {
            region_has_its_time(compiler, region);
        }
    }
}

fn region_has_its_time(compiler: &str, region: &str) {
    let place = Workplace::new();
    // One thread of two does three times as much as the other, in a cache line of its own: one they shared would slow
    // both only until the first is done.
    place.write(
        "uneven.c",
        "#include <omp.h>\nstatic volatile double sink[2][64];\n\
         __attribute__((noinline)) void unit(int t) { for (int i = 0; i < 60000000; i++) sink[t][0] += i; }\n\
         int main(void) {\n#pragma omp parallel num_threads(2)\n\
         for (int i = 0; i <= 2 * omp_get_thread_num(); i++) unit(omp_get_thread_num());\n}\n",
    );
    let mut run = place.gmon("run uneven.c -fopenmp");
    let run = run.env("OMP_WAIT_POLICY", "active").env("CC", compiler).assert();
    run.success().stderr(contains(region).and(contains("\nOpenMP: ")));
    let report = |options: &str| {
        let report = place.gmon(&format!("report a.out {options}")).output().expect("gmon report");
        String::from_utf8(report.stdout).expect("UTF-8")
    };
    let text = report("--threads");
    let row = text.lines().find(|line| line.ends_with(region));
    let row = row.unwrap_or_else(|| panic!("no region in {text}"));
    let cells: Vec<f64> =
        row.split_whitespace().take(5).map(|cell| cell.parse().expect("a number")).collect();
    let (time, threads, imbalance) = (cells[0], cells[1], cells[4]);
    assert_eq!(threads, 2.0, "{text}");
    assert!((1.2..2.0).contains(&imbalance), "1.5 is expected: {text}");
    // All that it does is to call this function.
    let unit = seconds(&report("--top 100"), "unit", 0);
    assert!(time > 0.5 * unit && time < 2.0 * unit, "{unit} in {text}");
}
