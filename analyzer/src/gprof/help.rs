//! The answers to `--help` and `--version`.

use super::flags::{Argument, FLAGS, Flag};
use crate::wrapping::wrapped;

/// Column of the options' help, and its width: together a terminal of 80 columns.
const COLUMN: usize = 34;
const WIDTH: usize = 46;

/// The usage of the command called `program`, made from the table of options.
pub(super) fn usage(program: &str) -> String {
    let mut text = format!("Usage: {program} [OPTION]... [IMAGE-FILE [PROFILE-FILE]...]\n");
    for flag in FLAGS {
        let mut start = format!("  {}", spelling(flag));
        // A long spelling has a line of its own.
        if start.len() > COLUMN - 2 {
            text += &format!("{start}\n");
            start.clear();
        }
        for line in wrapped(flag.help, WIDTH) {
            text += &format!("{start:<COLUMN$}{line}\n");
            start.clear();
        }
    }
    text += "IMAGE-FILE is a.out and PROFILE-FILE gmon.out, unless you name others. Several\n";
    text += "profiles add up. A word @FILE stands for the words in FILE.\n";
    text
}

/// An option as a user writes it, for manuals and completions.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// The letter after a single dash.
    pub short: Option<char>,
    /// The word after two dashes.
    pub long: Option<&'static str>,
    /// Name of its value, and whether it is required.
    pub value: Option<(&'static str, bool)>,
    /// Request that the option makes.
    pub help: &'static str,
}

/// All options, in the order of `--help`.
pub fn options() -> impl Iterator<Item = Spelling> {
    FLAGS.iter().map(|flag| Spelling {
        short: flag.short,
        long: flag.long.filter(|word| !word.is_empty()),
        value: match flag.argument {
            Argument::None => None,
            Argument::Required(value) => Some((value, true)),
            Argument::Optional(value) => Some((value, false)),
        },
        help: flag.help,
    })
}

/// Address for questions that the usage does not answer.
pub(super) const BUGS: &str =
    concat!("Report bugs to <", env!("CARGO_PKG_REPOSITORY"), "/issues>\n");

/// Name and version of this program.
pub(super) const VERSION: &str = concat!(
    "gprof (gmon) ",
    env!("CARGO_PKG_VERSION"),
    "\nPrints the reports of GNU gprof 2.40 from the same data.\n",
);

fn spelling(flag: &Flag) -> String {
    let word = flag.long.filter(|word| !word.is_empty());
    let value = match (flag.argument, word) {
        (Argument::None, _) => String::new(),
        (Argument::Required(value), Some(_)) => format!("={value}"),
        (Argument::Required(value), None) => format!(" {value}"),
        (Argument::Optional(value), Some(_)) => format!("[={value}]"),
        (Argument::Optional(value), None) => format!("[{value}]"),
    };
    match (flag.short, word) {
        (Some(short), Some(word)) => format!("-{short}, --{word}{value}"),
        (Some(short), None) => format!("-{short}{value}"),
        (None, _) => format!("    --{}{value}", word.unwrap_or_default()),
    }
}
