//! What linkers and compilers read: the order of functions, and how often code ran. Each is given to those who read it.

use std::{path::PathBuf, process::Command};

use support::{
    command::{output_of, said, text_of},
    tools,
    workplace::Workplace,
};

/// Calls `last`, `first` and `often` in this order; `never` not at all. Hundreds of milliseconds are spent in `often`.
const PROGRAM: &str = r#"
#include <stdio.h>
volatile int sink;

__attribute__((noinline)) void never(void)
{
    sink = 1;
}

__attribute__((noinline)) int first(int x)
{
    return x + sink;
}

static inline int step(int x)
{
    return x * 3 ^ x / (sink | 1);
}

__attribute__((noinline)) int often(int x)
{
    int sum = 0;
    for (int i = 0; i < x; i++) {
        sum += step(i);
        if (sum & 1)
            sink = i;
    }
    return sum;
}

__attribute__((noinline)) int last(int x)
{
    return x ^ sink;
}

int main(int argc, char **argv)
{
    long sum = last(argc) + first(argc);
    for (int i = 0; i < 60000; i++)
        sum += often(700);
    if (sum == 0)
        never();
    printf("%d\n", sum != 1);
    return 0;
}
"#;

/// The program, compiled for counts by a compiler and run with the order of first calls; what was measured lies beside it.
fn measured(compiler: &str) -> Workplace {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    succeed(place.gmon(&format!("cc {compiler} -O2 -g -ffunction-sections prog.c -o prog")));
    succeed(place.gmon("run --order ./prog"));
    place
}

/// Runs a command that may say something on its standard error stream.
#[track_caller]
pub(super) fn succeed(mut command: Command) {
    let output = output_of(&mut command);
    assert!(output.status.success(), "{command:?}: {}", said(&output));
}

pub(super) fn exported(place: &Workplace, format: &str) -> String {
    text_of(&mut place.gmon(&format!("export --format {format} ./prog")))
}

/// The functions of a program in the order of their addresses.
fn in_memory(place: &Workplace, program: &str) -> Vec<String> {
    let all = text_of(place.command("nm").args(["-n", program]));
    let ours = ["main", "last", "first", "often", "never"];
    let names = all.lines().filter_map(|line| line.rsplit(' ').next());
    names.filter(|name| ours.contains(name)).map(str::to_owned).collect()
}

#[test]
fn linkers_put_functions_in_the_order_of_their_first_calls() {
    let place = measured("gcc");
    let order = exported(&place, "symbol-order");
    assert_eq!(order, "main\nlast\nfirst\noften\n");
    let sections = exported(&place, "section-order");
    let of_function = |name| {
        [".hot", "", ".startup", ".unlikely"].map(|part| format!(".text{part}.{name}\n")).concat()
    };
    assert_eq!(sections, ["main", "last", "first", "often"].map(of_function).concat());
    place.write("order", &order);
    place.write("sections", sections);
    for (linker, option, is_first) in [
        ("lld", "--symbol-ordering-file=order", true),
        ("gold", "--section-ordering-file=sections", false),
    ] {
        if tools::find(&format!("ld.{linker}")).is_none() {
            continue;
        }
        let compile = "gcc -O2 -ffunction-sections prog.c -o ordered";
        place.must(&format!("{compile} -fuse-ld={linker} -Wl,{option}"));
        let found = in_memory(&place, "ordered");
        let wanted = ["main", "last", "first", "often"];
        let begins = if is_first { &found[..4] } else { &found[1..] };
        assert_eq!(begins, wanted, "{linker}: {found:?}");
    }
}

#[test]
fn a_linker_reads_how_often_functions_call_each_other() {
    let place = measured("gcc");
    let calls = exported(&place, "call-graph-order");
    assert_eq!(calls, "main first 1\nmain last 1\nmain often 60000\n");
    if tools::find("ld.lld").is_some() {
        place.write("calls", &calls);
        let compile = "gcc -O2 -ffunction-sections -fuse-ld=lld prog.c -o ordered";
        place.must(&format!("{compile} -Wl,--call-graph-ordering-file=calls"));
        let found = in_memory(&place, "ordered");
        let place_of = |name: &str| found.iter().position(|it| it == name).expect("a function");
        assert_eq!(place_of("main").abs_diff(place_of("often")), 1, "{found:?}");
    }
}

/// A copy for some arguments is a function of its own for the linker, and what it was copied from may never run.
#[test]
fn copies_of_functions_are_in_the_order_where_they_ran() {
    let place = Workplace::new();
    place.write(
        "copies.c",
        "__attribute__((noinline)) int op(int n, int k) { volatile int s = 0; while (n--) s += k; return s; }\n\
         __attribute__((noinline)) int user(int n) { return op(n, 3); }\n\
         int main(void) { int t = 0; for (int i = 0; i < 1000; i++) t += user(5); return t == 1; }\n",
    );
    succeed(place.gmon("cc gcc -O3 -fipa-cp-clone -ffunction-sections -g copies.c -o prog"));
    for run in ["run --order ./prog", "run ./prog"] {
        succeed(place.gmon(run));
        let order = exported(&place, "symbol-order");
        let mut names: Vec<&str> = order.lines().collect();
        names.sort_unstable();
        assert_eq!(names, ["main", "op.constprop.0", "user.constprop.0"], "{run}");
    }
    // One jumps to the other.
    let calls = exported(&place, "call-graph-order");
    assert_eq!(calls, "main op.constprop.0 1000\nmain user.constprop.0 1000\n");
}

/// Without the option, functions lie next to those that call them.
#[test]
fn functions_that_were_only_counted_are_in_the_order_too() {
    let place = measured("gcc");
    succeed(place.gmon("run ./prog"));
    let order = exported(&place, "symbol-order");
    let mut names: Vec<&str> = order.lines().collect();
    names.sort_unstable();
    assert_eq!(names, ["first", "last", "main", "often"]);
}

#[test]
fn clang_takes_the_counts_of_calls_and_the_hot_lines() {
    if tools::find_all(["clang", "llvm-profdata"]).is_none() {
        return;
    }
    let place = measured("clang");
    let profile = exported(&place, "llvm-prof");
    let head = |name: &str| {
        let line = profile.lines().find(|line| line.starts_with(&format!("{name}:")));
        line.and_then(|line| line.rsplit(':').next()).map(str::to_owned)
    };
    let heads = ["main", "often", "first", "never"].map(head);
    let expected = ["1", "60000", "1"].map(|count| Some(count.to_owned()));
    assert_eq!((&heads[..3], &heads[3]), (&expected[..], &None), "{profile}");
    // The line in main that calls `often`, by its distance.
    assert!(profile.contains(" 4: 60000 often:60000\n"), "{profile}");
    assert!(profile.lines().any(|line| line.contains(": step:")), "{profile}");

    place.write("prog.prof", &profile);
    let read = text_of(place.command("llvm-profdata").args([
        "merge",
        "--sample",
        "--text",
        "-o",
        "-",
        "prog.prof",
    ]));
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&read), sorted(&profile));
    let code = text_of(place.command("clang").args([
        "-O2",
        "-g",
        "-fprofile-sample-use=prog.prof",
        "-S",
        "-emit-llvm",
        "-o",
        "-",
        "prog.c",
    ]));
    // LLVM adds 1 to each count.
    assert!(code.contains("!{!\"function_entry_count\", i64 60001}"), "{code}");
}

#[test]
fn gcc_takes_the_counts_of_calls_and_the_hot_lines() {
    let place = measured("gcc");
    succeed(place.gmon("export --format gcc-afdo ./prog -o prog.afdo"));
    // A copy for the one argument would take half of the calls.
    place.must(
        "gcc -O2 -g -fno-ipa-cp -fauto-profile=prog.afdo -fdump-tree-optimized-all prog.c -o again",
    );
    let dump = place.files().into_iter().find(|name| name.ends_with(".optimized"));
    let dump = place.read(&dump.expect("gcc's dump"));
    assert!(dump.contains("count:60000 (auto FDO)"), "{dump}");
}

#[test]
fn a_child_has_an_order_of_its_own_and_threads_share_one() {
    let place = Workplace::new();
    let functions = ["in_thread", "before", "in_child", "after"];
    let define =
        |name: &&str| format!("__attribute__((noinline)) void {name}(void) {{ sink++; }}\n");
    let functions: String = functions.iter().map(define).collect();
    let program = format!(
        "#include <pthread.h>\n#include <sys/wait.h>\n#include <unistd.h>\nvolatile int sink;\n{functions}\
         void *run(void *p) {{ in_thread(); return p; }}\n\
         int main(void) {{\n    pthread_t thread;\n    before();\n    if (fork() == 0) {{ in_child(); before(); return 0; }}\n    \
         wait(0);\n    pthread_create(&thread, 0, run, 0);\n    pthread_join(thread, 0);\n    after();\n    before();\n    return 0;\n}}\n"
    );
    place.write("prog.c", program);
    succeed(place.gmon("cc gcc -O1 -g -pthread prog.c -o prog"));
    let run = place.command("./prog").env("GMON_OPTIONS", "order,out=of.%p").output();
    assert!(run.expect("a run").status.success());
    let full: Vec<PathBuf> = place
        .files()
        .iter()
        .filter(|name| name.starts_with("of.") && !name.ends_with(".full"))
        .map(|name| place.path(name))
        .collect();
    let mut orders: Vec<String> = full
        .iter()
        .map(|data| {
            let mut export = place.gmon("export --format symbol-order ./prog");
            text_of(export.arg(data))
        })
        .collect();
    orders.sort_unstable();
    assert_eq!(orders, ["in_child\nbefore\n", "main\nbefore\nrun\nin_thread\nafter\n"]);
}

#[test]
fn without_calls_or_lines_it_is_said_what_is_missing() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.must("gcc -O2 prog.c -o prog");
    succeed(place.gmon("run ./prog"));
    for (format, missing) in [
        ("symbol-order", "no calls were counted; build the program with gmon cc"),
        ("llvm-prof", "is in debug information with lines; compile with -g"),
        ("gcc-afdo -o prog.afdo", "is in debug information with lines; compile with -g"),
    ] {
        let refused = place.gmon(&format!("export --format {format} ./prog")).output();
        let refused = refused.expect("a command that starts");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{format}: {said}");
        assert!(said.contains(missing), "{format}: {said}");
    }
    assert!(!place.exists("prog.afdo"));
}

/// Builds with what was measured, by a compiler and its linker; gives what is said.
pub(super) fn again(place: &Workplace, profile: &str, compiler: &str) -> (Option<i32>, String) {
    let output = output_of(&mut place.gmon(&format!("cc --use-profile {profile} {compiler}")));
    (output.status.code(), said(&output))
}

#[test]
fn gmon_cc_builds_with_a_profile() {
    for (compiler, made) in [("clang", "prof"), ("gcc", "afdo")] {
        if tools::find_all([compiler, "ld.lld"]).is_none() {
            continue;
        }
        let place = measured(compiler);
        let flags = "-O2 -g -fuse-ld=lld prog.c -o again";
        let (status, told) = again(&place, "gmon.out", &format!("{compiler} {flags}"));
        assert_eq!(status, Some(0), "{told}");
        let wanted = "gmon: again has 4 of 4 functions, with 100.0 % of the executions in gmon.out";
        assert!(told.contains(wanted), "{compiler}: {told}");
        assert!(place.exists(&format!("gmon.out.{made}")), "{:?}", place.files());
        let order = in_memory(&place, "again");
        let place_of = |name: &str| order.iter().position(|it| it == name).expect("a function");
        assert!(
            place_of("last") < place_of("first") && place_of("first") < place_of("often"),
            "{order:?}"
        );
        // No hooks, no runtime.
        assert!(!text_of(place.command("nm").arg("again")).contains("mcount"));

        // The files are there, so the measured program is not needed any more.
        std::fs::remove_file(place.path("prog")).expect("a program");
        let (status, told) = again(&place, "gmon.out", &format!("{compiler} -O2 -c prog.c"));
        assert_eq!((status, &*told), (Some(0), ""));
        // Blocks without samples get counts that agree with those around them.
        let (_, called) = again(&place, "gmon.out", &format!("{compiler} -O2 -v -c prog.c"));
        let is_clang = compiler == "clang";
        assert_eq!(called.contains("-sample-profile-use-profi"), is_clang, "{called}");
        place.write("other.c", "int other(void) { return 0; }\n");
        let (status, told) =
            again(&place, "gmon.out", &format!("{compiler} -shared -fPIC other.c -o other.so"));
        assert_eq!(status, Some(0), "{told}");
        assert!(told.contains("other.so has none of the functions of gmon.out"), "{told}");
        place.write("start.c", "int other(void); void _start(void) { other(); }\n");
        let other = format!("{compiler} -nostdlib -static start.c other.c -o other");
        let (status, told) = again(&place, "gmon.out", &other);
        assert_eq!(status, Some(1), "{told}");
        assert!(told.contains("other has none of the 4 functions of gmon.out"), "{told}");
        assert!(!place.exists("other"), "{:?}", place.files());
    }
}

/// gcc gives instances for lambdas no names for linkers, and those that they have in the source have blanks.
#[test]
fn gmon_cc_reads_names_with_blanks_that_it_wrote() {
    if tools::find("g++").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write(
        "prog.cpp",
        "template<class F> __attribute__((noinline)) long each(int n, F f)\n{\n    long sum = 0;\n\
         for (int i = 0; i < n; i++)\n        sum += f(i);\n    return sum;\n}\n\
         int main()\n{\n    long sum = 0;\n    for (int i = 0; i < 2000; i++)\n\
         sum += each(1000, [i](int j) { return j ^ i; });\n    return sum == 1;\n}\n",
    );
    succeed(place.gmon("cc g++ -O2 -g prog.cpp -o prog"));
    succeed(place.gmon("run --order ./prog"));
    succeed(place.gmon("export --format llvm-prof ./prog -o one.prof"));
    assert!(place.read("one.prof").starts_with("each<main()::<lambda(int)> >:"));
    succeed(place.gmon("merge -o all.prof one.prof one.prof"));
    assert!(place.read("all.prof").contains(":4000\n"), "{}", place.read("all.prof"));
    for profile in ["gmon.out", "all.prof"] {
        let (status, told) = again(&place, profile, "g++ -O2 -g prog.cpp -o again");
        assert_eq!(status, Some(0), "{told}");
        assert!(told.contains("gmon: again has 2 of 2 functions"), "{told}");
    }
}

/// lld refuses the whole file otherwise.
#[test]
fn calls_of_functions_with_blanks_in_their_names_are_left_to_the_linker() {
    if tools::find("clang").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write(
        "prog.c",
        "void odd(void) __asm__(\"odd name\");\nvolatile int sink;\n\
         __attribute__((noinline)) void odd(void) { sink++; }\n\
         __attribute__((noinline)) void plain(void) { sink++; }\n\
         int main(void) { odd(); plain(); return 0; }\n",
    );
    // gcc gives such names no quotes.
    succeed(place.gmon("cc clang -O1 -g prog.c -o prog"));
    succeed(place.gmon("run ./prog"));
    assert_eq!(exported(&place, "call-graph-order"), "main plain 1\n");
}

/// gcc knows no target by the number 0, which would be that of the first name.
#[test]
fn gcc_takes_any_function_for_the_target_of_calls_through_pointers() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "volatile int sink;\n\
         __attribute__((noinline)) void aaa(int x) { for (int i = 0; i < 300; i++) sink = x; }\n\
         __attribute__((noinline)) void bbb(int x) { sink = x + 1; }\n\
         void (*volatile table[2])(int) = { aaa, bbb };\n\
         int main(void)\n{\n    for (int i = 0; i < 100000; i++)\n        table[i % 16 == 0](i);\n    return 0;\n}\n",
    );
    succeed(place.gmon("cc gcc -O2 -g prog.c -o prog"));
    succeed(place.gmon("run ./prog"));
    let (status, told) = again(&place, "gmon.out", "gcc -O2 -g prog.c -o again");
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn gmon_cc_builds_fortran_with_a_profile() {
    if tools::find("gfortran").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write(
        "prog.f90",
        "program main\n  integer :: i\n  real :: x = 0\n  do i = 1, 20000\n    call work(x)\n  end do\n  print *, x > 0\n\
         end program\n\
         subroutine work(x)\n  real, intent(inout) :: x\n  integer :: i\n  do i = 1, 2000\n    x = x * 0.5 + i\n  end do\n\
         end subroutine\n",
    );
    succeed(place.gmon("cc gfortran -O2 -g -fno-inline prog.f90 -o prog"));
    succeed(place.gmon("run --order ./prog"));
    let (status, told) = again(&place, "gmon.out", "gfortran -O2 -fno-inline prog.f90 -o again");
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("gmon: again has 3 of 3 functions"), "{told}");
}

#[test]
fn profiles_that_are_of_no_use_are_refused() {
    let place = measured("gcc");
    succeed(place.gmon("export --format json ./prog -o prog.json"));
    succeed(place.gmon("export --format llvm-prof ./prog -o prog.prof"));
    succeed(place.gmon("export --format gcc-afdo ./prog -o prog.afdo"));
    std::fs::remove_file(place.path("prog")).expect("a program");
    place.write("bad.prof", "main:1:1\n nonsense\n");
    place.write("empty", "");
    place.write("text", "These are no data, but words of a text that is longer than any header.\n");
    std::fs::create_dir(place.path("folder")).expect("a folder");
    place.must("dd if=gmon.out of=short bs=60 count=1");
    for (profile, compiler, why) in [
        ("empty", "gcc", "empty: file too short to be a gmon file"),
        ("text", "gcc", "text: unexpected end of file"),
        ("folder", "gcc", "folder: "),
        ("short", "gcc", "short: unexpected end of file"),
        ("gmon.out", "gcc", "the program that wrote it is not there any more"),
        ("prog.json", "gcc", "an exported profile does not say how often lines ran"),
        ("prog.afdo", "clang", "a profile for gcc, which this compiler does not read"),
        ("bad.prof", "gcc", "line 2 is not LLVM's text of a sample profile"),
        ("absent", "gcc", "absent: No such file or directory"),
        ("prog.prof", "--dormant gcc", "leave out --blocks, --dormant and --times"),
        ("prog.prof", "--times gcc", "leave out --blocks, --dormant and --times"),
    ] {
        let (status, told) = again(&place, profile, &format!("{compiler} -O2 -c prog.c"));
        assert_eq!(status, Some(1), "{profile}: {told}");
        assert!(told.contains(why), "{profile}: {told}");
        assert!(!place.exists("prog.o"), "{profile}");
    }
    // Both are for gcc.
    for profile in ["prog.prof", "prog.afdo"] {
        let (status, told) = again(&place, profile, "gcc -O2 -c prog.c");
        assert_eq!((status, &*told), (Some(0), ""), "{profile}");
    }
}

#[test]
fn profiles_of_a_fleet_add_up() {
    let place = measured("gcc");
    succeed(place.gmon("export --format llvm-prof ./prog -o one.prof"));
    succeed(place.gmon("merge -o all.prof one.prof one.prof one.prof"));
    let all = place.read("all.prof");
    assert!(
        all.lines().any(|line| line.starts_with("often:") && line.ends_with(":180000")),
        "{all}"
    );
    assert!(all.contains(" 4: 180000 often:180000\n"), "{all}");
    let refused = output_of(&mut place.gmon("merge -o all.prof one.prof gmon.out"));
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("gmon.out: not a profile for compilers as the others are"));
}

/// GNU ld puts what its script names before all else.
#[test]
fn gnu_ld_takes_the_order_as_a_script() {
    let place = measured("gcc");
    succeed(place.gmon("export --format script-order ./prog -o prog.script-order"));
    place.must(
        "gcc -O2 -ffunction-sections -fuse-ld=bfd prog.c -o ordered -Wl,-T,prog.script-order",
    );
    let found = in_memory(&place, "ordered");
    assert_eq!(&found[..4], ["main", "last", "first", "often"], "{found:?}");
    assert!(place.command("./ordered").status().is_ok_and(|status| status.success()));
}

#[test]
fn doctor_says_what_a_profile_lacks_for_compilers() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    let says = |place: &Workplace, text: &str| {
        // Its status tells of other things as well, as of a machine that is too busy for all samples.
        let doctor =
            place.gmon("doctor prog gmon.out --format=text").output().expect("gmon doctor");
        let told = String::from_utf8_lossy(&doctor.stdout);
        assert!(told.contains(text), "{told}");
    };
    if tools::find("clang").is_some() {
        succeed(place.gmon("cc clang -O2 -g prog.c -o prog"));
        succeed(place.gmon("run ./prog"));
        says(&place, "does not tell parts of a line apart (no discriminators)");
        succeed(place.gmon("cc clang -O2 -gline-tables-only prog.c -o prog"));
        succeed(place.gmon("run ./prog"));
        says(&place, "on which line they begin");
    }
    succeed(place.gmon("cc gcc -O2 -g prog.c -o prog"));
    succeed(place.gmon("run ./prog"));
    says(&place, "has what a compiler needs of its profile");
    place.write("same.c", "static __attribute__((noinline)) int first(int x) { return x * x; }\nint (*same)(int) = first;\n");
    succeed(place.gmon("cc gcc -O2 -g prog.c same.c -o prog"));
    succeed(place.gmon("run ./prog"));
    says(&place, "has 2 functions that share a name with another");
}

/// Compilers that have a profile put hot and cold functions into sections of other names. `-Wl,` would end the path of the
/// order at a comma.
#[test]
fn the_order_holds_where_compilers_have_a_profile_too() {
    for linker in ["bfd", "gold", "lld"] {
        if tools::find(&format!("ld.{linker}")).is_none() {
            continue;
        }
        let place = measured("gcc");
        std::fs::create_dir(place.path("a,b")).expect("a folder");
        place.must("mv gmon.out gmon.out.full a,b");
        let flags = format!("gcc -O2 -g -fuse-ld={linker} prog.c -o again");
        let (status, told) = again(&place, "a,b/gmon.out", &flags);
        assert_eq!(status, Some(0), "{told}");
        let found = in_memory(&place, "again");
        let ran: Vec<_> = found.iter().filter(|name| *name != "never").collect();
        assert_eq!(ran, ["main", "last", "first", "often"], "{linker}: {found:?}");
    }
}

/// Files that were made of the profile before are newer than one that is moved into its place.
#[test]
fn an_older_profile_in_the_place_of_another_is_read() {
    let place = measured("gcc");
    succeed(place.gmon("export --format llvm-prof ./prog -o prog.prof"));
    let other = place.read("prog.prof").replace("often:", "other:");
    place.write("old.prof", other);
    place.must("touch -d 2001-02-03 old.prof");
    let made = || {
        let (status, told) = again(&place, "prog.prof", "gcc -O2 -c prog.c");
        assert_eq!((status, &*told), (Some(0), ""));
        let file = std::fs::read(place.path("prog.prof.afdo")).expect("a file for gcc");
        file.windows(6).any(|name| name == b"other\0")
    };
    assert!(!made());
    place.must("mv old.prof prog.prof");
    assert!(made() && made());
}

#[test]
fn exports_say_whose_functions_they_do_not_have() {
    let place = Workplace::new();
    place.write("lib.c", "int of_library(int x) { return x + 1; }\n");
    place.write("prog.c", "int of_library(int);\nint main(void) { return of_library(3) == 5; }\n");
    succeed(place.gmon("cc gcc -O1 -g -shared -fPIC lib.c -o libours.so"));
    succeed(place.gmon("cc gcc -O1 -g prog.c -o prog -L. -lours -Wl,-rpath,."));
    succeed(place.gmon("run ./prog"));
    let output = output_of(&mut place.gmon("export --format symbol-order ./prog"));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "main\n");
    let told = said(&output);
    assert!(told.contains("the functions of libours.so are not in it"), "{told}");
}
