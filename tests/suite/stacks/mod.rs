//! Call stacks of samples: whose time it was, whoever was asked to do the work, in the program, its libraries
//! and its threads.

mod bounds;
mod moments;
mod waits;
mod wrappers;

use std::io::Read;
use std::process::{Command, Stdio};

use support::{
    callers, callgrind,
    command::{gmon, output_of, said, text_of},
    compilers::{GCC, MUSL},
    modes::NO_PROFILE,
    program::Program,
    stacks::FullProfile,
    suite::{Suite, printed},
    tools,
};

const SUITE: Suite = Suite("stacks");

/// Runs a program with these options and reads its full profile.
fn profile(program: &Program, arguments: &[&str], options: &str) -> FullProfile {
    program.clear();
    let output = program.run(arguments, &[("GMON_OPTIONS", options)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    FullProfile::read(&program.path("gmon.out.full"))
}

/// The functions of the program whose time is known before.
#[track_caller]
fn check(profile: &FullProfile, complete: f64) {
    let total = profile.total();
    // Many samples on any machine, or there is nothing to compare.
    assert!(total > 20, "{total} samples");
    let by_main = ["cheap", "dear"].map(|caller| profile.called(caller, "work"));
    let [cheap, dear] = by_main;
    assert!(dear > 0 && cheap * 50 <= dear, "cheap {cheap}, dear {dear}");
    assert_eq!(profile.called("main", "dear"), profile.inclusive("dear"));
    assert!(profile.complete() >= complete, "{} {:?}", profile.complete(), profile.functions());
}

/// Demands that most samples of a run at 1,000 Hz are looks of their own, as those of the scheduler cannot be, where the
/// kernel has an exact clock. Time that its host takes away from this machine has one look, so a run may be bad and
/// another one good.
#[track_caller]
fn demand_looks(profile: &FullProfile, again: impl Fn() -> FullProfile) {
    const ATTEMPTS: usize = 5;
    let looks = |profile: &FullProfile| (profile.signals, profile.total());
    let is_good = |(looks, total): &(u64, u64)| looks * 2 >= *total;
    if profile.facts["clock"] == "perf task-clock" {
        let mut all = vec![looks(profile)];
        while !all.last().is_some_and(is_good) && all.len() < ATTEMPTS {
            all.push(looks(&again()));
        }
        assert!(all.last().is_some_and(is_good), "looks and samples: {all:?}");
    }
}

#[test]
fn time_is_that_of_the_callers_who_caused_it() {
    for &mode in
        tools::shared_out(&["default", "no-pie", "static-pie", "preloaded", "fentry"], "modes")
    {
        let program = SUITE.build("dear.c", mode, &["-pthread", "-fno-optimize-sibling-calls"]);
        let profile = profile(&program, &[], "stacks,hz=1000");
        check(&profile, 0.98);
        // What the C library calls is below who called it, and every level of a recursion counts once.
        assert!(profile.inclusive("sort") >= profile.inclusive("compare"), "{mode}");
        assert!(profile.inclusive("compare") > 0 && profile.inclusive("recurse") > 0, "{mode}");
        assert_eq!(profile.called("main", "recurse"), profile.inclusive("recurse"), "{mode}");
        assert!(profile.called("threads_work", "work") > 0, "{mode}");
        assert_eq!(profile.calls("work"), 2002, "{mode}");
        assert_eq!(profile.facts["stacks"], "yes");
        assert_eq!(profile.facts["command"], program.executable.to_string_lossy());
        assert!(profile.threads.iter().filter(|name| *name == "program").count() >= 2);
    }
}

/// A program that is linked statically has no table that finds its rules, unless the linker is asked for it:
/// the stack is searched for what may be return addresses.
#[test]
fn without_rules_callers_are_guessed() {
    for (flags, complete) in [(&["-Wl,--eh-frame-hdr"][..], 0.98), (&[], 0.0)] {
        let all = [&["-pthread", "-fno-optimize-sibling-calls"], flags].concat();
        let program = SUITE.build("dear.c", "static", &all);
        let profile = profile(&program, &[], "stacks,hz=1000");
        let [cheap, dear] = ["cheap", "dear"].map(|caller| profile.called(caller, "work"));
        assert!(dear > 0 && cheap * 50 <= dear, "cheap {cheap}, dear {dear}");
        assert!(profile.complete() >= complete, "{} {flags:?}", profile.complete());
    }
}

/// Static programs, and those of musl, whose code has no rules: where the runtime guesses, the report tells which guesses
/// cannot be.
#[test]
fn static_programs_and_musl_have_the_callers_of_their_work() {
    let musl = tools::find(MUSL.c).is_some();
    let forms = [
        (GCC, "static", "-Wl,--eh-frame-hdr"),
        (GCC, "static", "-Wl,--no-eh-frame-hdr"),
        (GCC, "static-pie", "-Wl,--eh-frame-hdr"),
        (MUSL, "default", "-Wl,--eh-frame-hdr"),
        (MUSL, "static", "-Wl,--eh-frame-hdr"),
        (MUSL, "static", "-fno-asynchronous-unwind-tables"),
    ];
    let forms = forms.into_iter().filter(|(compiler, ..)| compiler.name == GCC.name || musl);
    for &(compiler, mode, flag) in tools::shared_out(&forms.collect::<Vec<_>>(), "forms") {
        let program = callers::run(compiler, mode, &[flag]);
        callers::check_report(&program);
        // Its functions have no rules, but calls that lead into it say which function they call.
        let names_calls = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
        if compiler.name == MUSL.name && mode == "default" && names_calls {
            let profile = FullProfile::read(&program.path("gmon.out.full"));
            let (sort, compare) = (profile.called("main", "sort"), profile.inclusive("compare"));
            assert!(sort * 10 >= compare * 9, "{sort} of {compare}: {}", profile.listing());
            assert!(profile.complete() >= 0.95, "{}", profile.listing());
        }
    }
}

/// All ticks are in the tree, whatever could be walked; the histogram has those of the program.
#[test]
fn no_tick_is_lost() {
    let program = SUITE.build("dear.c", "default", &["-pthread"]);
    let profile = profile(&program, &[], "stacks");
    let cpu: f64 = profile.facts["cpu_ns"].parse().expect("a number");
    let seconds = profile.total() as f64 / 100.0;
    assert!((seconds - cpu / 1e9).abs() <= 0.05 + 0.1 * seconds, "{seconds} of {cpu} ns");
    assert!(profile.histogram <= profile.total());
    assert!(profile.signals > 0 && profile.signals <= profile.total());
}

/// Programs whose workers block all signals, and that handle SIGPROF themselves, have stacks as others do.
#[test]
fn threads_that_block_signals_have_stacks() {
    for &mode in tools::shared_out(&["default", "static", "preloaded"], "modes") {
        let program = SUITE.build("workers.c", mode, &["-pthread", "-Wl,--eh-frame-hdr"]);
        for options in ["stacks", "stacks,hz=1000", "stacks,hz=1000,sampler=itimer"] {
            program.clear();
            let output = program.run(&[], &[("GMON_OPTIONS", options)]);
            assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{output:?}");
            let profile = FullProfile::read(&program.path("gmon.out.full"));
            let (total, work) = (profile.total(), profile.called("worker", "work"));
            assert!(total > 20 && work * 10 >= total * 8, "{mode}, {options}: {work} of {total}");
            assert!(profile.complete() >= 0.9, "{mode}: {:?}", profile.functions());
            // SIGPROF is the program's.
            assert_ne!(profile.facts["signal"], "27", "{:?}", profile.facts);
            // However early or late the workers blocked it.
            demand_looks(&profile, || {
                assert!(program.run(&[], &[("GMON_OPTIONS", options)]).status.success());
                FullProfile::read(&program.path("gmon.out.full"))
            });
            let waiter = profile.times.iter().find(|(name, ..)| name == "waiter");
            let (_, lived, ran) = waiter.expect("a thread that was never sampled");
            assert!(ran * 10 < *lived, "{mode}, {options}: {:?}", profile.times);
        }
    }
}

/// Though they were sampled under another one, and not any more since.
#[test]
fn threads_have_the_name_that_they_had_last() {
    let program = SUITE.build("workers.c", "default", &["-pthread"]);
    for options in ["stacks", "stacks,sampler=itimer", "stacks,live=live"] {
        program.clear();
        let output = program.run(&["first"], &[("GMON_OPTIONS", options)]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{output:?}");
        let times = FullProfile::read(&program.path("gmon.out.full")).times;
        let thread = times.iter().find(|(name, ..)| name == "waiter");
        let (_, _, ran) = thread.unwrap_or_else(|| panic!("{options}: {times:?}"));
        assert!(*ran > 0, "{options}: {times:?}");
    }
}

#[test]
fn facts_are_those_of_the_run() {
    let program = SUITE.build("dear.c", "default", &["-pthread"]);
    let known = profile(&program, &["secret"], "stacks,hz=1000,command=0");
    assert!(!known.facts.contains_key("command"), "{:?}", known.facts);
    let number = |key: &str| known.facts[key].parse::<f64>().expect("a number");
    let (used, parts) = (number("cpu_ns"), number("user_ns") + number("system_ns"));
    assert!((parts - used).abs() <= 0.1 * used + 1e7, "{:?}", known.facts);
    assert_eq!(known.facts["incomplete"].is_empty(), known.complete() > 0.999_999);
    assert_eq!((known.facts["signal"].as_str(), known.facts["hz_asked"].as_str()), ("27", "1000"));
    assert!(["perf task-clock", "CPU time of threads"].contains(&known.facts["clock"].as_str()));
    demand_looks(&known, || profile(&program, &["secret"], "stacks,hz=1000,command=0"));
    assert!(known.times.iter().all(|(_, lived, ran)| *ran <= lived + 20_000_000), "{known:?}");
    let secret = profile(&program, &["secret"], "stacks");
    assert_eq!(secret.facts["command"], format!("{}\0secret", program.executable.display()));
}

#[test]
fn without_the_option_there_is_no_other_file() {
    let program = SUITE.build("dear.c", "default", &["-pthread"]);
    assert!(program.run(&[], &[]).status.success());
    assert_eq!(program.files(), ["gmon.out", "program"]);
}

/// A short program does not pay for a file that says no more than the first. One of an earlier run would seem to
/// belong to this one.
#[test]
fn without_a_sample_there_is_no_other_file() {
    let program = SUITE.build("dear.c", "default", &["-pthread"]);
    profile(&program, &[], "stacks");
    let output = program.run(&[], &[("GMON_OPTIONS", "stacks,sampler=none")]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(program.files(), ["gmon.out", "program"]);
    // The counts of a library are in no other.
    let program = SUITE.build("unload.c", "preloaded", &["-pthread"]);
    build_libraries(&program);
    let output = program.run(&["2", "100"], &[("GMON_OPTIONS", "stacks,sampler=none")]);
    assert!(output.status.success(), "{output:?}");
    let profile = FullProfile::read(&program.path("gmon.out.full"));
    assert_eq!(profile.calls("first_work") + profile.calls("second_work"), 2);
}

#[test]
fn other_samplers_have_stacks_or_say_why_not() {
    let program = SUITE.build("dear.c", "default", &["-pthread"]);
    let itimer = profile(&program, &[], "stacks,sampler=itimer");
    assert!(itimer.complete() >= 0.9 && itimer.inclusive("dear") > 0, "{:?}", itimer.functions());
    assert_eq!(itimer.facts["sampler"], "itimer");
}

/// Builds two libraries beside a program, with hooks.
fn build_libraries(program: &Program) {
    let source = support::root().join("tests/suite/stacks/plugin.c");
    for (library, function) in [("first", "first_work"), ("second", "second_work")] {
        let mut compile = Command::new(GCC.c);
        compile.args(["-O2", "-g", "-pg", "-fPIC", "-shared", "-fno-optimize-sibling-calls"]);
        compile.arg(format!("-DNAME={function}")).arg(&source);
        text_of(compile.arg("-o").arg(program.path(&format!("{library}.so"))));
    }
}

/// Whatever is loaded in place of what was unloaded: every call and every sample is that of the library that
/// was there then.
#[test]
fn unloaded_libraries_keep_their_counts_and_names() {
    let program = SUITE.build("unload.c", "preloaded", &["-pthread"]);
    build_libraries(&program);
    let run = |rounds: &str, times: &str, options: &str| {
        let output = program.run(&[rounds, times], &[("GMON_OPTIONS", options)]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        FullProfile::read(&program.path("gmon.out.full"))
    };
    let profile = run("40", "3000000", "stacks,hz=1000");
    for function in ["first_work", "second_work"] {
        assert_eq!(profile.calls(function), 20, "{function}");
        assert!(profile.inclusive(function) > 0, "{:?}", profile.functions());
    }
    assert_eq!(profile.calls("entry"), 40);
    let unloaded =
        profile.modules.iter().filter(|(path, unloaded)| *unloaded && path.ends_with(".so"));
    assert_eq!(unloaded.count(), 40);
    assert!(profile.complete() >= 0.9, "{} {:?}", profile.complete(), profile.functions());
    // Many times, while samples come as fast as they can.
    let rounds = tools::rounds(10_000);
    let profile = run(&rounds.to_string(), "100", "stacks,hz=10000");
    for function in ["first_work", "second_work"] {
        assert_eq!(profile.calls(function), u64::from(rounds) / 2, "{function}");
    }
}

/// A program that closes libraries again and again pays for what goes, and not each time more.
#[test]
fn closing_a_library_costs_little() {
    let program = SUITE.build("closes.c", "preloaded", &[]);
    build_libraries(&program);
    let output = program.run(&[], &[("GMON_OPTIONS", "stacks")]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let told = |what| printed(&text, what).parse::<i64>().expect("a number");
    assert!(told("bytes") < 1000 && told("mappings") < 100, "{text}");
    let profile = FullProfile::read(&program.path("gmon.out.full"));
    let unloaded =
        profile.modules.iter().filter(|(path, unloaded)| *unloaded && path.ends_with("second.so"));
    assert_eq!(unloaded.count(), 2000);
}

/// Children that were forked while another thread was unloading a library are not kept from walks for ever.
#[test]
fn children_forked_while_a_library_leaves_have_whole_stacks() {
    let program = SUITE.build("leaving.c", "preloaded", &["-pthread"]);
    build_libraries(&program);
    let mut compile = Command::new(GCC.c);
    compile.args(["-O1", "-g", "-fPIC", "-shared", "-DPLUGIN", "-o"]);
    compile.arg(program.path("plugin.so"));
    text_of(compile.arg(support::root().join("tests/suite/stacks/leaving.c")));
    let mut run = gmon();
    run.args(["run", "-o", "run"]).arg(&program.executable).current_dir(program.path(""));
    let output = run.output().expect("gmon");
    assert!(output.status.success() && output.stdout.starts_with(b"done\n"), "{output:?}");
    let profile = FullProfile::read(&program.path("run.full"));
    assert!(profile.inclusive("children") > 200, "{:?}", profile.functions());
    // The parent's own samples in the plugin may come while the library leaves, and are few.
    assert!(profile.complete() >= 0.97, "{} {:?}", profile.complete(), profile.functions());
}

/// Looks for modules do not rely on what the program may give back meanwhile.
#[test]
fn files_that_other_threads_unmap_do_no_harm() {
    let program = SUITE.build("unmaps.c", "preloaded", &["-pthread"]);
    build_libraries(&program);
    let output = program.run(&[], &[("GMON_OPTIONS", "stacks,hz=1000")]);
    assert!(output.status.success(), "{output:?}");
}

/// Counts of libraries are those of a tool that runs every instruction itself, whatever lies at which address.
#[test]
fn calls_in_libraries_are_exact() {
    let plugins = SUITE.build("unload.c", "preloaded", &["-pthread"]);
    build_libraries(&plugins);
    let folder = plugins.path("");
    let library = format!("-Wl,--no-as-needed,{}", plugins.path("first.so").display());
    let check = |program: &Program, source: &str, flags: &[&str], arguments: &[&str]| {
        let output = program.run(arguments, &[("GMON_OPTIONS", "stacks,hz=1000")]);
        assert!(output.status.success(), "{output:?}");
        let profile = FullProfile::read(&program.path("gmon.out.full"));
        let reference = SUITE.build_by(GCC, source, &NO_PROFILE, flags);
        let calls = callgrind::calls_everywhere(&reference.executable, arguments, &folder);
        let Some(truth) = calls else { return };
        for function in ["entry", "first_work", "second_work"] {
            let calls = truth.get(function).copied().unwrap_or(0);
            assert_eq!(profile.calls(function), calls, "{function} of {source}");
        }
        assert!(profile.calls("entry") >= 7 && profile.calls("first_work") >= 12, "{source}");
    };
    check(&plugins, "unload.c", &["-pthread"], &["100", "10"]);
    for &mode in tools::shared_out(&["default", "no-pie", "preloaded"], "modes") {
        let program = SUITE.build("uses_library.c", mode, &[&library]);
        check(&program, "uses_library.c", &[&library], &[]);
    }
}

/// Live mode: the stacks, and the names of what they are in, survive any end of the program.
#[test]
fn a_program_that_is_killed_leaves_its_stacks() {
    let program = SUITE.build("dear.c", "default", &["-pthread", "-fno-optimize-sibling-calls"]);
    let options = "stacks,hz=1000,live=profile.live";
    for milliseconds in [200, 350, 500] {
        program.clear();
        let mut command = program.command();
        let mut running = command.env("GMON_OPTIONS", options).spawn().expect("a program");
        // There is no event to wait for: the kill is to come at any moment.
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        running.kill().expect("a process that can be killed");
        running.wait().expect("a process that has ended");
        // It may not have come so far, on a machine that does other work.
        let live = program.path("profile.live");
        let Ok(profile) = FullProfile::try_read(&live) else { continue };
        assert_eq!(profile.called("main", "dear"), profile.inclusive("dear"));
        let (data, full) = (program.path("recovered"), program.path("recovered.full"));
        let answer = text_of(gmon().arg("recover").arg(&live).arg("-o").arg(&data));
        if profile.total() == 0 {
            assert!(answer.contains(" and 0 samples of ") && !full.exists(), "{answer}");
            continue;
        }
        assert!(profile.complete() > 0.5, "{:?}", profile.functions());
        let has = |name: &str| profile.modules.iter().any(|(path, _)| path.contains(name));
        assert!(has("libc") && has("program"), "{:?}", profile.modules);
        // What is recovered of it says the same.
        assert!(answer.ends_with(&format!("; call stacks in {}\n", full.display())), "{answer}");
        let recovered = FullProfile::read(&full);
        assert_eq!(recovered.total(), profile.total());
        assert_eq!(recovered.functions(), profile.functions());
        assert_eq!(recovered.called("main", "dear"), profile.called("main", "dear"));
        assert_eq!(recovered.calls("work"), profile.calls("work"));
        assert_eq!(recovered.histogram, profile.histogram);
        assert_eq!(recovered.threads, profile.threads);
        let refusal = output_of(gmon().arg("recover").arg(&live).current_dir(program.path("")));
        assert!(refusal.status.success(), "{refusal:?}");
        std::fs::remove_file(program.path("gmon.out")).expect("what was recovered");
        let refusal = output_of(gmon().arg("recover").arg(&live).current_dir(program.path("")));
        assert_eq!(refusal.status.code(), Some(1));
        assert_eq!(said(&refusal), "gmon: gmon.out.full exists; say -o gmon.out to replace it\n");
    }
}

/// Calls are counted from the start, and those in libraries too: their names are there before any sample.
#[test]
fn a_live_file_lists_modules_without_samples() {
    for (mode, library) in [("default", "libc"), ("preloaded", "libgmon")] {
        let program = Suite("live").build("steps.c", mode, &[]);
        let mut command = program.command();
        command.args(["work 7", "wait"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.env("GMON_OPTIONS", "stacks,sampler=none,live=profile.live");
        let mut running = command.spawn().expect("a program");
        let mut ready = [0; 6];
        let said = running.stdout.as_mut().expect("a pipe").read_exact(&mut ready);
        let profile = FullProfile::read(&program.path("profile.live"));
        running.kill().expect("a process that waits");
        running.wait().expect("a process that has ended");
        assert_eq!((said.is_ok(), &ready), (true, b"ready\n"));
        assert_eq!((profile.total(), profile.calls("work")), (0, 7));
        for name in ["program", library] {
            let is_its = |path: &str| path.contains(name);
            assert!(profile.modules.iter().any(|(path, _)| is_its(path)), "{:?}", profile.modules);
        }
    }
}

/// The sum of runs says what all of them did, and mixes with nothing else.
#[test]
fn full_profiles_add_up() {
    let flags = ["-pthread", "-fno-optimize-sibling-calls"];
    let program = SUITE.build("dear.c", "default", &flags);
    let run = |name: &str, options: &str| {
        let options = format!("{options},out={name}");
        assert!(program.run(&[], &[("GMON_OPTIONS", &options)]).status.success());
    };
    run("first", "stacks,hz=1000");
    run("second", "stacks,hz=1000");
    run("slow", "stacks,hz=100");
    let merge = |files: &[&str]| {
        let mut command = gmon();
        command.args(["merge", "-o", "sum"]).args(files).current_dir(program.path(""));
        output_of(&mut command)
    };
    let merged = merge(&["first.full", "second.full"]);
    assert!(merged.status.success() && merged.stderr.is_empty(), "{merged:?}");
    let [first, second, sum] =
        ["first.full", "second.full", "sum"].map(|name| FullProfile::read(&program.path(name)));
    assert_eq!(sum.total(), first.total() + second.total());
    assert_eq!(sum.histogram, first.histogram + second.histogram);
    assert_eq!(sum.signals, first.signals + second.signals);
    assert_eq!((sum.calls("work"), sum.calls("main")), (2 * 2002, 2));
    for (caller, function) in [("main", "dear"), ("dear", "work"), ("cheap", "work")] {
        let parts = first.called(caller, function) + second.called(caller, function);
        assert_eq!(sum.called(caller, function), parts, "{caller} {function}");
    }
    assert_eq!(sum.facts["runs"], "2");
    assert_eq!(sum.facts["command"], first.facts["command"]);
    let number = |profile: &FullProfile, key: &str| profile.facts[key].parse::<u64>().expect(key);
    let parts = number(&first, "cpu_ns") + number(&second, "cpu_ns");
    assert_eq!(number(&sum, "cpu_ns"), parts);
    // All its threads have the program's name.
    assert_eq!(sum.threads, ["program"]);

    for (other, why) in [
        ("second", "first.full has call stacks and second has not; merge full profiles with"),
        ("slow.full", "slow.full: profiling rate differs from the one before it"),
    ] {
        let refused = merge(&["first.full", other]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(said(&refused).contains(why), "{refused:?}");
    }
    // Nothing but the program's own data has a reader in GNU gprof.
    let gprof = |files: &[&str]| {
        let mut command = gmon();
        command.args(["gprof", "-b", "program"]).args(files).current_dir(program.path(""));
        text_of(&mut command)
    };
    assert_eq!(gprof(&["sum"]), gprof(&["first", "second"]));
}
