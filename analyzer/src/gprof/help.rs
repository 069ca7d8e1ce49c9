//! The answers to `--help` and `--version`.

use super::flags::{Argument, FLAGS, Flag};

/// The usage of the command called `program`, made from the table of options.
pub(super) fn usage(program: &str) -> String {
    let mut text = format!("Usage: {program} [OPTION]... [IMAGE-FILE [PROFILE-FILE]...]\n");
    for flag in FLAGS {
        let spelling = spelling(flag);
        // A long spelling has a line of its own.
        let separator = if spelling.len() > 30 { format!("\n{:34}", "") } else { "  ".to_owned() };
        text += &format!("  {spelling:<30}{separator}{}\n", flag.help);
    }
    text += "IMAGE-FILE is a.out and PROFILE-FILE gmon.out unless given; several profiles are added up.\n";
    text += "A word @FILE stands for the words in FILE.\n";
    text
}

/// Where to turn with what the usage does not answer.
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
