//! What GNU gprof gets wrong where it reports by line, and `gmon annotate` does not.

use std::fs;

use object::{Object, ObjectSymbol};

use super::annotate::{annotate, before};
use support::{
    command::{libraries, text_of},
    compilers::GCC,
    tools,
    workplace::Workplace,
};

/// Compiles a program by gcc as `ours`.
fn compile(place: &Workplace, source: &str, flags: &[&str]) {
    place.write("prog.c", source);
    let mut compile = place.command(GCC.c);
    compile.args(["-O0", "-g"]).args(flags).args(["prog.c", "-o", "ours"]);
    text_of(compile.args(libraries(GCC.target)));
}

/// A histogram of one sample a second, with so many samples in each of its bins.
fn histogram(low: u64, high: u64, bins: u32, samples: u16) -> Vec<u8> {
    let mut file = b"gmon\x01\0\0\0".to_vec();
    file.extend([0; 12]);
    file.push(0);
    file.extend(low.to_le_bytes());
    file.extend(high.to_le_bytes());
    file.extend(bins.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(b"seconds\0\0\0\0\0\0\0\0s");
    file.extend((0..bins).flat_map(|_| samples.to_le_bytes()));
    file
}

/// GNU gprof does not add the time of a function's lines to the function (D20). Its rows of functions, which are ours too, cut
/// the borders of such bins, and the parts of lines that it shows are not the whole (D15).
#[test]
#[cfg(target_arch = "x86_64")]
fn lines_share_the_samples_of_bins_of_any_width_and_add_up_to_their_function() {
    let function = |name: &str| {
        format!(
            "int {name}(int n)\n{{\n    for (int i = 0; i < n; i++)\n        n ^= i;\n    return n;\n}}\n"
        )
    };
    let names = ["first", "second", "third"];
    let source = names.map(function).concat() + "int main(void)\n{\n    return first(3);\n}\n";
    let place = Workplace::new();
    compile(&place, &source, &[]);
    let bytes = fs::read(place.path("ours")).expect("a program");
    let program = object::File::parse(&*bytes).expect("a program");
    let address = |name: &str| {
        let symbol = program.symbols().find(|symbol| symbol.name() == Ok(name));
        symbol.expect("a symbol").address()
    };
    // What glibc makes of many programs: 1.9968 bytes in each bin.
    let low = address("first");
    place.write("data", histogram(low, low + 1248, 625, 1000));
    let borders = ["first", "second", "third", "main"].map(address);
    let mut parts: Vec<f64> = Vec::new();
    for (name, border) in names.iter().zip(borders.windows(2)) {
        let text = annotate(&place, &["--function", name, "ours", "data", "--format", "csv"]);
        // A sample is a second here, and no part of one is shown.
        let time = |row: &str| row.split(',').nth(1).and_then(|it| it.parse::<f64>().ok());
        let rows = || text.lines().skip(1).map(|row| (row, time(row).unwrap_or(0.0) / 1e9));
        let bytes = 1000.0 * (border[1] - border[0]) as f64 / 1.9968;
        let report = text_of(&mut place.gmon("report ours data --format csv"));
        let row = report.lines().find(|row| row.ends_with(&format!(",{name}"))).expect("a row");
        let row: f64 = row.split(',').nth(1).and_then(|it| it.parse().ok()).expect("a time");
        assert_eq!(rows().map(|(_, time)| time).sum::<f64>(), row / 1e9, "{text}{report}");
        // Of equal functions, a line has the same part in each. The cut is less than a bin.
        assert!((row / 1e9 - bytes).abs() < 1000.0, "{bytes}: {report}");
        let of_loop = rows().find(|(row, _)| row.contains("for (int")).expect("the loop").1;
        parts.push(
            of_loop / rows().filter(|it| it.0.contains("prog.c,")).map(|it| it.1).sum::<f64>(),
        );
    }
    assert!(parts.iter().all(|part| (part - parts[0]).abs() < 0.003), "{parts:?}");
}

/// GNU gprof leaves out files of which only blocks were counted, takes a line with `#####` for executed
/// (D21), and knows ten blocks of a line (D22).
#[test]
fn blocks_alone_are_enough_and_a_line_may_have_any_number() {
    let steps = "if (n == -1) n = 2; ".repeat(20);
    let source = format!(
        "int never(int n)\n{{\n    return n;\n}}\nint main(void)\n{{\n    int n = 0;\n\
         \x20   {steps}for (int i = 0; i < 1000; i++) n += i;\n    return n == 3;\n}}\n"
    );
    let place = Workplace::new();
    compile(&place, &source, &["-fsanitize-coverage=trace-pc"]);
    text_of(place.command(place.path("ours")).env("GMON_OPTIONS", "sampler=none"));
    let text = annotate(&place, &["ours"]);
    assert_eq!(before(&text, "for (int i = 0; i < 1000; i++) n += i;"), ["1,001"], "{text}");
    assert_eq!(before(&text, "return n;"), ["#####"], "{text}");
    assert!(text.contains("prog.c: 4 of 6 lines executed (66.7 %)"), "{text}");
}

const ISLANDS: &str = "int main(void)
{
    int t = 0;
    for (int k = 0; k < 1000; k++)
        t += k;
    while (t < 0)
        t++;
    for (;;) {
        if (t < 100)
            break;
        t -= 10;
    }
    return t == 1;
}
";

const PADS: &str = r#"#include <stdexcept>
int h(int i)
{
    try {
        if (i == 5000)
            throw std::runtime_error("5");
        return i;
    } catch (std::exception &) {
        return -2;
    }
}
int main()
{
    int t = 0;
    for (int i = 0; i < 100; i++)
        t += h(i);
    return t == 1;
}
"#;

/// gcc puts jumps and landing pads between blocks, which have no hooks of their own.
#[test]
#[cfg(target_arch = "x86_64")]
fn code_between_blocks_is_executed_as_often_as_they_tell() {
    let hook = ["-fsanitize-coverage=trace-pc"];
    let place = Workplace::new();
    compile(&place, ISLANDS, &hook);
    text_of(place.command(place.path("ours")).env("GMON_OPTIONS", "sampler=none"));
    let text = annotate(&place, &["ours"]);
    for (line, executions) in [("while (t < 0)", "1"), ("t++;", "#####"), ("break;", "1")] {
        assert_eq!(before(&text, line), [executions], "{text}");
    }
    if tools::find("g++").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write("prog.cc", PADS);
    let mut compile = place.command("g++");
    compile.args(["-O0", "-g"]).args(hook).args(["prog.cc", "-o", "ours"]);
    text_of(compile.args(libraries(GCC.target)));
    text_of(place.command(place.path("ours")).env("GMON_OPTIONS", "sampler=none"));
    let text = annotate(&place, &["ours"]);
    let thrown = r#"throw std::runtime_error("5");"#;
    for (line, executions) in [(thrown, "#####"), ("return -2;", "#####"), ("return i;", "100")] {
        assert_eq!(before(&text, line), [executions], "{text}");
    }
}
