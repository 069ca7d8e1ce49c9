//! `gmon annotate`: what stands before and below the lines.

use std::fs;
use std::process::Output;

use gmon_format::{Encoding, Histogram, Record, Records};

use super::{counters::count, lcov::example};
use support::{
    command::{gnu_line_gprof, output_of, said, text_of},
    compilers::{GCC, installed_for},
    tools,
    workplace::Workplace,
};

/// What `gmon annotate` with these arguments prints.
pub(crate) fn annotate(place: &Workplace, arguments: &[&str]) -> String {
    text_of(place.gmon("annotate").args(arguments))
}

/// What it prints and what it warns of.
fn doubted(place: &Workplace, arguments: &[&str]) -> (String, String) {
    let output = output_of(place.gmon("annotate").args(arguments));
    assert!(output.status.success(), "{output:?}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), said(&output))
}

fn failed(place: &Workplace, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = output_of(place.gmon("annotate").args(arguments));
    assert_eq!((status.code(), stdout.len()), (Some(1), 0), "{arguments:?}");
    String::from_utf8_lossy(&stderr).into_owned()
}

/// What stands before each line with some text, without blanks.
pub(crate) fn before<'a>(text: &'a str, line: &str) -> Vec<&'a str> {
    let found = text.lines().filter_map(|row| row.strip_suffix(line));
    found.map(|row| row.split_whitespace().next().unwrap_or_default()).collect()
}

/// The counts that gprof's manual explains its annotated source with.
#[test]
fn manuals_example_has_the_manuals_counts() {
    for compiler in installed_for("a.c") {
        let place = Workplace::new();
        count(&place, compiler, &example("updcrc.c"));
        let text = annotate(&place, &["--function", "updcrc", "ours"]);
        for (line, count) in [
            ("if (text == NULL) {", "2"),
            ("sum = 0xffffffff;", "1"),
            ("sum = so_far;", "1"),
            ("sum = table[(sum ^ *text++) & 0xff] ^ (sum >> 8);", "26,312"),
            ("} while (--length);", "26,312"),
            ("so_far = sum;", "2"),
            ("return sum ^ 0xffffffff;", "2"),
        ] {
            assert_eq!(before(&text, line), [count], "{}: {line}\n{text}", compiler.name);
        }
        assert!(!text.contains("fill_table"), "{text}");

        let Some(text) = gnu_line_gprof(&place.path("ours"), &place.path("gmon.out")) else {
            continue;
        };
        let mut ours = place.gmon("gprof -b -l -A -x ours gmon.out");
        let paths = |text: &str| text.replace(&place.path("ours").display().to_string(), "ours");
        assert_eq!(text_of(&mut ours), paths(&text), "{}", compiler.name);
        // The bottom of the loop: it was reached, went round and was left so often.
        let bottom = text.lines().find(|line| line.contains("while (--length)"));
        let counts =
            bottom.and_then(|line| line.split_once(['-', '}'])).map_or("", |(counts, _)| counts);
        let mut counts: Vec<&str> = counts.trim().split(',').collect();
        counts.sort_unstable();
        // gcc has one block for the whole loop.
        let expected =
            if compiler.name == "gcc" { &["26312"][..] } else { &["1", "26311", "26312"] };
        assert_eq!(counts, expected, "{}: {bottom:?}", compiler.name);
    }
}

#[test]
fn lines_never_executed_calls_and_copies_are_shown() {
    let place = Workplace::new();
    let source = "__attribute__((noinline)) int never(int x)\n{\n    return x + 1;\n}\n\
        static inline __attribute__((always_inline)) int twice(int x)\n{\n    return 2 * x;\n}\n\
        __attribute__((noinline)) int work(int x)\n{\n    return twice(x);\n}\n\
        int main(int n, char **v)\n{\n    (void)v;\n    for (int i = 0; i < 1200; i++)\n\
        \x20       work(i);\n    if (n > 5)\n        return never(n);\n    return 0;\n}\n";
    place.write("prog.c", source);
    let mut run = place.gmon("run --blocks prog.c");
    assert!(output_of(&mut run).status.success());

    let text = annotate(&place, &[]);
    assert_eq!(before(&text, "return x + 1;"), ["#####"], "{text}");
    assert_eq!(before(&text, "return never(n);"), ["#####"], "{text}");
    assert_eq!(before(&text, "for (int i = 0; i < 1200; i++)"), ["1,201"], "{text}");
    assert_eq!(before(&text, "-> work"), ["1,200"], "{text}");
    assert_eq!(before(&text, "in work, inlined at prog.c:11"), ["1,200"; 1], "{text}");
    assert!(text.contains("\nprog.c: 8 of 11 lines executed (72.7 %), "), "{text}");

    // Files that are elsewhere now.
    fs::create_dir(place.path("moved")).expect("a folder");
    fs::rename(place.path("prog.c"), place.path("moved/prog.c")).expect("a source");
    let (_, said) = doubted(&place, &["--function", "work", "a.out", "gmon.out"]);
    let doubt = "gmon: prog.c: No such file or directory; say where it is with -I FOLDER\n";
    assert_eq!(said, doubt);
    let text = annotate(&place, &["-I", "moved", "--function", "work"]);
    assert_eq!(before(&text, "return twice(x);"), ["1,200"], "{text}");
    let text = annotate(&place, &["-I", "moved", "--line", "--top", "1"]);
    assert!(text.contains("prog.c:16  for (int i = 0; i < 1200; i++)"), "{text}");
    let text = annotate(&place, &["-I", "moved", "--line", "--top", "1", "--format", "csv"]);
    let heading = "executions,self_ns,self_percent,file,line,source\n";
    assert!(text.starts_with(heading), "{text}");
    assert!(text.ends_with(",prog.c,16,for (int i = 0; i < 1200; i++)\n"), "{text}");

    let said = failed(&place, &["--function", "nothing"]);
    assert!(said.starts_with("gmon: a.out has no function nothing; "), "{said}");
}

/// Without counts of blocks, time and calls are there.
#[test]
fn hot_loop_has_the_time() {
    let place = Workplace::new();
    let source = "int main(void)\n{\n    unsigned x = 1;\n\
        \x20   for (unsigned i = 0; i < 400000000; i++)\n        x = x * 3 + i;\n\
        \x20   return x == 7;\n}\n";
    place.write("hot.c", source);
    let mut cc = place.gmon("");
    text_of(cc.args(["cc", GCC.c, "-O1", "-g", "hot.c", "-o", "hot"]));
    text_of(&mut place.command(place.path("hot")));
    let text = annotate(&place, &["hot"]);
    let percent = |line: &str| {
        let row = text.lines().find(|row| row.ends_with(line)).expect("the line");
        let cells: Vec<f64> = row.split_whitespace().map_while(|cell| cell.parse().ok()).collect();
        if let [_time, percent, _line] = cells[..] { percent } else { 0.0 }
    };
    let both = percent("for (unsigned i = 0; i < 400000000; i++)") + percent("x = x * 3 + i;");
    assert!(both > 95.0, "{text}");

    // In a small program, a bin covers two bytes.
    let data = fs::read(place.path("gmon.out")).expect("a data file");
    let mut widths =
        Records::new(&data, Encoding::NATIVE).expect("a header").filter_map(|record| {
            let Record::Histogram(Histogram { header, .. }) = record.expect("a record") else {
                return None;
            };
            Some((header.high_pc.0 - header.low_pc.0) / u64::from(header.bins))
        });
    assert_eq!((widths.next(), widths.next()), (Some(2), None));
}

/// Two files of one name, one of them with a function that is nowhere but inlined.
const TWO_FILES: [(&str, &str); 3] = [
    (
        "one/prog.c",
        "#include \"twice.h\"\nint work(int);\nint main(void)\n{\n    int n = 0;\n\
         \x20   for (int i = 0; i < 1000; i++)\n        n += twice(work(i));\n    return n == 3;\n}\n",
    ),
    (
        "one/twice.h",
        "static inline __attribute__((always_inline)) int twice(int n)\n{\n    return 2 * n;\n}\n",
    ),
    ("two/prog.c", "int work(int n)\n{\n    return n % 7;\n}\n"),
];

/// Builds and runs a program of two files, whose sources lie in `folder` afterwards.
fn two_files(folder: &str) -> Workplace {
    let place = Workplace::new();
    for name in ["one", "two"] {
        fs::create_dir(place.path(name)).expect("a folder");
    }
    for (name, text) in TWO_FILES {
        fs::write(place.path(name), text).expect("a source");
    }
    let mut cc = place.gmon("");
    cc.args(["cc", "--blocks", GCC.c, "-O0"]);
    for name in ["one", "two"] {
        cc.arg(place.path(name).join("prog.c"));
    }
    text_of(cc.args(["-o", "ours"]));
    text_of(place.command(place.path("ours")).env("GMON_OPTIONS", "sampler=none"));
    fs::create_dir_all(place.path(folder)).expect("a folder");
    for name in ["one", "two"] {
        let moved = place.path(folder).join(name);
        fs::rename(place.path(name), moved).expect("a folder");
    }
    place
}

#[test]
fn files_of_one_name_are_distinguished_after_a_move() {
    let place = two_files("moved");
    let text = annotate(&place, &["-I", "moved", "ours"]);
    assert_eq!(before(&text, "return n % 7;"), ["1,000"], "{text}");
    assert_eq!(before(&text, "for (int i = 0; i < 1000; i++)"), ["1,001"], "{text}");
    assert!(!text.contains("say where it is"), "{text}");
}

#[test]
fn inlined_function_is_shown_with_the_places_it_is_in() {
    let place = two_files(".");
    let text = annotate(&place, &["--function", "twice", "ours"]);
    assert_eq!(before(&text, "return 2 * n;"), ["1,000"], "{text}");
    assert_eq!(before(&text, "in main, inlined at one/prog.c:7"), ["1,000"], "{text}");
    assert!(text.contains("\ntwice: 1 of 1 line executed (100.0 %), "), "{text}");
}

/// A source may have become something else.
#[test]
fn doubtful_sources_have_a_warning() {
    let place = two_files(".");
    let source = place.path("two/prog.c");
    let work = |place: &Workplace| doubted(place, &["--function", "work", "ours"]);
    assert_eq!(work(&place).1, "");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(100);
    let file = fs::File::options().write(true).open(&source).expect("a source");
    file.set_modified(later).expect("a time");
    let doubt = "gmon: two/prog.c is newer than ours: its lines may have moved\n";
    assert_eq!(work(&place).1, doubt);

    fs::write(&source, b"\x1b[31m\xff\0int work(int n)\r\n").expect("a source");
    let (text, _) = work(&place);
    assert!(!text.contains('\x1b') && text.contains("[31m\u{fffd}int work(int n)\n"), "{text}");
    fs::remove_file(&source).expect("a source");
    text_of(place.command("mkfifo").arg(&source));
    let (text, said) = work(&place);
    assert_eq!(said, "gmon: two/prog.c: is not a file; say where it is with -I FOLDER\n");
    assert!(text.contains(" 1,000                       3\n"), "{text}");
}

/// Colours and widths are a terminal's; `script` is one.
#[test]
fn terminal_has_colours_and_a_width() {
    let Some(script) = tools::find("script") else { return };
    let place = two_files(".");
    let in_terminal = |variables: &str| {
        let gmon = crate::GMON;
        let line = format!("stty rows 40 cols 60; {variables} exec {gmon} annotate ours");
        let mut terminal = place.command(&script);
        let output = output_of(terminal.args(["-q", "-e", "-c", &line, "/dev/null"]));
        String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
    };
    let coloured = in_terminal("TERM=xterm");
    assert!(coloured.contains("\x1b["), "{coloured}");
    let plain = in_terminal("TERM=xterm NO_COLOR=1");
    assert!(!plain.contains('\x1b') && plain.contains("static inline"), "{plain}");
    let widest = plain.lines().filter(|line| !line.contains("prog.c") && !line.contains(".h"));
    assert_eq!(widest.map(|line| line.chars().count()).max(), Some(60), "{plain}");
}
