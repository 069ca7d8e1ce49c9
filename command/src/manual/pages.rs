//! Pages of the manual: one of each command, and one of all.
//!
//! ```text
//! description of a command ─→ title, name, options (clap_mangen)
//!                        └──→ synopsis, text of --help, examples ─→ page
//! ```

use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::Shipped;
use crate::text::flowing;
use crate::{COMMANDS, cargo, examples};

/// When the pages were last written anew, as `man` shows it at their foot.
const DATE: &str = "2026-11-22";

/// Text behind the options of `gmon(1)`.
const EXIT_STATUS: &str = "\
0 for success, 1 for input that cannot be read or makes no sense, 2 for a command line that cannot be understood. \
gmon run, gmon cc and cargo gmon end as the program that they call.";

const FILES: &[(&str, &str)] = &[
    ("gmon.out", "the profile of a run: call counts and, by function, time"),
    ("gmon.out.full", "the call stacks of that run, in all modules and threads"),
    ("~/.cache/gmon", "the libraries that the command carries, unpacked for compilers and loaders"),
    ("/var/cache/gmon", "the same for root, readable by all users that its daemons become"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "GMON_OPTIONS",
        "what profiled programs do: a list such as hz=1000,stacks,out=run.%p; see docs/runtime.md",
    ),
    ("CC, CXX", "the compilers that gmon run and gmon cc call, unless you name one"),
    ("NO_COLOR, CLICOLOR_FORCE", "whether output is coloured, where --color does not say"),
];

/// The pages, with their paths below `share`.
pub(super) fn files() -> Vec<Shipped> {
    let commands = COMMANDS.iter().map(|command| (command.describe)());
    let commands: Vec<Command> = commands.filter(|command| !command.is_hide_set()).collect();
    let names: Vec<String> =
        commands.iter().map(|command| format!("gmon-{}", command.get_name())).collect();
    let mut files = vec![of_all(&commands, &names)];
    files.extend(commands.iter().zip(&names).map(|(command, name)| of_command(command, name)));
    files.push(of_cargo());
    files
}

/// The page of a command.
fn of_command(command: &Command, name: &str) -> Shipped {
    let mut page = Page::new(command, name);
    page.synopsis(command);
    page.text(command);
    page.options(command);
    page.examples(command.get_name());
    page.see_also(&["gmon".to_owned()]);
    page.into_file(name)
}

/// The page of the command that cargo calls. Its subcommands have the same options but for those of `run`.
fn of_cargo() -> Shipped {
    const NAME: &str = "cargo-gmon";
    let whole = cargo::command();
    let mut page = Page::new(&whole, NAME);
    page.section("SYNOPSIS");
    for (number, verb) in whole.get_subcommands().enumerate() {
        page.line(&usage(verb), number == 0);
    }
    page.section("COMMANDS");
    for verb in whole.get_subcommands() {
        page.entry(&format!("cargo gmon {}", verb.get_name()), &about(verb));
    }
    if let Some(run) = whole.find_subcommand("run") {
        page.text(run);
        page.man = Man::new(run.clone());
        page.options(run);
    }
    if let Some(pgo) = whole.find_subcommand("pgo") {
        page.section("CARGO GMON PGO");
        page.text(pgo);
        if let Some(run) = pgo.find_subcommand("run") {
            page.man = Man::new(run.clone());
            page.options(run);
        }
    }
    page.examples(NAME);
    page.see_also(&["cargo".to_owned(), "gmon".to_owned()]);
    page.into_file(NAME)
}

/// Purpose of a command, in a line.
fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// Usage of a command: a line for each way.
fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    usage.trim_start_matches("Usage:").trim().to_owned()
}

/// The page that lists the commands.
fn of_all(commands: &[Command], names: &[String]) -> Shipped {
    let whole = crate::command();
    let mut page = Page::new(&whole, "gmon");
    page.synopsis(&whole);
    page.section("COMMANDS");
    for (command, name) in commands.iter().zip(names) {
        page.entry(&format!("{name}(1)"), &about(command));
    }
    page.options(&whole);
    page.examples("");
    for (title, entries) in [("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)] {
        page.section(title);
        entries.iter().for_each(|(name, text)| page.entry(name, text));
    }
    page.section("EXIT STATUS");
    page.paragraph(EXIT_STATUS);
    page.see_also(names);
    page.into_file("gmon")
}

/// A page as it grows.
struct Page {
    man: Man,
    text: Vec<u8>,
}

impl Page {
    /// The page's title and name.
    fn new(command: &Command, name: &str) -> Self {
        let command = command.clone().name(name.to_owned()).display_name(name.to_owned());
        let version = concat!("gmon ", env!("CARGO_PKG_VERSION"));
        let man =
            Man::new(command).title(name.to_uppercase()).date(DATE).source(version).manual("gmon");
        let mut page = Self { man, text: Vec::new() };
        page.man.render_title(&mut page.text).expect(MEMORY);
        page.man.render_name_section(&mut page.text).expect(MEMORY);
        page
    }

    fn add(&mut self, part: &Roff) {
        self.text.extend(part.to_roff().into_bytes());
    }

    fn section(&mut self, title: &str) {
        self.add(Roff::new().control("SH", [title]));
    }

    /// The lines of usage, as `--help` has them.
    fn synopsis(&mut self, command: &Command) {
        self.section("SYNOPSIS");
        let words = ["gmon", command.get_name()];
        let words = if command.get_name() == "gmon" { &words[..1] } else { &words };
        let usage = usage(&command.clone().bin_name(words.join(" ")));
        for (number, line) in usage.lines().enumerate() {
            self.line(line.trim(), number == 0);
        }
    }

    /// A line of its own.
    fn line(&mut self, text: &str, is_first: bool) {
        if !is_first {
            self.add(Roff::new().control("br", []));
        }
        self.add(Roff::new().text([roman(text)]));
    }

    fn options(&mut self, command: &Command) {
        if command.get_arguments().all(clap::Arg::is_hide_set) {
            return;
        }
        let mut options = Vec::new();
        self.man.render_options_section(&mut options).expect(MEMORY);
        // mandoc warns of breaks that nothing stands between.
        let options = String::from_utf8_lossy(&options).replace(".br\n\n.br\n", ".sp\n");
        self.text.extend(options.into_bytes());
    }

    /// The text below the options in `--help`: paragraphs, and lines that stay as they are.
    fn text(&mut self, command: &Command) {
        let Some(text) = command.get_after_help() else { return };
        let text = flowing(&text.to_string());
        self.section("DESCRIPTION");
        for (number, block) in text.split("\n\n").enumerate() {
            if number > 0 {
                self.add(Roff::new().control("PP", []));
            }
            let mut is_kept = false;
            for line in block.lines() {
                if line.starts_with(' ') != is_kept {
                    is_kept = !is_kept;
                    self.add(Roff::new().control(if is_kept { "nf" } else { "fi" }, []));
                }
                self.add(Roff::new().text([roman(line)]));
            }
            if is_kept {
                self.add(Roff::new().control("fi", []));
            }
        }
    }

    fn examples(&mut self, name: &str) {
        let examples = examples::of(name);
        if examples.is_empty() {
            return;
        }
        self.section("EXAMPLES");
        examples.iter().for_each(|(line, what)| self.entry(line, what));
    }

    /// A word and what it means.
    fn entry(&mut self, word: &str, meaning: &str) {
        self.add(Roff::new().control("TP", []).text([bold(word)]).text([roman(meaning)]));
    }

    fn paragraph(&mut self, text: &str) {
        self.add(Roff::new().text([roman(text)]));
    }

    fn see_also(&mut self, names: &[String]) {
        self.section("SEE ALSO");
        let names: Vec<String> = names.iter().map(|name| format!("{name}(1)")).collect();
        self.paragraph(&format!("{}; {}", names.join(", "), env!("CARGO_PKG_REPOSITORY")));
    }

    fn into_file(self, name: &str) -> Shipped {
        Shipped { path: Path::new("man/man1").join(format!("{name}.1")), content: self.text }
    }
}

/// Why writing a page cannot fail.
const MEMORY: &str = "memory takes all bytes";
