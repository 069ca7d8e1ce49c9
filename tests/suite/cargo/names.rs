//! Names of both manglings, in every style.

use std::collections::BTreeMap;

use super::project::{Project, Run};
use support::command::gmon;

const MANIFEST: &str = r#"
    [package]
    name = "project"
    version = "0.1.0"
    edition = "2021"
"#;

const PROGRAM: &str = r#"
    use std::hint::black_box;

    struct Pair<T>(T, T);
    trait Total<N> { fn total(&self) -> N; }

    impl Total<u64> for Pair<u32> {
        #[inline(never)]
        fn total(&self) -> u64 { black_box(u64::from(self.0 + self.1)) }
    }
    impl<T> Pair<T> {
        #[inline(never)]
        fn first(&self) -> &T { black_box(&self.0) }
    }

    #[inline(never)]
    fn length<T: ToString>(value: T) -> usize { black_box(value.to_string().len()) }

    fn main() {
        let add: &dyn Fn(usize) -> usize = black_box(&|n| n + 1);
        let mut sum = 0;
        for n in 0..3 { sum += length(n as u64); }
        for _ in 0..5 { sum += length("text"); }
        for n in 0..7 { sum += add(n); }
        for n in 0..11 { sum += Pair(n, n).total() as usize; }
        for n in 0..13 { sum += *Pair(n, n).first() as usize; }
        black_box(sum);
    }
"#;

/// A name without its hashes.
fn without_hashes(name: &str) -> String {
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let end = name.rsplit_once("::h").filter(|(_, hash)| is_hash(hash)).map(|(path, _)| path);
    let mut parts = end.unwrap_or(name).split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let kept = part.split_once(']').filter(|(hash, _)| u64::from_str_radix(hash, 16).is_ok());
        plain += kept.map_or(part, |(_, rest)| rest);
    }
    plain
}

/// Checks what each style shows: functions of the program, and their calls.
fn check(mangling: &str, plain: &[(&str, u64)], short: &[(&str, u64)]) {
    let project = Project::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", PROGRAM)]);
    let mut command = project.command("run --names short --top 1000");
    // The older mangling is not a stable option of newer compilers.
    command.env("RUSTC_BOOTSTRAP", "1");
    command.env("RUSTFLAGS", format!("-Zunstable-options -Csymbol-mangling-version={mangling}"));
    let options = format!("out={}", project.data().display());
    let built = Run::of(command.env("GMON_OPTIONS", &options)).succeeded();
    let has = |calls: &BTreeMap<String, u64>, expected: &[(&str, u64)]| {
        for &(name, number) in expected {
            assert_eq!(calls.get(name), Some(&number), "{mangling} {name}\n{calls:#?}");
        }
        let is_of_std = |(name, &calls): (&String, &u64)| name.starts_with("std::") && calls == 1;
        assert!(calls.iter().any(is_of_std), "{mangling}: nothing of std\n{calls:#?}");
    };
    has(&built.summary(), short);

    let executable = built.executable();
    let in_style = |style: &str| {
        let mut command = gmon();
        command.args(["run", "--top", "1000", "--names", style]).arg(&executable);
        Run::of(command.env("GMON_OPTIONS", &options)).succeeded().summary()
    };
    has(&in_style("plain"), plain);
    let full = in_style("full");
    let own = |name: &&String| name.contains("project");
    assert!(full.keys().filter(own).all(|name| without_hashes(name) != *name), "{full:#?}");
    let mut joined: BTreeMap<String, u64> = BTreeMap::new();
    for (name, calls) in full {
        *joined.entry(without_hashes(&name)).or_default() += calls;
    }
    has(&joined, plain);
    let linker = in_style("linker");
    let is_mangled = |name: &&String| name.starts_with("_R") || name.starts_with("_ZN");
    assert!(linker.keys().filter(own).all(|name| is_mangled(&name)), "{linker:#?}");

    for (style, functions) in [("plain", plain), ("short", short)] {
        for (name, _) in functions {
            let function = |name: &str| {
                let mut command = gmon();
                command.args(["annotate", "--names", style, "--function", name]).arg(&executable);
                Run::of(command.arg(project.data())).succeeded().stdout
            };
            let shown = function(name);
            assert!(shown.starts_with(&format!("{name} in ")), "{mangling} {name}\n{shown}");
            let shown = function("project::main");
            let is_called = |line: &str| line.ends_with(&format!("-> {name}"));
            assert!(shown.lines().any(is_called), "{mangling} {name}\n{shown}");
        }
    }
}

#[test]
fn newer_mangling() {
    check(
        "v0",
        &[
            ("project::length::<u64>", 3),
            ("project::length::<&str>", 5),
            ("project::main::{closure#0}", 7),
            ("<project::Pair<u32> as project::Total<u64>>::total", 11),
            ("<project::Pair<i32>>::first", 13),
        ],
        &[
            ("project::length::<_>", 3 + 5),
            ("project::main::{closure#0}", 7),
            ("<project::Pair<_> as project::Total<_>>::total", 11),
            ("<project::Pair<_>>::first", 13),
        ],
    );
}

/// Its names say less of generic arguments, and have `$` and dots.
#[test]
fn older_mangling() {
    check(
        "legacy",
        &[
            ("project::length", 3 + 5),
            ("project::main::{{closure}}", 7),
            ("<project::Pair<u32> as project::Total<u64>>::total", 11),
            ("project::Pair<T>::first", 13),
        ],
        &[
            ("project::length", 3 + 5),
            ("project::main::{{closure}}", 7),
            ("<project::Pair<_> as project::Total<_>>::total", 11),
            ("project::Pair<_>::first", 13),
        ],
    );
}
