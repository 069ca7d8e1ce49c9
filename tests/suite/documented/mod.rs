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

/// A tool that a block cannot do without and that is not there. In CI all are.
fn missing(commands: &str) -> Option<&'static str> {
    const TOOLS: [&str; 13] = [
        "callgrind_annotate",
        "check-jsonschema",
        "cmake",
        "dot",
        "genhtml",
        "gfortran",
        "go",
        "gprof2dot",
        "inferno-flamegraph",
        "jq",
        "make",
        "meson",
        "mpif90",
    ];
    let is_named = |tool: &str| {
        commands.split(|c: char| c.is_whitespace() || "\"'(".contains(c)).any(|word| word == tool)
    };
    TOOLS.into_iter().find(|tool| is_named(tool) && tools::find(tool).is_none())
}

#[test]
fn commands_of_the_documentation_work_as_they_stand() {
    let mut run = 0;
    let mut faults = Vec::new();
    let mut usual: Option<Place> = None;
    for block in pages().iter().flat_map(|page| blocks(page)) {
        assert!(!block.commands.is_empty(), "{}: no commands", block.at);
        if block.excuse.is_some() {
            continue;
        }
        if let Some(tool) = missing(&block.commands) {
            eprintln!("SKIPPED: {}: no {tool}", block.at);
            continue;
        }
        let place = usual.get_or_insert_with(Place::new).copy();
        let output = output_of(&mut place.shell(&block.commands));
        if !output.status.success() {
            let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
            faults.push(format!("{}: {}\n{}\n{printed}", block.at, output.status, block.commands));
        }
        run += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(run > 20, "only {run} blocks");
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
