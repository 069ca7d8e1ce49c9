//! What README.md and docs/ tell users to type is typed here, block by block, as it stands there.
//!
//! Blocks of shell commands and the commands of shown sessions (`$ …`) are run in a folder that has what they speak of. One
//! that cannot be run says why in a comment of Markdown right above it: `<!-- not run: REASON -->`.

mod place;

use std::fs;

use place::Place;
use support::command::{output_of, said};
use support::{root, tools};

/// Commands of a page.
struct Block {
    /// The page and the line.
    at: String,
    commands: String,
    /// Why they are not run.
    excuse: Option<String>,
}

/// All blocks of a page that show commands.
fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join(page)).expect("a page");
    let (mut blocks, mut above) = (Vec::new(), "");
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            above = line;
            continue;
        };
        let content = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let content: Vec<&str> = content.collect();
        let commands = match language {
            "sh" => content.join("\n"),
            "console" => {
                let typed = content.iter().filter_map(|line| line.strip_prefix("$ "));
                typed.collect::<Vec<_>>().join("\n")
            }
            _ => continue,
        };
        let excuse = above.strip_prefix("<!-- not run: ").and_then(|it| it.strip_suffix(" -->"));
        let excuse = excuse.map(str::to_owned);
        blocks.push(Block { at: format!("{page}:{number}"), commands, excuse });
    }
    blocks
}

/// The pages that users read.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(root().join("docs")).expect("pages").map(|page| page.expect("a page"));
    let names = docs.map(|page| format!("docs/{}", page.file_name().to_string_lossy()));
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    pages.push("README.md".to_owned());
    pages.sort();
    pages
}

/// Words of commands, and the tools that these cannot do without.
const NEEDS: &[(&str, &[&str])] = &[
    ("callgrind_annotate", &["callgrind_annotate"]),
    ("check-jsonschema", &["check-jsonschema"]),
    ("cmake", &["cmake", "make"]),
    ("dot", &["dot"]),
    ("genhtml", &["genhtml"]),
    ("gfortran", &["gfortran"]),
    ("go", &["go"]),
    ("gprof2dot", &["gprof2dot"]),
    ("heat.f90", &["gfortran -fopenmp"]),
    ("inferno-flamegraph", &["inferno-flamegraph"]),
    ("jq", &["jq"]),
    // The folder's makefile builds a program of Fortran, too.
    ("make", &["make", "gfortran"]),
    ("meson", &["meson", "ninja"]),
    ("mpif90", &["mpif90"]),
    ("python3", &["python3"]),
];

/// A tool that a block cannot do without and that is not there. In CI all are.
fn missing(commands: &str) -> Option<&'static str> {
    let is_named = |named: &str| {
        commands.split(|c: char| c.is_whitespace() || "\"'(".contains(c)).any(|word| word == named)
    };
    let needed = NEEDS.iter().filter(|(word, _)| is_named(word)).flat_map(|(_, tools)| *tools);
    needed.copied().find(|tool| tools::find(tool).is_none())
}

#[test]
fn commands_of_the_documentation_work_as_they_stand() {
    let mut found = 0;
    let mut faults = Vec::new();
    let mut usual: Option<Place> = None;
    for block in pages().iter().flat_map(|page| blocks(page)) {
        assert!(!block.commands.is_empty(), "{}: no commands", block.at);
        if block.excuse.is_some() {
            continue;
        }
        found += 1;
        if let Some(tool) = missing(&block.commands) {
            tools::skip(format!("{} needs {tool}", block.at));
            continue;
        }
        let place = usual.get_or_insert_with(Place::new).copy();
        let output = output_of(&mut place.shell(&block.commands));
        if !output.status.success() {
            let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
            faults.push(format!("{}: {}\n{}\n{printed}", block.at, output.status, block.commands));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(found > 20, "only {found} blocks");
}

#[test]
fn excuses_are_for_what_is_not_run() {
    let all: Vec<Block> = pages().iter().flat_map(|page| blocks(page)).collect();
    let excused = all.iter().filter(|block| block.excuse.is_some()).count();
    let excuses = |page: &String| {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        text.lines().filter(|line| line.starts_with("<!-- not run: ")).count()
    };
    assert_eq!(
        pages().iter().map(excuses).sum::<usize>(),
        excused,
        "an excuse stands apart from its block"
    );
}

/// gmon is in no registry.
#[test]
fn gmon_is_installed_from_where_it_is() {
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).expect("a page");
        for line in text.lines().filter(|line| line.contains("cargo install")) {
            let is_there = line.contains("--path") || line.contains("--git");
            assert!(is_there || !line.contains("gmon"), "{page}: {line}");
        }
    }
}
