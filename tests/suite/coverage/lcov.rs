//! `gmon export --format lcov`: what lcov's programs make of it.

use super::counters::{count, gcov, name, tracefile};
use support::{
    command::{output_of, text_of},
    compilers::GCC,
    example::Example,
    tools,
    workplace::Workplace,
};

/// The example with this file name.
pub(crate) fn example(file: &str) -> Example {
    let mut all = Example::all().into_iter();
    all.find(|example| name(&example.source) == file).expect("an example of this name")
}

#[test]
fn genhtml_shows_the_totals_of_gcov() {
    if ["genhtml", "gcov"].iter().any(|tool| tools::find(tool).is_none()) {
        return;
    }
    for file in ["updcrc.c", "primes.c", "callbacks.c"] {
        let (place, example) = (Workplace::new(), example(file));
        count(&place, GCC, &example);
        place.write("ours.info", tracefile(&place));
        let mut genhtml = place.command("genhtml");
        let shown = text_of(genhtml.args(["-o", "html", "ours.info"]));
        let theirs = gcov(&place, GCC, &example);
        let executed = theirs.values().filter(|count| **count != 0).count();
        let totals = format!("({executed} of {} lines)", theirs.len());
        assert!(shown.contains(&totals), "{file}: no {totals} in {shown}");
        let functions = example_functions(&place);
        let totals = format!("({functions} of {functions} functions)");
        assert!(shown.contains(&totals), "{file}: no {totals} in {shown}");
        assert!(place.path("html/index.html").is_file());
    }
}

/// How many functions the tracefile names, all of which are executed.
fn example_functions(place: &Workplace) -> usize {
    let tracefile = tracefile(place);
    let executed = tracefile.lines().filter(|line| line.starts_with("FNDA:"));
    let executed = executed.inspect(|line| assert!(!line.starts_with("FNDA:0,"), "{line}"));
    executed.count()
}

#[test]
fn program_without_counts_is_an_error_with_advice() {
    let place = Workplace::new();
    let example = example("primes.c");
    let mut cc = place.gmon("");
    cc.args(["cc", "gcc", "-g", "-w"]).args(&example.flags);
    text_of(cc.arg(&example.source).args(["-o", "ours"]));
    text_of(&mut place.command(place.path("ours")));
    let mut export = place.gmon("");
    let output = output_of(export.args(["export", "--format", "lcov", "ours"]));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(
        said,
        "gmon: ours: no basic blocks were counted; build the program with gmon cc --blocks\n"
    );
    assert!(output.stdout.is_empty());
}

/// Counts do not tell where a jump by a table leads, so nothing is known of code without a hook there.
#[test]
#[cfg(target_arch = "x86_64")]
fn lines_have_no_count_where_nobody_knows_whether_their_code_ran() {
    let place = Workplace::new();
    let case = |case: u32| format!("    case {case}: {{ sink = {case}; break; }}\n");
    let cases: String = (1..6).map(case).collect();
    place.write(
        "prog.c",
        format!(
            "volatile int sink;\n__attribute__((noinline)) void mark(int x) {{ sink += x; }}\n\
             void discharge(int k, int x)\n{{\n    switch (k) {{\n{cases}    case 6: {{\n        if (x && sink != x)\n\
             mark(x);\n        break;\n    }}\n    default: {{\n        return;\n    }}\n    }}\n    sink = 7;\n}}\n\
             int main(void)\n{{\n    for (int i = 0; i < 41; i++) {{\n        discharge(1, 0);\n        discharge(6, 0);\n    }}\n}}\n"
        ),
    );
    let mut compile = place.gmon("cc --blocks gcc -O0 -g prog.c -o prog");
    assert!(compile.status().is_ok_and(|status| status.success()));
    place.must("./prog");
    let file = text_of(&mut place.gmon("export --format lcov ./prog"));
    let line = |number: u32| {
        let start = format!("DA:{number},");
        file.lines().find_map(|line| Some(line.strip_prefix(&start)?.to_owned()))
    };
    assert_eq!([6, 12].map(line), ["41", "41"].map(|count| Some(count.to_owned())), "{file}");
    assert_eq!([7, 13].map(line), ["0", "0"].map(|count| Some(count.to_owned())), "{file}");
    // `break;` behind the condition, and `return;`, which has the line of the hook of what follows, too.
    assert_eq!([14, 17].map(line), [None, None], "{file}");
}
