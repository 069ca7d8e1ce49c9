//! Keeps the project in the shape that its documents promise: sizes, directions, opening notes,
//! and documents that say what is.

mod directions;
mod imports;
mod life;
mod pages;
mod ports;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// A source file of 600 lines holds more than one idea.
const MOST_LINES: usize = 600;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 8] =
    ["util", "utils", "helper", "helpers", "common", "misc", "manager", "stuff"];

/// What each package that a profiled program may contain depends on, and nothing else.
const DEPENDENCIES: [(&str, &[&str]); 9] = [
    ("gmon-format", &[]),
    ("gmon-unwind", &[]),
    ("gmon-python", &["gmon-unwind"]),
    ("gmon-interpose", &["arrayvec", "gmon-unwind", "libc"]),
    (
        "gmon-system",
        &["arrayvec", "gmon-format", "gmon-interpose", "gmon-unwind", "libc", "once_cell"],
    ),
    (
        "gmon-stacks",
        &[
            "arrayvec",
            "gmon-format",
            "gmon-interpose",
            "gmon-python",
            "gmon-system",
            "gmon-unwind",
            "libc",
        ],
    ),
    (
        "gmon-runtime",
        &[
            "arrayvec",
            "gmon-format",
            "gmon-interpose",
            "gmon-stacks",
            "gmon-system",
            "libc",
            "once_cell",
        ],
    ),
    ("gmon-archive", &["gmon-runtime", "libc"]),
    ("gmon-control", &[]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text file of the project.
struct Text {
    /// Its path below the root.
    path: PathBuf,
    text: String,
}

impl Text {
    fn is(&self, suffix: &str) -> bool {
        self.path.extension().is_some_and(|extension| extension == suffix)
    }

    fn is_below(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }
}

/// Every text file that belongs to the project: no build products, no links, no hidden folders but
/// those of CI.
fn texts() -> Vec<Text> {
    let mut folders = vec![PathBuf::new()];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a readable folder") {
            let entry = entry.expect("a readable folder");
            let (kind, name) = (entry.file_type().expect("a file type"), entry.file_name());
            let name = name.to_string_lossy();
            let path = folder.join(&*name);
            let is_hidden = name.starts_with('.') && name != ".ci" && name != ".github";
            if kind.is_dir() && !is_hidden && name != "target" {
                folders.push(path);
            } else if kind.is_file() && name != "Cargo.lock" {
                let bytes = fs::read(root().join(&path)).expect("a readable file");
                texts.extend(String::from_utf8(bytes).ok().map(|text| Text { path, text }));
            }
        }
    }
    assert!(texts.len() > 50, "only {} files found", texts.len());
    texts
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Fails with the list of offenders, if there are any.
fn assert_none(offenders: Vec<String>, rule: &str) {
    assert!(offenders.is_empty(), "{rule}:\n  {}", offenders.join("\n  "));
}

fn offenders(breaks_rule: impl Fn(&Text) -> bool) -> Vec<String> {
    let texts = texts();
    texts
        .iter()
        .filter(|text| breaks_rule(text))
        .map(|text| text.path.display().to_string())
        .collect()
}

#[test]
fn every_source_file_opens_with_what_it_is_for() {
    let is_untold = |text: &Text| {
        let opening: &[&str] = match text.path.extension().and_then(|suffix| suffix.to_str()) {
            Some("rs") => &["//! "],
            Some("S" | "c" | "h" | "cc") => &["/* ", "// "],
            _ => return false,
        };
        !opening.iter().any(|opening| text.text.starts_with(opening))
    };
    assert_none(offenders(is_untold), "files without an opening note");
}

#[test]
fn no_source_file_is_long() {
    let is_source = |text: &Text| ["rs", "S", "c", "h", "cc"].iter().any(|suffix| text.is(suffix));
    let is_long = |text: &Text| is_source(text) && text.text.lines().count() > MOST_LINES;
    assert_none(offenders(is_long), "files with more than one idea");
}

#[test]
fn names_of_files_and_folders_say_what_is_inside() {
    let is_empty = |text: &Text| {
        let mut names = text.path.iter().map(|part| part.to_string_lossy().into_owned());
        names.any(|name| EMPTY_NAMES.contains(&name.split('.').next().unwrap_or_default()))
    };
    assert_none(offenders(is_empty), "names that say nothing");
}

/// Folders whose code may do what the compiler cannot check: the runtime and what it stands on; the parts of `interpose` that turn mapped modules into
/// bytes and call their resolvers; the crate that looks for the runtime in the program; the one that takes samples from the kernel;
/// and examples without the standard library, which can print only by C or by the system. The unwinder has no such code
/// itself, but its examples and tests handle signals and read other processes.
const UNSAFE_FOLDERS: [&str; 12] = [
    "runtime",
    "stacks",
    "system",
    "interpose/src/elf",
    "interpose/src/processor",
    "control",
    "events",
    "unwind/examples",
    "unwind/tests",
    "examples/rust/no_std",
    "examples/rust/bare",
    "examples/bare/rust",
];

#[test]
fn unsafe_code_stays_in_the_runtime() {
    let forms = ["{", "fn", "impl", "extern", "trait"].map(|form| ["un", "safe ", form].concat());
    let is_unsafe = |text: &Text| {
        let code = text.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let breaks = |line: &str| forms.iter().any(|form| line.contains(form.as_str()));
        let is_allowed = UNSAFE_FOLDERS.iter().any(|folder| text.is_below(folder));
        text.is("rs") && !is_allowed && code.into_iter().any(breaks)
    };
    assert_none(offenders(is_unsafe), "unsafe code outside of its folders");
}

#[test]
fn every_unsafe_block_argues_its_own_case() {
    let leans = |line: &str| {
        let argument = line.trim_start().strip_prefix("// SAFETY: ").unwrap_or_default();
        ["as ", "passed on", "see ", "the same"].iter().any(|start| argument.starts_with(start))
    };
    let is_lazy = |text: &Text| text.is("rs") && text.text.lines().any(leans);
    assert_none(offenders(is_lazy), "safety notes that point elsewhere");
}

#[test]
fn nothing_is_left_for_later() {
    let marks = ["TO", "FIX", "XX"].iter().zip(["DO", "ME", "X"]);
    let marks: Vec<String> = marks.map(|(left, right)| format!("{left}{right}")).collect();
    let is_unfinished = |text: &Text| marks.iter().any(|mark| text.text.contains(mark.as_str()));
    assert_none(offenders(is_unfinished), "files with unfinished business");
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let home = env::var("HOME").map(|home| home.trim_end_matches('/').to_owned() + "/");
    let folders: Vec<String> = home
        .into_iter()
        .filter(|home| home.len() > 1)
        .chain([root().display().to_string()])
        .collect();
    let is_local = |text: &Text| folders.iter().any(|folder| text.text.contains(folder.as_str()));
    assert_none(offenders(is_local), "files that name a folder of this machine");
}

/// Cargo packages what a link leads to: the licences of each package, and the stubs with the runtime.
#[test]
fn packages_have_their_stubs_and_licences() {
    let metadata = metadata();
    let published = own_packages(&metadata).filter(|package| package["publish"].is_null());
    let own = published.map(|package| folder_of(package).to_owned());
    let mut needed: Vec<PathBuf> = own
        .flat_map(|folder| ["LICENSE-APACHE", "LICENSE-MIT"].map(|name| folder.join(name)))
        .collect();
    needed.extend(
        ["runtime/asm", "runtime/archive/asm", "system/ports.txt"].map(|link| root().join(link)),
    );
    let missing =
        needed.iter().filter(|path| !path.exists()).map(|path| path.display().to_string());
    assert_none(missing.collect(), "missing, or links that lead nowhere");
}

/// What cargo knows about the workspace and all it depends on.
fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--quiet", "--format-version=1", "--manifest-path"]);
    let output = cargo.arg(root().join("Cargo.toml")).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("metadata in JSON")
}

/// With another set of features a library, all that uses it and the runtimes of all ports are compiled once more.
#[test]
fn tests_use_the_libraries_that_the_command_has_built() {
    let features = |arguments: &[&str]| -> BTreeSet<String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["tree", "--quiet", "--prefix=none", "--format={p} with [{f}]"]).args(arguments);
        let output = cargo.current_dir(root()).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    // With edges of tests, cargo shows libraries of build scripts with features that they are not built with.
    for (edges, all) in [("normal", "normal,dev"), ("normal,build", "normal,build")] {
        let command = features(&[&format!("--edges={edges}")]);
        assert!(command.iter().any(|line| line.starts_with("clap v")), "{command:?}");
        let all = features(&["--workspace", &format!("--edges={all}")]);
        let others = command.difference(&all).cloned().collect();
        assert_none(others, "libraries that tests want with more features than the command");
    }
}

fn own_packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let packages = metadata["packages"].as_array().expect("a list of packages").iter();
    packages.filter(|package| package["source"].is_null())
}

fn folder_of(package: &Value) -> &Path {
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("a folder")
}

/// Package of the workspace → what it depends on, each with the kind of dependency.
fn dependencies(metadata: &Value) -> BTreeMap<String, BTreeSet<(String, String)>> {
    let own = own_packages(metadata);
    own.map(|package| {
        let list = package["dependencies"].as_array().expect("a list of dependencies");
        let word = |value: &Value| value.as_str().unwrap_or("normal").to_owned();
        let pairs = list.iter().map(|one| (word(&one["name"]), word(&one["kind"])));
        (word(&package["name"]), pairs.collect())
    })
    .collect()
}

#[test]
fn packages_depend_in_one_direction() {
    let dependencies = dependencies(&metadata());
    let of_kind = |package: &str, kind: &str| -> BTreeSet<&str> {
        let all = dependencies[package].iter();
        all.filter(|(_, its_kind)| its_kind == kind).map(|(name, _)| name.as_str()).collect()
    };
    for (package, allowed) in DEPENDENCIES {
        let more: Vec<_> =
            of_kind(package, "normal").into_iter().filter(|name| !allowed.contains(name)).collect();
        assert!(more.is_empty(), "{package} depends on {more:?}");
    }
    for package in ["gmon", "gmon-command", "gmon-analyzer"] {
        for other in ["gmon-runtime", "gmon-archive"] {
            assert!(!of_kind(package, "normal").contains(other), "{package} depends on {other}");
        }
    }
}

#[test]
fn packages_are_named_after_their_folders() {
    let metadata = metadata();
    let is_misnamed = |(name, folder): &(&str, &Path)| {
        let folder = folder.file_name().expect("a folder").to_string_lossy();
        *folder != *name.strip_prefix("gmon-").unwrap_or_default()
    };
    let places = own_packages(&metadata)
        .map(|package| (package["name"].as_str().expect("a name"), folder_of(package)));
    let below = places.filter(|(_, folder)| *folder != root());
    let misnamed = below.filter(is_misnamed).map(|(name, folder)| format!("{name}: {folder:?}"));
    assert_none(misnamed.collect(), "packages with another name than their folder");
}

#[test]
fn every_dependency_is_explained() {
    let explained = read("docs/design/dependencies.md");
    let names = dependencies(&metadata()).into_values().flatten().map(|(name, _)| name);
    let is_unexplained = |name: &String| !explained.contains(&format!("`{name}`"));
    let unexplained: BTreeSet<String> =
        names.filter(|name| !name.starts_with("gmon")).filter(is_unexplained).collect();
    assert_none(
        unexplained.into_iter().collect(),
        "dependencies without a row in docs/design/dependencies.md",
    );
}

/// What the project promises to build with, its dependencies must build with too.
#[test]
fn no_dependency_needs_a_newer_rust() {
    let metadata = metadata();
    // 1.85 is 1.85.0.
    let version = |text: &str| -> Vec<u32> {
        let parts = text.split('.').map(|part| part.parse().expect("a version number"));
        parts.chain([0; 3]).take(3).collect()
    };
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let promised = packages.iter().find(|package| package["name"] == "gmon");
    let promised = promised.and_then(|package| package["rust_version"].as_str());
    let promised = version(promised.expect("a promised version"));
    let newer = packages.iter().filter_map(|package| {
        let needed = package["rust_version"].as_str()?;
        let is_newer = version(needed) > promised;
        is_newer.then(|| format!("{} needs Rust {needed}", package["name"]))
    });
    assert_none(newer.collect(), "dependencies that need a newer Rust");
}

/// The targets of a page's links to other files of the project.
fn links(page: &Text) -> impl Iterator<Item = PathBuf> {
    let folder = page.path.parent().unwrap_or(Path::new(""));
    let targets = page.text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let paths = files.map(|target| folder.join(target.split('#').next().unwrap_or(target)));
    paths.collect::<Vec<_>>().into_iter()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let pages = texts().into_iter().filter(|text| text.is("md"));
    let broken = pages.flat_map(|page| {
        let broken = links(&page).filter(|target| !root().join(target).exists());
        broken
            .map(|target| format!("{}: {}", page.path.display(), target.display()))
            .collect::<Vec<_>>()
    });
    assert_none(broken.collect(), "links to files that are not there");
}

#[test]
fn the_index_of_the_manual_leads_to_every_page() {
    let index = Text { path: "docs/README.md".into(), text: read("docs/README.md") };
    let linked: BTreeSet<PathBuf> = links(&index).collect();
    let pages = texts().into_iter().filter(|text| text.is("md") && text.is_below("docs"));
    let missing = pages.filter(|page| page.path != index.path && !linked.contains(&page.path));
    assert_none(
        missing.map(|page| page.path.display().to_string()).collect(),
        "pages that docs/README.md does not list",
    );
}

/// The two commands of the README: the main job, and all tests.
fn commands_of_readme() -> Vec<String> {
    let readme = read("README.md");
    let commands = readme.lines().map(str::trim).filter(|line| {
        line.starts_with("cargo run --release -- run examples/") || line.starts_with("cargo test")
    });
    commands.map(str::to_owned).collect()
}

#[test]
fn ci_runs_the_commands_that_the_readme_gives() {
    let commands = commands_of_readme();
    assert_eq!(commands.len(), 2, "{commands:?}");
    let script = read(".ci/run");
    let lines: Vec<&str> = script.lines().map(str::trim).collect();
    for command in &commands {
        assert!(lines.contains(&command.as_str()), "`{command}` is not in .ci/run");
    }
    let example = commands[0].split(' ').find(|word| word.starts_with("examples/"));
    assert!(root().join(example.expect("an example")).is_file(), "{}", commands[0]);
    assert!(read(".github/workflows/ci.yml").contains("run: .ci/run"));
}

/// Programs of every Debian system with Rust and a compiler, and perf, without which only a comparison is left out.
const OF_DEBIAN: [&str; 19] = [
    "bash", "c++", "cargo", "cp", "env", "install", "kill", "mkfifo", "mknod", "mount", "perf",
    "rustfmt", "setpriv", "sh", "sleep", "sort", "true", "umount", "unshare",
];

/// The programs that tests and benchmarks name where they start or look for one.
fn tools_of_tests() -> BTreeSet<String> {
    let before = [
        "tools::find(\"",
        "quiet(\"",
        "Command::new(\"",
        " c: \"",
        " cxx: \"",
        " emulator: \"",
        " gprof: \"",
    ];
    let is_test = |text: &&Text| {
        text.is("rs")
            && text
                .path
                .components()
                .any(|part| ["tests", "benches"].iter().any(|name| part.as_os_str() == *name))
    };
    let texts = texts();
    let named = texts
        .iter()
        .filter(is_test)
        .flat_map(|text| before.iter().flat_map(move |before| text.text.split(*before).skip(1)));
    let words = named.filter_map(|rest| rest.split('"').next());
    // Neither pieces of these very lines nor formatted names.
    let is_name =
        |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "+-._".contains(c));
    words.filter(|word| !word.is_empty()).filter(is_name).map(str::to_owned).collect()
}

#[test]
fn ci_installs_what_the_tests_run() {
    let tools = tools_of_tests();
    assert!(tools.contains("valgrind"), "{tools:?}");
    let script = read(".ci/run");
    let is_installed = |tool: &&String| {
        // A row of its own, one of the table of ports, or what is not Debian's.
        OF_DEBIAN.contains(&tool.as_str())
            || script.contains(&format!("\"{tool} "))
            || ports::tools().any(|known| known == **tool)
            || script.contains(&format!(" install {tool}"))
    };
    let missing = tools.iter().filter(|tool| !is_installed(tool));
    assert_none(missing.cloned().collect(), "tools of the tests that .ci/run does not install");
}
