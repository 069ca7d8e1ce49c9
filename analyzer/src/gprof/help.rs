//! The answers to `--help` and `--version`.

use super::flags::{Argument, FLAGS, Flag, Meaning};

/// The usage of the command called `program`, made from the table of options.
pub(super) fn usage(program: &str) -> String {
    let mut text = format!("Usage: {program} [OPTION]... [IMAGE-FILE [PROFILE-FILE]...]\n");
    for flag in FLAGS {
        if let Some(what) = describe(flag.meaning) {
            text += &format!("  {:<24} {what}\n", spelling(flag));
        }
    }
    text += "IMAGE-FILE is a.out and PROFILE-FILE gmon.out unless given; several profiles are added up.\n";
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

fn describe(meaning: Meaning) -> Option<&'static str> {
    Some(match meaning {
        Meaning::Brief => "leave out the explanations of the columns",
        Meaning::FlatProfile => "print the flat profile",
        Meaning::Graph => "print the call graph and its index",
        Meaning::FileInfo => "print what each profile holds",
        Meaning::Sum => "write the sum of the profiles to gmon.sum",
        Meaning::FileFormat => "read and write only this format: auto, magic, bsd or 4.4bsd",
        Meaning::Help => "print this text",
        Meaning::Version => "print the version",
        Meaning::NotYet => return None,
    })
}

fn spelling(flag: &Flag) -> String {
    let short = flag.short.map(|letter| format!("-{letter}"));
    let long = flag.long.filter(|word| !word.is_empty()).map(|word| {
        let value = if flag.argument == Argument::Required { "=VALUE" } else { "" };
        format!("--{word}{value}")
    });
    short.into_iter().chain(long).collect::<Vec<_>>().join(", ")
}
