//! Keeps the directions inside the crates: a module uses those below it, and circles stay small.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{Crate, Module};
use crate::{Text, assert_none, offenders, root};

/// Layers of a crate, the lowest first. A name stands for a module and, unless it stands [`ALONE`], for all below
/// it that have no row of their own.
type Layers = &'static [&'static [&'static str]];

/// Ground of the runtime.
const SYSTEM: Layers = &[
    &["arch", "atomic", "decimal", "linux/libc"],
    // Calls into the kernel and the C library, memory, what the user says.
    &["charge", "linux/machine", "linux/platform", "linux/c_library", "bare/board"],
    &["linux/message", "bare/message"],
    &["linux/program", "linux/region", "linux/reserve", "bare/program", "bare/region"],
    &[
        "linux/brief",
        "linux/environment",
        "linux/listed",
        "linux/path",
        "linux/signal_stack",
        "linux/writable_code",
    ],
    &["linux/valgrind"],
    &["linux/loader", "linux/memory"],
    &["linux/clock"],
    &["bare", "contract", "linux"],
];

/// Stacks of samples.
const STACKS: Layers = &[
    &["arm", "cache", "clock", "elf", "faults", "frames", "incomplete", "kernel", "made", "maps"],
    &["python", "ring", "threads"],
    &["marks", "modules", "switches", "tree"],
    &["python/merge"],
    &["walk"],
    &["recorder"],
    &["unload"],
];

/// The runtime.
const RUNTIME: Layers = &[
    &["phase", "state"],
    // What the user says, and who does what.
    &["linux/exclusive", "linux/naming", "linux/options", "linux/process", "linux/turns"],
    // What is counted.
    &["counted", "linux/first_calls"],
    &["arcs", "guards", "histogram", "units"],
    &["linux/dormant", "linux/libcalls", "linux/sampler/threads/chance"],
    &[
        "linux/sampler/threads/roster",
        "linux/sampler/threads/rounding",
        "linux/sampler/threads/scout",
    ],
    &["linux/sampler"],
    &["linux/threads", "linux/times", "bare/threads"],
    // What is written.
    &["counts", "records"],
    &["bare/note"],
    &["linux/output/occasion"],
    &["linux/full", "linux/ledger"],
    &["linux/log", "linux/output"],
    &["linux/live", "linux/writer"],
    // The profile as a whole, by its parts, and who reaches it.
    &["linux/ends/fatal", "linux/snapshot"],
    &["linux/life/parts"],
    &["linux/life", "bare/life"],
    &["abi", "linux/entry", "linux/ends", "bare/entry", "bare/ends"],
    // What nothing above uses.
    &["bare", "hooks", "linux", "system"],
];

/// Modules whose layer is theirs alone: those below have rows of their own.
const ALONE: [&str; 2] = ["bare", "linux"];

/// The stages of the analyzer.
const ANALYZER: Layers = &[
    &[
        "c_numbers",
        "error",
        "files",
        "harmless",
        "numbers",
        "parallel",
        "positions",
        "progress",
        "response_files",
        "signature",
        "totals",
    ],
    &["table"],
    &["wrapping"],
    &["arch"],
    &["image"],
    &["records"],
    &["symbols"],
    &["selection"],
    &["program"],
    &["modules"],
    &["profile"],
    &["analysis"],
    &["report"],
    &["follow", "measurement", "sum"],
    &["model"],
    &["diff", "export"],
    &["gprof"],
];

/// The rooms of the command.
const COMMAND: Layers = &[
    &[
        "carried",
        "color",
        "command_line",
        "packages",
        "signals",
        "source",
        "tables",
        "temporary",
        "text",
    ],
    &["dormant", "named", "naming"],
    // What is read, the only door to it, and what is known of runs.
    &["open"],
    &["guided", "made", "processes"],
    // Subcommands, and what they have in common.
    &["report"],
    &["cc", "merge", "recover"],
    &["attached"],
    &["outside"],
    &["run"],
    &["annotate", "bbconv", "config", "ctl", "diff", "doctor", "export", "gprof"],
    &["cargo", "top"],
    &["examples", "install", "manual"],
    &["bin", "help", "main"],
];

/// Modules of the system, of stacks, of the runtime, and of the analyzer, that may use each other.
const LARGEST_CIRCLES: [usize; 4] = [3, 3, 3, 5];

fn stacks() -> Crate {
    Crate::read(&root().join("stacks/src"), None)
}

fn system() -> Crate {
    Crate::read(&root().join("system/src"), None)
}

fn runtime() -> Crate {
    Crate::read(&root().join("runtime/src"), Some(("system", "linux")))
}

fn command() -> Crate {
    Crate::read(&root().join("command/src"), None)
}

fn analyzer() -> Crate {
    Crate::read(&root().join("analyzer/src"), None)
}

#[test]
fn layers_of_the_runtime_use_those_below() {
    assert_none(against(SYSTEM, &system()), "imports against the layers of the system");
    assert_none(against(STACKS, &stacks()), "imports against the layers of stacks");
    assert_none(against(RUNTIME, &runtime()), "imports against the layers of the runtime");
}

#[test]
fn stages_of_the_analyzer_use_those_to_their_left() {
    assert_none(against(ANALYZER, &analyzer()), "imports against the stages of the analyzer");
}

#[test]
fn rooms_of_the_command_use_those_below() {
    assert_none(against(COMMAND, &command()), "imports against the layers of the command");
}

/// Only the door opens data, so that all commands decide alike what is read.
#[test]
fn data_is_opened_by_one_door() {
    let opens =
        |text: &Text| text.is_below("command/src") && text.text.contains("Measurement::open");
    assert_eq!(offenders(opens), ["command/src/open/door.rs"]);
}

#[test]
fn folders_of_the_command_are_in_no_circle() {
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, used) in command().uses() {
        let folder = module[..1].to_vec();
        let used = used.into_iter().map(|used| used[..1].to_vec()).filter(|used| *used != folder);
        uses.entry(folder.clone()).or_default().extend(used);
    }
    let circles = circles(&uses).into_iter().filter(|circle| circle.len() > 1);
    let circles = circles.map(|circle| format!("{circle:?}"));
    assert_none(circles.collect(), "circles of folders in the command");
}

/// Nobody forgets to say where a new module belongs.
#[test]
fn a_module_without_a_layer_is_found() {
    for (system, forgotten) in [("linux", "linux/ledger"), ("bare", "bare/life")] {
        let rows = RUNTIME.iter().map(|row| row.iter().copied().filter(|name| *name != forgotten));
        let rows: Vec<Vec<&str>> = rows.map(Iterator::collect).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let found = against(&rows, &runtime());
        assert!(found.contains(&format!("{forgotten}: in no layer")), "{system}: {found:?}");
    }
}

#[test]
fn circles_of_imports_are_small() {
    let crates = [
        ("system", system()),
        ("stacks", stacks()),
        ("runtime", runtime()),
        ("analyzer", analyzer()),
    ];
    for ((name, modules), most) in crates.into_iter().zip(LARGEST_CIRCLES) {
        let circles = circles(&modules.uses());
        let large = circles.into_iter().filter(|circle| circle.len() > most);
        let large = large.map(|circle| format!("{}: {circle:?}", circle.len()));
        assert_none(large.collect(), &format!("large circles of imports in the {name}"));
    }
}

/// The rules see what they are to see: uses through re-exports, in the code, and through the contract.
#[test]
fn uses_are_found() {
    let uses = runtime().uses();
    for (module, used) in [
        ("linux/life/parts", "linux/sampler/choice"),
        ("linux/sampler/itimer", "linux/sampler"),
        ("linux/sampler/perf/ring", "linux/sampler/threads/roster"),
        ("abi", "linux/life"),
        ("linux/live/arena", "linux/live/file"),
    ] {
        assert!(uses[&path(module)].contains(&path(used)), "{module}: {:?}", uses[&path(module)]);
    }
    assert!(!uses[&path("linux/naming")].contains(&path("linux/live")));
    let uses = stacks().uses();
    assert!(uses[&path("walk")].contains(&path("python/merge")), "{:?}", uses[&path("walk")]);
    let uses = system().uses();
    for (module, used) in
        [("linux/memory", "linux/platform/memory"), ("linux/program", "arch/stubs")]
    {
        assert!(uses[&path(module)].contains(&path(used)), "{module}: {:?}", uses[&path(module)]);
    }
}

fn path(name: &str) -> Module {
    name.split('/').map(str::to_owned).collect()
}

/// Uses of higher layers, and modules without a layer.
fn against(layers: &[&[&str]], modules: &Crate) -> Vec<String> {
    let uses = modules.uses();
    let layer = |module: &Module| {
        let rows = layers
            .iter()
            .enumerate()
            .flat_map(|(i, row)| row.iter().map(move |name| (path(name), i)));
        let covers = |name: &Module| match name.join("/") {
            name if ALONE.contains(&name.as_str()) => module.join("/") == name,
            _ => module.starts_with(name),
        };
        let above = rows.filter(|(name, _)| covers(name));
        above.max_by_key(|(name, _)| name.len()).map(|(_, i)| i)
    };
    let unknown = uses.keys().filter(|module| layer(module).is_none());
    let unknown: Vec<String> =
        unknown.map(|module| format!("{}: in no layer", module.join("/"))).collect();
    let pairs = uses.iter().flat_map(|(module, used)| used.iter().map(move |used| (module, used)));
    let upward = pairs.filter(|(module, used)| layer(module) < layer(used));
    let upward =
        upward.map(|(module, used)| format!("{} uses {}", module.join("/"), used.join("/")));
    unknown.into_iter().chain(upward).collect()
}

/// The sets of modules each of which uses all the others, by way of others if need be.
fn circles(uses: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<Module>> {
    let reached = |start: &Module| {
        let mut reached = BTreeSet::new();
        let mut next = vec![start];
        while let Some(module) = next.pop() {
            next.extend(uses[module].iter().filter(|used| reached.insert((*used).clone())));
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        uses.keys().map(|module| (module, reached(module))).collect();
    let circle = |(module, all): (&&Module, &BTreeSet<Module>)| {
        let back = all.iter().filter(|other| reached[other].contains(*module));
        back.cloned().collect::<BTreeSet<_>>()
    };
    reached.iter().map(circle).collect()
}
