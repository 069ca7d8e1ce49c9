//! Options, profiles and configuration: ours, and all that are cargo's own.

use std::fs;

use super::project::{Project, Run};
use support::{command::quiet, tools};

/// A workspace with all that cargo compiles: two programs of one package, a library, a procedural macro, a
/// build script, and C.
pub(super) fn workspace() -> Project {
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
    };
    let app = "default-run = \"app\"\n\
               [features]\nmore = []\n\
               [dependencies]\ninner-most = { path = \"../inner most\" }\nmade = { path = \"../made\" }\n\
               [build-dependencies]\ncc = \"1\"\n";
    let program = "
        #[inline(never)]
        fn own(n: u32) -> u32 { std::hint::black_box(n) }
        made::make!(written_by_a_macro);
        fn main() {
            for n in 0..3 { inner_most::leaf(n); }
            for n in 0..7 { written_by_a_macro(n); }
            for n in 0..11 { own(n); }
        }";
    let other = "fn main() {
        for n in 0..13 { inner_most::leaf(n); }
        if cfg!(feature = \"more\") { for n in 0..100 { inner_most::leaf(n); } }
    }";
    let made = "
        #[inline(never)]
        fn of_the_build(name: String) -> String {
            format!(\"#[inline(never)] fn {name}(n: u32) -> u32 {{ std::hint::black_box(n) }}\")
        }
        #[proc_macro]
        pub fn make(name: proc_macro::TokenStream) -> proc_macro::TokenStream {
            of_the_build(name.to_string()).parse().unwrap()
        }";
    let build = "fn main() {
        cc::Build::new().file(\"leaf.c\").cargo_metadata(false).compile(\"leaf\");
        println!(\"cargo:rustc-link-search={}\", std::env::var(\"OUT_DIR\").unwrap());
        println!(\"cargo:rustc-link-lib=static:+whole-archive=leaf\");
    }";
    Project::new(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"app\", \"inner most\", \"made\"]\n\
             default-members = [\"app\"]\nresolver = \"2\"\n\
             [profile.tiny]\ninherits = \"release\"\nopt-level = \"s\"\n",
        ),
        ("app/Cargo.toml", &manifest("app", app)),
        ("app/build.rs", build),
        ("app/leaf.c", &in_c("n FACTOR")),
        ("app/src/main.rs", program),
        ("app/src/bin/other.rs", other),
        ("inner most/Cargo.toml", &manifest("inner-most", "")),
        (
            "inner most/src/lib.rs",
            "#[inline(never)] pub fn leaf(n: u32) -> u32 { std::hint::black_box(n) }",
        ),
        ("made/Cargo.toml", &manifest("made", "[lib]\nproc-macro = true\n")),
        ("made/src/lib.rs", made),
    ])
}

/// C that calls itself before `main`, with an expression of `n`.
fn in_c(expression: &str) -> String {
    format!(
        "unsigned leaf_in_c(unsigned n) {{ __asm__(\"\"); return {expression}; }}\n\
         __attribute__((constructor)) static void begin(void) {{ for (int i = 0; i < 5; i++) leaf_in_c(i); }}\n"
    )
}

/// The calls of these functions.
pub(super) fn calls<const N: usize>(run: &Run, names: [&str; N]) -> [Option<u64>; N] {
    let summary = run.summary();
    names.map(|name| summary.get(name).copied())
}

pub(super) const ALL: [&str; 4] =
    ["inner_most::leaf", "leaf_in_c", "app::written_by_a_macro", "app::own"];

#[test]
fn what_belongs_to_the_program_is_counted_and_what_builds_it_is_not() {
    let place = workspace();
    // The user's own flags of C are needed.
    let run = |arguments: &str| {
        let mut command = place.command(&format!("{arguments} --top 1000"));
        let options = format!("out={}", place.data().display());
        Run::of(command.env("CFLAGS", "-DFACTOR=*2").env("GMON_OPTIONS", options)).succeeded()
    };
    let all = run("run");
    assert_eq!(calls(&all, ALL), [Some(3), Some(5), Some(7), Some(11)], "{}", all.stderr);
    let summary = all.summary();
    assert!(!summary.keys().any(|name| name.contains("of_the_build") || name.contains("cc::")));
    let told = all.executable();
    assert!(told.ends_with("release/app"), "{}", told.display());

    // Some of it, other options, and another folder.
    let target = place.data().with_file_name("other target");
    let mut command = place.command("run -q -p app --bin other --no-c --only inner-most");
    command.args(["--features", "more", "--profile", "tiny", "--target-dir"]).arg(&target);
    command.env("CFLAGS", "-DFACTOR=*2").current_dir(place.folder().join("inner most"));
    command.env("GMON_OPTIONS", format!("out={}", place.data().display()));
    let some = Run::of(&mut command).succeeded();
    let expected = [Some(113), None, None, None];
    assert_eq!(calls(&some, ALL), expected, "{}", some.stderr);
    assert_eq!(some.summary().get("other::main"), None, "{}", some.stderr);
    let told = some.executable();
    assert!(told.starts_with(&target) && told.ends_with("tiny/other"), "{}", told.display());
}

/// A package whose program says what the user's configuration made of it.
fn configured() -> Project {
    let program = "
        #[inline(never)]
        fn leaf(n: u32) -> u32 { std::hint::black_box(n) }
        fn main() {
            for n in 0..if cfg!(extra) { 17 } else { 1 } { leaf(n); }
            for (name, value) in std::env::vars() { println!(\"{name}={value}\"); }
        }";
    let manifest = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    Project::new(&[("Cargo.toml", manifest), ("src/main.rs", program)])
}

/// Flags, wrapper and runner of the user keep their effect, and the program sees none of ours.
#[test]
fn configuration_of_the_user_is_kept() {
    let place = configured();
    let log = place.folder().join("log");
    let wrapper =
        place.script("wrapper", &format!("echo wrapped >> '{}'; exec \"$@\"", log.display()));
    let runner = place.script("runner", "exec env SEEN=yes \"$@\"");
    let config = format!(
        "[build]\nrustflags = [\"--cfg\", \"extra\"]\nrustc-wrapper = '{}'\n\
         [target.'cfg(unix)']\nrunner = ['{}']\n",
        wrapper.display(),
        runner.display()
    );
    fs::create_dir(place.folder().join(".cargo")).expect("a folder");
    fs::write(place.folder().join(".cargo/config.toml"), config).expect("a file");
    let run = place.run("run --top 1000").succeeded();
    assert_eq!(run.summary().get("app::leaf"), Some(&17), "{}", run.stderr);
    assert!(run.stdout.contains("SEEN=yes\n"), "{}", run.stdout);
    let is_ours = |line: &&str| {
        ["GMON_CARGO", "RUSTC_WRAPPER", "RUNNER", "CFLAGS", "CARGO_INCREMENTAL"]
            .iter()
            .any(|name| line.contains(name))
    };
    assert_eq!(run.stdout.lines().find(is_ours), None);
    // The wrapper is asked at least for what the compiler is.
    assert!(fs::read_to_string(&log).is_ok_and(|text| text.contains("wrapped")));

    // On the command line the same goes before files, and before our own.
    let config = format!("build.rustc-wrapper='{}'", wrapper.display());
    let runner = "target.x86_64-unknown-linux-gnu.runner=['env', 'SEEN=again']";
    let mut command = place.command("run --top 1000 --hooks guards --config");
    command.arg(config).args(["--config", runner]);
    command.env("GMON_OPTIONS", format!("out={}", place.data().display()));
    command.env("RUSTFLAGS", "").env_remove("RUSTC_WRAPPER");
    fs::remove_file(&log).expect("a log");
    let run = Run::of(&mut command).succeeded();
    assert_eq!(run.summary().get("app::leaf"), Some(&1), "{}", run.stderr);
    if cfg!(all(target_arch = "x86_64", target_env = "gnu")) {
        assert!(run.stdout.contains("SEEN=again\n"), "{}", run.stdout);
    }
    assert!(fs::metadata(&log).is_ok(), "the wrapper was not called");
}

/// Optimised across crates or not, and however panics end.
#[test]
fn every_profile_counts_the_same() {
    let place = workspace();
    fs::write(place.folder().join("app/leaf.c"), in_c("n")).expect("a source");
    let profiles = [
        &[("LTO", "fat"), ("PANIC", "abort")][..],
        &[("LTO", "thin"), ("CODEGEN_UNITS", "16"), ("STRIP", "symbols")],
        &[("OPT_LEVEL", "0"), ("INCREMENTAL", "true"), ("DEBUG", "0")],
    ];
    for variables in tools::representatives(&profiles, 1, "profiles") {
        let ways: Vec<_> = ways().collect();
        for (way, options) in tools::shared_out(&ways, "ways to count") {
            let mut command = place.command(&format!("run --no-c --top 1000 {way}"));
            for (name, value) in *variables {
                command.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
            }
            command.env("GMON_OPTIONS", format!("out={}{options}", place.data().display()));
            let run = Run::of(&mut command).succeeded();
            let expected = [Some(3), None, Some(7), Some(11)];
            assert_eq!(calls(&run, ALL), expected, "{variables:?} {way}\n{}", run.stderr);
        }
    }
}

/// Hooks that count and, where there are, hooks that sleep, with the options that wake all of them.
fn ways() -> impl Iterator<Item = (&'static str, &'static str)> {
    let asleep = cfg!(target_arch = "x86_64").then_some(("--dormant", ",hooks=*"));
    [("", "")].into_iter().chain(asleep)
}

/// Whatever flags ask for hooks: the crate that controls the runtime has none, so a program that is
/// profiled in spite of it neither counts it nor calls itself without end.
#[test]
fn the_runtime_is_never_profiled() {
    let examples = Project::examples_by("hooks");
    let mut command = examples.command("run -p control --profile dev --top 1000");
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zinstrument-mcount");
    command.env("GMON_OPTIONS", format!("out={}", examples.data().display()));
    let run = Run::of(&mut command).succeeded();
    run.is_true();
    assert!(!run.summary().keys().any(|name| name.contains("gmon_control")), "{}", run.stderr);
    let listing = quiet("readelf").args(["-sW"]).arg(run.executable()).output().expect("readelf");
    assert!(String::from_utf8_lossy(&listing.stdout).contains("gmon_start"));
}
