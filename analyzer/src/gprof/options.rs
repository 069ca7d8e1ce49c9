//! What a command line of GNU gprof asks for.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::file_format::FileFormat;
use super::flags::Meaning;
use super::getopt::{CommandLine, Item, Misuse};
use crate::report::Style;

/// A request for reports.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// The executable.
    pub(super) image: PathBuf,
    /// The data files, to be added up.
    pub(super) profiles: Vec<PathBuf>,
    /// The format that the data files have and the sum of them gets.
    pub(super) format: FileFormat,
    /// The reports asked for by name; none asks for whatever the data has.
    pub(super) reports: Reports,
    /// How they are printed.
    pub(super) style: Style,
}

/// A set of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reports {
    pub(super) file_info: bool,
    pub(super) sum: bool,
    pub(super) flat_profile: bool,
    pub(super) call_graph: bool,
}

/// What a command line leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    Report(Options),
    Help,
    Version,
}

/// Why there is nothing to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The command line breaks the rules of options.
    Misuse(Misuse),
    /// There is no file format of this name.
    UnknownFormat(String),
    /// An option of GNU gprof that is still missing here, as it was spelled.
    NotYet(String),
}

impl Options {
    /// Reads the words after the program's name.
    pub(super) fn read(words: &[OsString], posix: bool) -> Result<Request, Refusal> {
        let mut reports = Reports::default();
        let mut style = Style::default();
        let mut format = FileFormat::default();
        let mut files = Vec::new();
        for item in CommandLine::new(words, posix) {
            match item.map_err(Refusal::Misuse)? {
                Item::Operand(file) => files.push(PathBuf::from(file)),
                Item::Option { flag, spelling, value } => match (flag.meaning, value) {
                    (Meaning::Brief, _) => style.brief = true,
                    (Meaning::FileInfo, _) => reports.file_info = true,
                    (Meaning::Sum, _) => reports.sum = true,
                    (Meaning::FileFormat, value) => {
                        format = FileFormat::named(&value.unwrap_or_default())?;
                    }
                    (Meaning::FlatProfile, None) => reports.flat_profile = true,
                    (Meaning::Graph, None) => reports.call_graph = true,
                    (Meaning::Help, _) => return Ok(Request::Help),
                    (Meaning::Version, _) => return Ok(Request::Version),
                    (Meaning::FlatProfile | Meaning::Graph, Some(value)) => {
                        return Err(Refusal::NotYet(selection(&spelling, &value)));
                    }
                    (Meaning::NotYet, _) => return Err(Refusal::NotYet(spelling)),
                },
            }
        }
        let mut files = files.into_iter();
        let image = files.next().unwrap_or_else(|| PathBuf::from("a.out"));
        let mut profiles: Vec<_> = files.collect();
        if profiles.is_empty() {
            profiles.push(PathBuf::from("gmon.out"));
        }
        Ok(Request::Report(Self { image, profiles, format, reports, style }))
    }
}

/// An option with its value, as it was typed.
fn selection(spelling: &str, value: &OsStr) -> String {
    let equals = if spelling.starts_with("--") { "=" } else { "" };
    format!("{spelling}{equals}{}", value.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Request, Refusal> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Options::read(&words, false)
    }

    #[test]
    fn files_default_to_those_of_the_compiler_and_the_runtime() {
        let Ok(Request::Report(options)) = read("-b") else { panic!("no report") };
        assert_eq!(options.image, PathBuf::from("a.out"));
        assert_eq!(options.profiles, [PathBuf::from("gmon.out")]);
        assert_eq!(options.reports, Reports::default());
        assert!(options.style.brief);
        let Ok(Request::Report(options)) = read("exe one two -bp -q") else { panic!("no report") };
        assert_eq!(options.image, PathBuf::from("exe"));
        assert_eq!(options.profiles, [PathBuf::from("one"), PathBuf::from("two")]);
        assert_eq!(
            options.reports,
            Reports { flat_profile: true, call_graph: true, ..Reports::default() }
        );
    }

    #[test]
    fn an_option_that_is_missing_is_refused_by_name() {
        for (line, name) in [
            ("-l", "-l"),
            ("exe --annotated", "--annotated-source"),
            ("-pmain", "-pmain"),
            ("--graph=a/b", "--graph=a/b"),
        ] {
            assert_eq!(read(line), Err(Refusal::NotYet(name.to_owned())), "{line}");
        }
    }

    #[test]
    fn help_and_version_act_when_they_are_met() {
        assert_eq!(read("-h -9"), Ok(Request::Help));
        assert_eq!(read("--vers -9"), Ok(Request::Version));
        assert_eq!(read("-9 -h"), Err(Refusal::Misuse(Misuse::UnknownLetter('9'))));
    }
}
