//! Counts of programs of real size: every function that ran has the calls that callgrind counts, which runs
//! every instruction itself, whatever the compiler made of the function.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::programs;
use support::{
    callgrind,
    command::{gmon, gmon_gprof, output_of, quiet, static_library, text_of},
    report::Report,
    summary as tables, tools,
};

/// What gcc links into every program.
const OF_C: [&str; 10] = [
    "atexit",
    "__gmon_start__",
    "_start",
    "_init",
    "_fini",
    "frame_dummy",
    "deregister_tm_clones",
    "register_tm_clones",
    "__do_global_dtors_aux",
    "_dl_relocate_static_pie",
];

/// A function of Lua whose calls depend on where in memory things lie, by which it hashes them: it only has
/// some.
const BY_ADDRESS: &str = "mainpositionTV";

/// The functions of a program or an archive.
fn functions(file: &Path) -> BTreeSet<String> {
    let listing = text_of(quiet("readelf").args(["--syms", "--wide"]).arg(file));
    let functions = listing.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match fields[..] {
            [_, _, _, "FUNC", _, _, section, name] if section != "UND" => Some(name.to_owned()),
            _ => None,
        }
    });
    functions.collect()
}

/// Checks the calls of every function in all reports beside those of callgrind; tells how many there are.
///
/// Jumps between a function and its cold part are not calls, though callgrind takes them for some; and
/// where a static function has the name of another, the sum of both is compared.
fn check(program: &Path, arguments: &[&str], printed: &str) -> usize {
    let Some(truth) = callgrind::calls(program, arguments) else { return usize::MAX };
    let folder = programs::run(program, arguments, printed);
    let data = folder.path().join("gmon.out");
    let mut classic: BTreeMap<String, u64> = BTreeMap::new();
    for entry in Report::parse(&gmon_gprof(program, &data)).entries {
        *classic.entry(entry.name).or_default() += entry.calls + entry.self_calls;
    }
    let mut run = gmon();
    run.args(["run", "--names", "linker", "--top", "1000000"]).arg(program).args(arguments);
    let output = output_of(run.current_dir(&folder));
    let summary = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{summary}");
    let summary = tables::calls(&summary);

    let not_ours = functions(&static_library());
    let ours = functions(program).into_iter().filter(|name| {
        !not_ours.contains(name) && !OF_C.contains(&&**name) && !name.contains(".cold")
    });
    let (mut compared, mut differences) = (0, Vec::new());
    for name in ours {
        let calls = truth.get(&name).copied().unwrap_or_default();
        for (report, known) in [("gprof", &classic), ("run", &summary)] {
            let told = known.get(&name).copied().unwrap_or_default();
            let is_right = told == calls || name.starts_with(BY_ADDRESS) && told > 0;
            if !is_right {
                differences.push(format!("gmon {report}: {name} {told}, and not {calls}"));
            }
        }
        compared += usize::from(calls > 0);
    }
    assert!(differences.is_empty(), "{}: {differences:#?}", program.display());
    let cold = |calls: &BTreeMap<String, u64>| {
        calls.iter().filter(|(name, _)| name.contains(".cold")).map(|(_, calls)| calls).sum::<u64>()
    };
    assert_eq!((cold(&classic), cold(&summary)), (0, 0), "calls of cold parts");
    compared
}

#[test]
fn counts_of_sqlite_are_those_of_callgrind() {
    let Some(program) = programs::sqlite() else { return };
    let checked = check(program, &["20000"], "20000|");
    assert!(checked > 400, "only {checked} functions ran");
}

#[test]
fn counts_of_lua_are_those_of_callgrind_however_it_is_optimized() {
    if tools::find("valgrind").is_none() {
        return;
    }
    let ways: [fn() -> PathBuf; 3] = [
        programs::lua,
        || programs::lua_by("lua.O3", &["-O3"]),
        || programs::lua_by("lua.lto", &["-O2", "-flto=2", "-fno-fat-lto-objects"]),
    ];
    for build in tools::representatives(&ways, 1, "ways to compile it") {
        let program = build();
        let checked = check(&program, &[], "75025 ");
        assert!(checked > 200, "{}: only {checked} functions ran", program.display());
    }
}

#[test]
fn counts_of_openmp_are_those_of_callgrind() {
    let has_openmp = |name: &&str| tools::find(&format!("{name} -fopenmp")).is_some();
    for compiler in ["gcc", "clang"].into_iter().filter(has_openmp) {
        let name = format!("parallel.{compiler}");
        // Valgrind does not know all of clang's DWARF 5.
        let flags = ["-O2", "-fopenmp", "-gdwarf-4"];
        let program = programs::build(&name, compiler, &flags, "parallel.c");
        let checked = check(&program, &[], "149995");
        assert!(checked >= 8, "{compiler}: only {checked} functions ran");
    }
}

#[test]
fn counts_of_fortran_are_those_of_callgrind() {
    if tools::find("gfortran -fopenmp").is_none() {
        return;
    }
    for (name, flags) in [("heat.O0", "-O0"), ("heat.O2", "-O2")] {
        let program = programs::build(name, "gfortran", &[flags, "-fopenmp"], "heat.f90");
        let checked = check(&program, &[], "617");
        assert!(checked >= 4, "{flags}: only {checked} functions ran");
    }
}
