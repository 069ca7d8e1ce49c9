//! `gmon report` of a run with call stacks, and of one without: what it shows is what the program did.

mod debug_files;
mod from_json;
mod inlines;
mod lines;
mod odd_names;
mod options;
mod same_names;
mod slower;
pub(crate) mod times;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use assert_cmd::prelude::*;
use support::{
    command::{gmon, output_of, quiet, said, text_of},
    program::Program,
    suite::Suite,
    tools,
    workplace::Workplace,
};

const SUITE: Suite = Suite("report");

/// Builds a program and runs it with these options.
fn run(source: &str, options: &str) -> Program {
    // The library stands before the program that needs it.
    let flags = ["-pthread", "-fno-optimize-sibling-calls", "-Wl,--no-as-needed", "-lm"];
    let program = SUITE.build(source, "default", &flags);
    let output = program.run(&[], &[("GMON_OPTIONS", options)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&output), "");
    program
}

/// What the report says.
fn report(program: &Program, arguments: &[&str]) -> String {
    let mut command = gmon();
    command.arg("report").arg(&program.executable).arg(program.data()).args(arguments);
    text_of(&mut command)
}

/// What it says that it cannot do.
fn refusal(program: &Program, arguments: &[&str]) -> String {
    let mut command = gmon();
    command.arg("report").arg(&program.executable).arg(program.data()).args(arguments);
    let output = output_of(&mut command);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    said(&output)
}

/// The cells of the row that ends with a name.
#[track_caller]
fn row<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let end = format!(" {name}");
    let line = text.lines().find(|line| line.ends_with(&end) && line.starts_with(' '));
    let line = line.unwrap_or_else(|| panic!("no {name} in\n{text}"));
    line.split_whitespace().collect()
}

/// A number, or the one that it is below.
#[track_caller]
fn number(cell: &str) -> f64 {
    let digits = cell.trim_start_matches(['<', '!']);
    digits.parse().unwrap_or_else(|_| panic!("{cell} is no number"))
}

#[test]
fn time_is_measured_for_each_caller() {
    let program = run("dear.c", "stacks,hz=1000");
    let functions = report(&program, &[]);
    let work = row(&functions, "work");
    assert_eq!((work[0], work[4]), (work[2], "2,000"), "{functions}");
    assert!(row(&functions, "recurse").contains(&"501"), "{functions}");

    // What the full profile says of the run, and of the sum of two.
    let line = |text: &str, title: &str| {
        let line = text.lines().find(|line| line.starts_with(title));
        line.unwrap_or_else(|| panic!("no {title} in\n{text}")).to_owned()
    };
    let command = format!("command  {}", program.executable.display());
    assert_eq!(line(&functions, "command "), command);
    let run = line(&functions, "run ");
    let parts = [" s, ", " s user, ", " s system; sampled by ", ", signal "];
    assert!(parts.iter().all(|words| run.contains(words)), "{run}");
    let other = program.run(&[], &[("GMON_OPTIONS", "stacks,hz=1000,out=other.out")]);
    assert!(other.status.success(), "{other:?}");
    let twice = report(&program, &[&program.path("other.out").display().to_string()]);
    assert!(line(&twice, "run ").starts_with("run      2 runs, "), "{twice}");
    assert_eq!(line(&twice, "command "), command);

    let calls = report(&program, &["--calls", "work"]);
    let (dear, cheap) = (row(&calls, "dear"), row(&calls, "cheap"));
    let all = number(work[2]);
    assert!(number(dear[0]) >= 0.95 * all, "{calls}");
    assert!(cheap[0].starts_with('<') || number(cheap[0]) <= 0.05 * all, "{calls}");
    // gprof divides the time by the calls, which are equal.
    assert!(dear.contains(&"1,000") && cheap.contains(&"1,000"), "{calls}");
    for guess in [dear[dear.len() - 2], cheap[cheap.len() - 2]] {
        assert!(guess.starts_with('!'), "{calls}");
        assert!((number(guess) - all / 2.0).abs() <= 0.002 + 0.02 * all, "{calls}");
    }

    // A function that calls itself has its time once.
    let recurse = report(&program, &["--calls", "recurse"]);
    let total = number(row(&recurse, "main")[0]);
    assert!((total - number(row(&functions, "recurse")[2])).abs() < 1e-9, "{recurse}");
    assert_eq!(row(&recurse, "recurse")[..2], ["-", "500"], "{recurse}");

    let tree = report(&program, &["--tree"]);
    let depth = |name: &str| {
        let line = tree.lines().find(|line| line.ends_with(&format!(" {name}")));
        line.unwrap_or_else(|| panic!("no {name} in\n{tree}")).len() - name.len()
    };
    assert_eq!(depth("dear"), depth("main") + 2, "{tree}");
    assert_eq!(depth("work"), depth("main") + 4, "{tree}");
    assert_eq!(tree.matches("recurse\n").count(), 1, "{tree}");
    assert!(!tree.contains("cheap"), "{tree}");
    assert!(!report(&program, &["--tree", "--cut", "95"]).contains("recurse"));
}

#[test]
fn samples_are_chosen_by_what_their_stacks_hold() {
    let program = run("dear.c", "stacks,hz=1000");
    // The time of all, that of a part, and what the rest says.
    let all = number(row(&report(&program, &[]), "main")[2]);
    let part = |options: &[&str]| {
        let text = report(&program, options);
        let head = text.lines().next().and_then(|line| line.split_once(": ")).expect("a head").1;
        let cells: Vec<&str> = head.split(' ').collect();
        assert_eq!(cells[1], "of", "{text}");
        (number(cells[0]), text)
    };
    let same = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let (with, text) = part(&["--only", "work"]);
    assert_eq!(text.lines().nth(1), Some("stacks with work"));
    assert!(same(number(row(&text, "main")[2]), with) && with < all, "{text}");
    assert!(!text.contains("recurse"), "{text}");
    // Counts are of all stacks.
    assert_eq!(row(&text, "work")[4..6], ["-", "-"], "{text}");
    let (without, text) = part(&["--without", "work"]);
    assert!(row(&text, "recurse").len() > 5, "{text}");
    assert!(!text.lines().skip(2).any(|line| line.ends_with(" work")), "{text}");

    // Several take the samples of each, and a call needs both functions, one right below the other.
    let (both, _) = part(&["--only", "recurse", "--only", "work"]);
    let (neither, _) = part(&["--without", "recurse", "--without", "work"]);
    assert!(same(both + neither, with + without), "{both} {neither} {with} {without}");
    let (dear, _) = part(&["--only", "dear"]);
    let (call, _) = part(&["--only", "dear/work"]);
    let (rest, _) = part(&["--only", "dear", "--without", "work"]);
    assert!(same(call + rest, dear), "{call} {rest} {dear}");
    let (none, text) = part(&["--only", "main/work"]);
    assert!(same(none, 0.0) && text.contains("\nthere are no such samples\n"), "{text}");
    // A file, as gmon gprof takes it.
    let (of_file, text) = part(&["--only", "dear.h"]);
    assert!(
        same(of_file, part(&["--only", "cheap", "--only", "dear", "--only", "work"]).0),
        "{text}"
    );

    let (_, calls) = part(&["--only", "dear", "--calls", "work"]);
    assert!(row(&calls, "dear").len() > 3 && !calls.contains('!'), "{calls}");
    for option in ["--only", "--without"] {
        let said = refusal(&program, &[option, "no_such"]);
        assert!(said.contains("nothing that no_such names was called or seen"), "{said}");
    }
    // A function that the choice leaves out, and one that is nowhere.
    let said = refusal(&program, &["--without", "work", "--calls", "work"]);
    assert!(said.contains(" that --without leaves: stacks without work"), "{said}");
    let said = refusal(&program, &["--without", "work", "--calls", "no_such"]);
    assert!(said.contains("no function no_such was called or seen on a stack"), "{said}");
}

/// No file has the kernel's own library, so it is read from the memory of the process that reports.
#[test]
fn functions_of_the_kernel_s_library_have_names() {
    let program = run("clock.c", "stacks,hz=1000");
    let functions = report(&program, &["--top", "100"]);
    let rows: Vec<&str> = functions.lines().filter(|line| line.ends_with(" [vdso]")).collect();
    let share = |row: &&str| row.split_whitespace().nth(1).map_or(0.0, number);
    let all: f64 = rows.iter().map(share).sum();
    let is_named = |row: &&str| row.contains("clock_gettime ");
    // Some kernels and clocks have no code for it there, and are called. Parts of it can be functions without names.
    assert!(all < 10.0 || rows.iter().any(is_named) && rows.len() < 9, "{functions}");
    assert!(!functions.contains("[["), "{functions}");
}

#[test]
fn libraries_and_threads_are_distinguished() {
    let program = run("libraries.c", "stacks,hz=1000");
    let functions = report(&program, &["--top", "100"]);
    for library in ["libm.so.6", "libc.so.6"] {
        // Functions without a name are called by the file and their place in it.
        let (known, unnamed) = (format!(" [{library}]"), format!(" {library}+0x"));
        let is_of = |line: &&str| line.contains(&known) || line.contains(&unnamed);
        let rows = functions.lines().filter(is_of);
        let own = rows.filter_map(|line| line.split_whitespace().next().map(number));
        assert!(own.sum::<f64>() > 0.0, "{functions}");
    }
    // Beside it stands the function of the program that it works for; not beside those of the program.
    let csv = report(&program, &["--top", "100", "--format", "csv"]);
    let heading = csv.lines().next().expect("a heading");
    assert!(heading.ends_with(",function,inlined,module,from,from_others"), "{heading}");
    let most = |library: &str| {
        let mut rows = csv.lines().filter(|row| row.contains(library) && !row.starts_with(",0,"));
        rows.next().and_then(|row| row.rsplit(',').nth(1)).unwrap_or_default().to_owned()
    };
    assert_eq!((most("libm.so.6"), most("libc.so.6")), ("waves".into(), "sort".into()), "{csv}");
    assert!(csv.lines().any(|row| row.ends_with(",waves,,,,")), "{csv}");
    assert!(functions.lines().any(|line| line.ends_with(" (from waves)")), "{functions}");
    let waves = row(&functions, "waves");
    assert!(waves.contains(&"1"), "{functions}");
    assert!(number(waves[2]) > number(waves[0]), "{functions}");
    // Where there are several, each has its time in a line.
    for (line, name) in [("modules: ", "libm.so.6 "), ("threads: ", "surfer ")] {
        let line = functions.lines().find(|text| text.starts_with(line) && text.contains(name));
        assert!(line.is_some(), "{functions}");
    }

    let modules = report(&program, &["--modules"]);
    let line = |end: &str| {
        let line = modules.lines().find(|line| line.ends_with(end));
        line.unwrap_or_else(|| panic!("no {end} in\n{modules}"))
    };
    for module in ["/libm.so.6", "/libc.so.6", "/program"] {
        let time = line(module).split_whitespace().next();
        assert!(number(time.expect("a time")) > 0.0, "{modules}");
    }

    // Functions of each: a title without indentation, and rows below it.
    let table = |what: &str, title: &str| {
        let text = report(&program, &["--by", what, "--top", "100"]);
        let is_title = |line: &&str| line.contains(title) && line.ends_with(" seconds");
        let lines: Vec<&str> = text.lines().skip_while(|line| !is_title(line)).collect();
        assert!(!lines.is_empty(), "no {title} in\n{text}");
        lines.into_iter().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    let surfer = table("thread", "surfer");
    assert!(surfer.contains(" waves\n") && !surfer.contains(" main\n"), "{surfer}");
    // The title has the time of the program itself. That of the profiler in the first call of a thread stands apart.
    let own = |table: &str| {
        let rows = table.lines().skip(2).filter(|line| !line.ends_with(" [profiling hooks]"));
        rows.filter_map(|line| line.split_whitespace().next()).map(number).sum::<f64>()
    };
    for (what, title) in [("thread", "surfer"), ("library", "/libm.so.6"), ("module", "/program")] {
        let table = table(what, title);
        let sum = table.lines().next().and_then(|line| line.rsplit(' ').nth(1)).map(number);
        assert!(sum.is_some_and(|sum| (sum - own(&table)).abs() < 1e-6), "{table}");
    }
    let libraries = report(&program, &["--by", "library"]);
    assert!(!libraries.lines().skip(1).any(|line| line.contains("/program: ")), "{libraries}");
    let program_rows = table("module", "/program");
    let named = program_rows.replace("[no symbol]", "").replace("[plt]", "");
    assert!(named.contains(" waves") && !named.contains('['), "{program_rows}");

    let threads = report(&program, &["--threads"]);
    assert!(number(row(&threads, "surfer")[0]) > 0.0, "{threads}");
    assert!(number(row(&threads, "program")[0]) > 0.0, "{threads}");
    // The full profile knows its program itself.
    let full = text_of(gmon().arg("report").arg(program.path("gmon.out.full")).arg("--threads"));
    let rows = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&full), rows(&threads));
}

#[test]
fn rows_fit_a_terminal() {
    let Some(script) = tools::find("script") else { return };
    let program = run("libraries.c", "stacks,hz=1000");
    let waiting = run("libraries.c", "stacks,sampler=wall,hz=1000");
    let in_terminal = |subject: &str, option: &str| {
        let gmon = gmon().get_program().to_string_lossy().into_owned();
        let line = format!("stty rows 40 cols 80; exec {gmon} report {subject} {option}");
        let mut terminal = quiet(&script);
        terminal.env("NO_COLOR", "1");
        let output = output_of(terminal.args(["-q", "-e", "-c", &line, "/dev/null"]));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
    };
    let cases = [
        "",
        "--top 1",
        "--top 100",
        "--tree --cut 0",
        "--tree --cut 40",
        "--bottom-up",
        "--calls waves",
        "--threads",
        "--modules",
        "--by thread",
        "--by module --top 1",
        "--by library",
    ];
    let check = |subject: &str, option: &str| {
        let text = in_terminal(subject, option);
        // The first line names the program whole.
        let table = text.lines().skip(1).take_while(|line| !line.starts_with("profile "));
        let widest = table.map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|columns| columns <= 80), "{subject} {option}:\n{text}");
    };
    for program in [&program, &waiting] {
        let subject = format!("{} {}", program.executable.display(), program.data().display());
        for option in cases {
            check(&subject, option);
        }
        let exported = program.path("exported.json");
        let mut export = gmon();
        export.arg("export").arg(&program.executable).arg(program.data());
        text_of(export.arg("-o").arg(&exported));
        for option in cases {
            check(&exported.to_string_lossy(), option);
        }
    }
}

#[test]
fn without_stacks_it_says_how_to_get_them() {
    let program = run("dear.c", "");
    assert!(report(&program, &[]).contains("divided among callers by calls"));
    let calls = report(&program, &["--calls", "work"]);
    assert!(calls.contains("a guess") && calls.contains("GMON_OPTIONS=stacks"), "{calls}");
    let (dear, cheap) = (row(&calls, "dear"), row(&calls, "cheap"));
    assert_eq!(dear[..2], cheap[..2], "{calls}");
    assert_eq!(dear[1], "1,000", "{calls}");
    for arguments in
        [&["--tree"][..], &["--threads"], &["--modules"], &["--by", "thread"], &["--only", "work"]]
    {
        let (option, said) = (arguments[0], refusal(&program, arguments));
        assert!(said.starts_with(&format!("gmon: {option} needs call stacks")), "{said}");
        assert!(said.contains("gmon.out has no call stacks"), "{said}");
        assert!(
            said.ends_with("run the program by gmon run, or with GMON_OPTIONS=stacks\n"),
            "{said}"
        );
    }
    for calls in [&["--calls", "no_such"][..], &["--calls", "ork"]] {
        assert!(refusal(&program, calls).contains(&format!("no function {}", calls[1])));
    }
}

/// A run without stacks leaves the full profile of the run before where it is.
#[test]
fn stacks_of_an_earlier_run_are_not_shown_for_this_one() {
    let program = run("dear.c", "stacks,hz=1000");
    let later = SystemTime::now() + Duration::from_secs(10);
    let data = fs::File::options().append(true).open(program.data()).expect("data");
    data.set_modified(later).expect("a time");
    // Every command says that they are there.
    let full = program.path("gmon.out.full");
    let said_by = |words: &[&str], data: &[&Path]| {
        let mut command = gmon();
        let output = output_of(command.args(words).args(data));
        assert!(output.status.success(), "{words:?} {output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (text, said(&output))
    };
    let why = format!("full is of an earlier run; name {} to read that\n", full.display());
    let (program_file, data) = (&*program.executable, &*program.data());
    for words in [&["report"][..], &["annotate"], &["export", "--format", "csv"]] {
        let (text, said) = said_by(words, &[program_file, data]);
        assert!(said.contains(&why), "{words:?}: {said}");
        assert_eq!(words == ["report"], text.contains("divided among callers by calls"), "{text}");
        assert!(!said_by(words, &[program_file, &full]).1.contains("earlier"), "{words:?}");
    }
    let program_words = ["diff", "--base-program", program_file.to_str().expect("text")];
    let (_, said) = said_by(&program_words, &[data, &full]);
    assert_eq!(said.matches(&why).count(), 1, "{said}");
    assert!(refusal(&program, &["--tree"]).contains("gmon.out.full is of an earlier run"));
    assert!(refusal(&program, &["--calls", "no_such"]).contains("no function no_such"));
}

/// The linker's stubs have no hooks, in a library that was built with them either.
#[test]
fn calls_inside_libraries_with_hooks_are_counted() {
    let place = Workplace::new();
    // A fifth of the time or more is that of the stub.
    place.write("tiny.c", "void tiny(void) {}");
    let library = "void tiny(void);
        #define TWICE(it) it; it
        __attribute__((noinline)) void f(int n) { while (n--) { TWICE(TWICE(TWICE(tiny()))); } }
        void g(int n) { for (int i = 0; i < 10; i++) f(n); }";
    place.write("lib.c", library);
    place.write("m.c", "void g(int); int main(void) { g(4000000); return 0; }");
    place.must("gcc -O1 -shared -fPIC tiny.c -o libtiny.so");
    place.gmon("cc gcc -O1 -shared -fPIC lib.c -o libx.so -L. -ltiny").assert().success();
    let line = "cc gcc -O1 m.c -o m -L. -lx -ltiny -Wl,-rpath,$ORIGIN,-rpath-link,.";
    place.gmon(line).assert().success();
    let mut run = place.gmon("run --rate 10000 --top 1000 ./m");
    let summary = said(&output_of(run.env("LD_LIBRARY_PATH", place.folder())));
    assert!(summary.contains("  [plt] [libx.so]") && summary.contains("f [libx.so]"), "{summary}");
    let line = summary.lines().find(|line| line.starts_with("calls: not counted in "));
    let line = line.unwrap_or_else(|| panic!("no such line:\n{summary}"));
    assert!(!line.contains("libx.so") && !line.contains("without -pg"), "{line}");
}
