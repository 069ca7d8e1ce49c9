//! Samples at every instruction of the hooks, and of what counts calls into libraries: whoever was called there, its caller
//! is right.
//!
//! `stubs.c` is stopped before each instruction that a call of a hook runs, one in each round, and a sample is taken there:
//! in an emulator by a debugger, who sends the signal of the sampler; on x86 by the program itself, which calls the
//! sampler's handler with the registers of that moment. (`qemu-x86_64` 7.2 starts handlers on stacks that are not aligned.)

use std::{collections::BTreeSet, path::PathBuf};

use gmon_format::FilePc;

use super::{
    command::text_of,
    compilers::Compiler,
    counts::FunctionNames,
    debugger::{Debugger, PROFILING_TIMER, Stop},
    modes::{Mode, Runtime, mode},
    program::Program,
    stacks::FullProfile,
    suite::{Suite, all_printed},
    tools,
};

/// The hooks, by their names and those by which the compilers of some processors know them.
const HOOKS: [&str; 11] = [
    "__cyg_profile_func_enter",
    "__cyg_profile_func_exit",
    "__fentry__",
    "__gmon_count",
    "__gmon_library_call",
    "__gmon_return",
    "__gmon_timed",
    "__gnu_mcount_nc",
    "__x86_return_thunk",
    "_mcount",
    "mcount",
];

/// Hooks that functions call, and that exits jump to, while calls are timed.
const TIMED: [&str; 4] = ["__fentry__", "__gmon_return", "__gmon_timed", "__x86_return_thunk"];

/// The stacks that the program has when it calls them. The sampler's own samples may find calls of libraries elsewhere.
const CALLERS: [&[&str]; 9] = [
    &["main"],
    &["main", "burn"],
    &["main", "next_round"],
    &["main", "prepare"],
    &["main", "step_through"],
    &["main", "step_through", "round_of"],
    &["main", "step_through", "round_of", "leaf"],
    &["main", "step_through", "round_of", "from_place"],
    &["main", "step_through", "round_of", "from_place", "rare"],
];

/// Each signal is one sample, and the sampler's own are few.
const OPTIONS: &str = "stacks,sampler=itimer,hz=1";

/// What has the compiler write rules for all code, where it does not by itself.
const RULES: &str = "-fasynchronous-unwind-tables";

/// Rounds before the one whose instructions are looked at.
const WARM: usize = 3;

/// How the program is stopped: by an emulator, or by itself, where it can set the trap flag.
enum Way {
    Emulator(PathBuf),
    TrapFlag,
}

/// Builds the program and checks the stacks of samples at every instruction of its hooks.
///
/// # Panics
///
/// If one is not right.
pub fn check(compiler: &Compiler, mode: &Mode) {
    let awake = if mode.runtime == Runtime::Dormant { ",hooks=*" } else { "" };
    check_with(compiler, mode, &[], &format!("{OPTIONS}{awake}"), &HOOKS);
}

/// Like [`check`], of hooks and exits that sleep otherwise, while calls are timed.
///
/// # Panics
///
/// If one is not right.
pub fn check_exits(compiler: &Compiler) {
    let options = format!("{OPTIONS},times=leaf,times=round_of,times=from_place");
    check_with(compiler, mode("dormant, static"), &[], &options, &TIMED);
}

/// Like [`check`], where the program calls a library from ever new places, and these calls are counted. On processors where
/// a debugger can be sure where a program with libraries lies: the linkers for others cannot link such to a fixed place.
///
/// # Panics
///
/// If one is not right.
pub fn check_library_calls(compiler: &Compiler) {
    if !["arm", "x86", "x86_64"].contains(&compiler.target.architecture) {
        return;
    }
    let (flags, options) = (["-DRARE=getppid"], format!("{OPTIONS},libcalls"));
    check_with(compiler, mode("no-pie"), &flags, &options, &["__gmon_library_call"]);
}

/// Looks at these hooks only.
fn check_with(compiler: &Compiler, mode: &Mode, flags: &[&str], options: &str, hooks: &[&str]) {
    let target = compiler.target;
    let way = match (target.emulator, target.architecture) {
        ("", "x86" | "x86_64") => Way::TrapFlag,
        ("", other) => return println!("SKIPPED: no way to stop at each instruction of {other}"),
        (emulator, _) => match tools::find(emulator) {
            Some(emulator) => Way::Emulator(emulator),
            None => return,
        },
    };
    let common = ["-fno-optimize-sibling-calls", "-Wl,--eh-frame-hdr", RULES];
    // It warns of an option of the linker while it compiles.
    let quiet: &[&str] = match compiler.name {
        "clang" => &["-Wno-unused-command-line-argument"],
        _ => &[],
    };
    let flags_of_all = [&common[..], quiet, flags].concat();
    let program = Suite("stacks").build_by(compiler, "stubs.c", mode, &flags_of_all);
    let names = FunctionNames::read(&program.executable);
    let mut places = way.places(&program, &names, options);
    places.retain(|place| hooks.contains(&names.at(*place).as_str()));
    if target.architecture == "aarch64" && hooks == TIMED {
        // What a debugger steps through takes so long that other instructions note its end.
        let hooks = ["__fentry__", "__gmon_return"].into_iter();
        places.extend(hooks.flat_map(|hook| names.places(hook).step_by(4)).map(FilePc));
    }
    assert!(places.len() >= 4, "{} instructions of hooks", places.len());
    // The runtime follows no more stacks than a part of the program's time allows, and on a busy machine more of its ticks come
    // with signals of ours.
    let (mut found, mut fewest) = ((0, 0), 0);
    let is_done = ["10", "100", "400", "1600"].iter().any(|milliseconds| {
        program.clear();
        let start = names.place("next_round");
        let hit = way.sample(&program, start, &places, (milliseconds, options));
        // Where arcs meet in the table, a round goes on to the next place, and others do not; and few calls are in doubt.
        let part = if hooks == TIMED { 4 } else { 9 };
        assert!(hit * 10 >= places.len() * part, "{hit} of {} instructions", places.len());
        // A tick of the sampler's own may come with a signal of ours, and then both are one sample. A library lies elsewhere in
        // each run.
        fewest = hit * if flags.is_empty() { 9 } else { 7 } / 10;
        let profile = FullProfile::read(&program.path("gmon.out.full"));
        let walks: usize = profile.facts["walks"].parse().expect("a number");
        found = (walks, samples_in_hooks(&profile));
        println!("{} {}: {walks} walks, {hit} places", target.architecture, mode.name);
        walks >= fewest && found.1 >= fewest as u64
    });
    let (walks, samples) = found;
    assert!(
        is_done,
        "{walks} walks, {samples} samples in hooks, of {fewest} on {}",
        target.architecture
    );
}

impl Way {
    /// The instructions that a round runs.
    fn places(&self, program: &Program, names: &FunctionNames, options: &str) -> BTreeSet<FilePc> {
        // What takes samples would move the instructions of the round.
        let options = options.replace(OPTIONS, "sampler=none");
        let Self::Emulator(emulator) = self else {
            let mut command = program.command();
            let text = text_of(command.args(["1", "trace"]).env("GMON_OPTIONS", options));
            let place = |digits| u64::from_str_radix(digits, 16).expect("an address");
            return all_printed(&text, "at").map(place).map(FilePc).collect();
        };
        let [start, end] = ["next_round", "burn"].map(|name| names.place(name));
        // Where a function has two entries, as on PowerPC, the second is behind two instructions.
        let entries = end..FilePc(end.0 + 12);
        let arguments = ["1", "rounds", "1000"];
        let mut debugger = Debugger::start(emulator, program, &arguments, &options);
        warm_up(&mut debugger, start);
        debugger.remove(start);
        let mut places = BTreeSet::new();
        loop {
            match debugger.step_noting(&mut places) {
                Stop::At(pc) if entries.contains(&pc) => return places,
                Stop::At(_) => {}
                Stop::Ended(status) => panic!("the program ended with {status}"),
            }
        }
    }

    /// Runs the program, with a sample at each place, one in each round, which begins at `start`, if it comes there. Returns the number of
    /// those where it may have come.
    fn sample(
        &self,
        program: &Program,
        start: FilePc,
        places: &BTreeSet<FilePc>,
        (milliseconds, options): (&str, &str),
    ) -> usize {
        let Self::Emulator(emulator) = self else {
            let addresses = places.iter().map(|FilePc(place)| format!("{place:x}"));
            let mut command = program.command();
            command.args([milliseconds, "at"]).args(addresses).env("GMON_OPTIONS", options);
            assert_eq!(text_of(&mut command), "done\n");
            return places.len();
        };
        let arguments = [milliseconds, "rounds", &(WARM + places.len()).to_string()];
        let mut debugger = Debugger::start(emulator, program, &arguments, options);
        warm_up(&mut debugger, start);
        let (mut stop, mut hit) = (Stop::At(start), 0);
        for place in places {
            assert_eq!(stop, Stop::At(start));
            debugger.break_at(*place);
            stop = debugger.go_past(start);
            if stop == Stop::At(*place) {
                hit += 1;
                debugger.remove(*place);
                stop = debugger.go_with(PROFILING_TIMER);
            } else if stop == Stop::At(start) {
                debugger.remove(*place);
            }
        }
        assert_eq!(stop, Stop::Ended(0));
        hit
    }
}

/// Runs the first rounds, and stops at the start of the next one.
fn warm_up(debugger: &mut Debugger, start: FilePc) {
    debugger.break_at(start);
    assert_eq!(debugger.go(), Stop::At(start));
    for _ in 0..WARM {
        assert_eq!(debugger.go_past(start), Stop::At(start));
    }
}

/// Samples in hooks. Whichever instruction it was, the stack is that of a hook which these functions have called.
///
/// # Panics
///
/// If it is not.
fn samples_in_hooks(profile: &FullProfile) -> u64 {
    let mut sum = 0;
    for (path, weight) in &profile.stacks {
        let Some(hook) = path.iter().position(|name| HOOKS.contains(&name.as_str())) else {
            continue;
        };
        let main = path.iter().position(|name| name == "main").unwrap_or(hook);
        let callers: Vec<&str> = path[main..hook].iter().map(String::as_str).collect();
        let is_whole = path.get(2).is_some_and(|name| !name.starts_with('['));
        assert!(is_whole && CALLERS.contains(&&*callers), "{}", profile.listing());
        sum += weight;
    }
    sum
}
