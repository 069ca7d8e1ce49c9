//! Each function of a program that ran is in its profile, with its calls, as valgrind's callgrind counts
//! them: it runs every instruction itself, and knows nothing of hooks.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use super::project::{Project, Run};
use support::{
    callgrind,
    command::{gmon, output_of, quiet, static_library, text_of},
    sources, tools,
};

/// The functions of a program and of what else it was linked from: names, by address.
#[derive(Default)]
struct Functions(BTreeMap<String, BTreeSet<String>>);

impl Functions {
    /// Those that a file defines, or the members of an archive.
    fn of(file: &Path) -> Self {
        let listing = text_of(quiet("readelf").args(["--syms", "--wide"]).arg(file));
        let mut functions = Self::default();
        for line in listing.lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if let [_, address, _, "FUNC", _, _, section, name] = fields[..] {
                if section != "UND" {
                    functions.0.entry(address.into()).or_default().insert(name.into());
                }
            }
        }
        functions
    }

    fn names(&self) -> BTreeSet<&str> {
        self.0.values().flatten().map(String::as_str).collect()
    }

    /// One name for all functions that share a name or an address with others, by name: local ones of
    /// the same name, and equal ones of which the compiler kept one.
    fn kin(&self) -> BTreeMap<&str, &str> {
        let mut kin: BTreeMap<&str, &str> =
            self.names().into_iter().map(|name| (name, name)).collect();
        for names in self.0.values().filter(|names| names.len() > 1) {
            let all: BTreeSet<&str> = names.iter().map(|name| kin[&**name]).collect();
            let first = *all.first().expect("a name");
            for chosen in kin.values_mut().filter(|chosen| all.contains(**chosen)) {
                *chosen = first;
            }
        }
        kin
    }
}

/// The functions of a program that were not there before cargo compiled it: not the standard library's,
/// the runtime's, the C library's, and those through which rustc has memory asked for.
fn compiled(program: &Functions) -> BTreeSet<&str> {
    const OF_RUSTC: &str = "___rustc";
    const OF_C: &[&str] = &["_start", "_init", "_fini", "__do_global_dtors_aux", "frame_dummy"];
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = text_of(quiet(rustc).arg("--print=target-libdir"));
    let files =
        fs::read_dir(folder.trim_end()).expect("a folder").map(|file| file.expect("a file").path());
    let libraries = files.filter(|path| path.extension().is_some_and(|suffix| suffix == "rlib"));
    let before: Vec<Functions> =
        libraries.chain([static_library()]).map(|path| Functions::of(&path)).collect();
    let before: BTreeSet<&str> = before.iter().flat_map(Functions::names).collect();
    let is_new =
        |name: &&str| !before.contains(name) && !name.contains(OF_RUSTC) && !OF_C.contains(name);
    program.names().into_iter().filter(is_new).collect()
}

/// Profiles a program, has callgrind count, and checks that every function that was compiled with hooks
/// and ran has its calls, or, if they differ from run to run, has calls at all. Tells how many.
fn check(program: &Path, arguments: &[&str], is_always_the_same: bool) -> usize {
    let place = tempfile::tempdir().expect("a temporary folder");
    let mut run = gmon();
    run.args(["run", "--names", "linker", "--top", "1000000"]).arg(program).args(arguments);
    let profile = Run::of(run.current_dir(&place)).succeeded().summary();
    let Some(truth) = callgrind::calls(program, arguments) else { return usize::MAX };

    let functions = Functions::of(program);
    let kin = functions.kin();
    let sums = |calls: &BTreeMap<String, u64>| {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, number) in calls {
            // Others are of shared libraries.
            let Some(chosen) = kin.get(&**name) else { continue };
            *sums.entry(chosen).or_default() += number;
        }
        sums
    };
    let (profile, truth) = (sums(&profile), sums(&truth));
    let compiled: BTreeSet<&str> = compiled(&functions).into_iter().map(|name| kin[name]).collect();
    let ran: Vec<&str> = compiled.into_iter().filter(|name| truth.contains_key(name)).collect();
    for name in &ran {
        let calls = profile.get(name).copied().unwrap_or_default();
        let is_right = if is_always_the_same { calls == truth[name] } else { calls != 0 };
        assert!(is_right, "{name}: {calls} calls, and not {}", truth[name]);
    }
    ran.len()
}

#[test]
fn examples() {
    for name in ["small", "dependencies"] {
        let run = Project::examples().run(&format!("run -p {name}")).succeeded();
        let checked = check(&run.executable(), &[], true);
        assert!(checked > 8, "{name}: {checked} functions ran");
    }
}

/// Builds a program of the registry, and checks it at some work.
fn check_from_registry(
    [name, version, binary]: [&str; 3],
    build: impl FnOnce(&mut Command),
    arguments: &[&str],
    is_always_the_same: bool,
) -> Option<usize> {
    tools::find("valgrind")?;
    if tools::is_left_to_ci("it builds a program of others with all its crates") {
        return None;
    }
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry");
    let folder = sources::program(name, version, &place)?;
    let mut cargo = quiet(env!("CARGO_BIN_EXE_cargo-gmon"));
    cargo.args(["gmon", "build", "--locked", "--bin", binary, "--message-format=json"]);
    build(cargo.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")));
    let built = output_of(&mut cargo);
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let messages = String::from_utf8(built.stdout).expect("text");
    let mut programs = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
        message["executable"].as_str().map(str::to_owned)
    });
    let program = programs.next_back().expect("a program");
    Some(check(Path::new(&program), arguments, is_always_the_same))
}

/// A program that nobody here wrote, with dozens of dependencies; little optimised, so that it is built
/// soon, and less of it is inlined.
#[test]
fn program_of_others() {
    let quick = |cargo: &mut Command| {
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_LTO", "off");
    };
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock");
    let checked = check_from_registry(["hexyl", "0.16.0", "hexyl"], quick, &[input], true);
    assert!(checked.is_none_or(|checked| checked > 100), "{checked:?} functions ran");
}

/// A large program, optimised as its authors want it.
#[test]
fn large_program_of_others() {
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let arguments = ["-j1", "--only-matching", "--column", r"\w+", input];
    // The order of its file types is by random hashes.
    let checked = check_from_registry(["ripgrep", "14.1.1", "rg"], |_| {}, &arguments, false);
    assert!(checked.is_none_or(|checked| checked > 500), "{checked:?} functions ran");
}
