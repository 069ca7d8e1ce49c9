//! Compilers that work at run time, as far as they are installed.

use std::fs;

use support::command::{gmon, output_of, said, text_of};
use support::program::Program;
use support::root;
use support::tools::find;

use super::{Map, SUITE, seconds, seconds_of_row};

const SCRIPT: &str = "function hot(n) { return n < 2 ? n : hot(n - 1) + hot(n - 2); }
function rounds() { let sum = 0; for (let i = 0; i < 3; i++) sum += hot(24); return sum; }
let sum = 0;
while (process.cpuUsage().user < 3e6) sum += rounds();
console.log(`/tmp/perf-${process.pid}.map`);
";

#[test]
fn functions_of_node_have_their_names() {
    let Some(node) = find("node") else { return };
    let program = SUITE.without_profile("made.c");
    let script = program.path("script.js");
    fs::write(&script, SCRIPT).expect("a file");
    for option in ["--perf-basic-prof", "--perf-prof"] {
        let mut command = gmon();
        command.current_dir(program.path("")).args(["run", "--top", "40"]).arg(&node);
        command.args([option, "--interpreted-frames-native-stack"]).arg(&script);
        let output = output_of(&mut command);
        let summary = said(&output);
        let _map = Map(String::from_utf8_lossy(&output.stdout).trim().into());
        assert!(output.status.success(), "{summary}");
        let hot = seconds(&summary, "hot").unwrap_or_else(|| panic!("{option}: {summary}"));
        assert!(hot > 0.0, "{option}: {summary}");
    }
}

/// Runs a class by Java under `gmon run`. Returns the summary, and the map that the class has named; `None` without Java.
fn run_java(
    program: &Program,
    class: &str,
    words: &str,
    options: &[&str],
) -> Option<(String, Map)> {
    let java = find("java")?;
    let source = program.path("Class.java");
    fs::write(&source, class).expect("a file");
    let mut command = gmon();
    command.current_dir(program.path("")).args(words.split(' ')).arg(java);
    command.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit"]);
    let output = output_of(command.args(options).arg(&source));
    let (summary, map) =
        (said(&output), Map(String::from_utf8_lossy(&output.stdout).trim().into()));
    assert!(output.status.success(), "{summary}");
    Some((summary, map))
}

#[test]
fn methods_of_java_have_their_names() {
    const CLASS: &str = "class Rounds {
        static long hot(int n) { return n < 2 ? n : hot(n - 1) + hot(n - 2); }
        static long rounds() { long sum = 0; for (int i = 0; i < 3; i++) sum += hot(24); return sum; }
        public static void main(String[] words) {
            long sum = 0;
            for (int i = 0; i < 5000; i++) sum += rounds();
            System.out.println(\"/tmp/perf-\" + ProcessHandle.current().pid() + \".map\");
        }
    }";
    let program = SUITE.without_profile("made.c");
    let options = ["-XX:+PreserveFramePointer"];
    let Some((summary, _map)) = run_java(&program, CLASS, "run --top 40", &options) else { return };
    let is_hot = |row: &str| row.contains("Rounds.hot(int)") && row.contains("[JIT]");
    let own = seconds_of_row(&summary, is_hot);
    assert!(own.is_some_and(|own| own > 0.0), "{summary}");
    // Those of the interpreter too, which goes on where no call was.
    let lost = summary.split_once(" % not followed to their start").map(|(before, _)| before);
    let lost = lost.and_then(|before| before.rsplit(' ').next()?.parse::<f64>().ok());
    assert!(lost.unwrap_or(0.0) < 10.0, "{summary}");
}

/// Of code without frame pointers, which is usual, callers are guessed: by the calls that lead to functions, and not by what
/// other calls have left on the stack.
#[test]
#[cfg(target_arch = "x86_64")]
fn methods_of_java_have_their_callers_without_frame_pointers() {
    const CLASS: &str = "class Callers {
        static long sum;
        static int rounds = 1000;
        static int leaves(int n) { return n < 2 ? n : leaves(n - 1) + leaves(n - 2); }
        static void works(int n) { for (int i = 0; i < n; i++) sum += Long.numberOfTrailingZeros(i * 7919L + sum); }
        static void deep(int n) { if (n > 0) deep(n - 1); else works(rounds); sum++; }
        public static void main(String[] words) {
            var threads = java.lang.management.ManagementFactory.getThreadMXBean();
            // All of it is compiled by then: the interpreter's methods have no names.
            for (int i = 0; i < 3000; i++) { leaves(15); deep(20); }
            rounds = 2000000;
            while (threads.getCurrentThreadCpuTime() < 3000000000L) { leaves(15); deep(20); }
            System.out.println(\"/tmp/perf-\" + ProcessHandle.current().pid() + \".map\");
        }
    }";
    let program = SUITE.without_profile("made.c");
    let options = [
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=dontinline,Callers.*",
        "-XX:-PreserveFramePointer",
    ];
    let Some((_, _map)) = run_java(&program, CLASS, "run --rate 500", &options) else { return };
    let java = find("java").expect("Java");
    let mut export = gmon();
    export.current_dir(program.path("")).args(["export", "--format", "folded"]);
    let stacks = text_of(export.arg(fs::canonicalize(java).expect("a program")));
    let weigh = |names: &[&str]| -> u64 {
        let has_all = |line: &&str| names.iter().all(|name| line.contains(name));
        let weight = |line: &str| line.rsplit(' ').next()?.parse::<u64>().ok();
        stacks.lines().filter(has_all).filter_map(weight).sum()
    };
    let works = weigh(&["Callers.works("]);
    let [callers, others] =
        ["Callers.deep(", "Callers.leaves("].map(|caller| weigh(&[caller, "Callers.works("]));
    assert!(works > 100, "{stacks}");
    assert!(
        callers * 10 >= works * 8 && others * 10 <= works,
        "{works} {callers} {others}\n{stacks}"
    );
}

#[test]
fn traces_of_luajit_have_the_places_where_they_begin() {
    const SCRIPT: &str = "local function hot(n)
        local sum = 0
        for i = 1, n do sum = sum + i % 7 * 0.5 end
        return sum
    end
    local sum, ended = 0, os.clock() + 1
    while os.clock() < ended do sum = sum + hot(30000) end
    local process = io.open('/proc/self/stat'):read('*n')
    print(string.format('/tmp/perf-%d.map', process))
    ";
    let Some(luajit) = find("luajit") else { return };
    let program = SUITE.without_profile("made.c");
    let script = program.path("script.lua");
    fs::write(&script, SCRIPT).expect("a file");
    let mut command = gmon();
    command.current_dir(program.path("")).env("LUA_PATH", root().join("examples/jit/?.lua"));
    command.args(["run", "--top", "40"]).arg(&luajit).args(["-l", "perfmap"]);
    let output = output_of(command.arg(&script));
    let summary = said(&output);
    let _map = Map(String::from_utf8_lossy(&output.stdout).trim().into());
    assert!(output.status.success(), "{summary}");
    // The inner loop begins in line 2 of the script, with its function.
    let is_hot = |row: &str| row.contains("script.lua:") && row.ends_with(" [JIT]");
    let own = seconds_of_row(&summary, is_hot);
    assert!(own.is_some_and(|own| own > 0.2), "{summary}");
}
