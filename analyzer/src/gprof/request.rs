//! Reads a command line of GNU gprof.

use std::ffi::OsString;
use std::path::PathBuf;

use gmon_format::names;

use super::effect::directories;
use super::environment::Environment;
use super::flags::Meaning;
use super::getopt::{CommandLine, Item, Misuse};
use super::options::Options;
use super::outputs::Output;
use crate::response_files::{self, ResponseError};

/// Result of reading a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Report(Box<Options>),
    Help,
    Version,
}

/// Why there is nothing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The command line breaks the rules of options.
    Misuse(Misuse),
    /// There is no file format of this name.
    UnknownFormat(OsString),
    /// There is no style of names of this name.
    UnknownStyle(OsString),
    /// An order of functions and one of files exclude each other.
    TwoOrders,
    /// The words that files are to give cannot be read.
    Responses(ResponseError),
}

impl Request {
    /// Reads the words after the program's name.
    pub(super) fn read(words: &[OsString], environment: &Environment) -> Result<Self, Refusal> {
        let words = response_files::expand(words).map_err(Refusal::Responses)?;
        let mut options = Options::default();
        let mut files = Vec::new();
        for item in CommandLine::new(&words, environment.posix) {
            match item.map_err(Refusal::Misuse)? {
                Item::Operand(file) => files.push(PathBuf::from(file)),
                Item::Option { flag, .. } if flag.meaning == Meaning::Help => {
                    return Ok(Self::Help);
                }
                Item::Option { flag, .. } if flag.meaning == Meaning::Version => {
                    return Ok(Self::Version);
                }
                Item::Option { flag, value } => options.take(flag.meaning, value.as_deref())?,
            }
        }
        if options.outputs.has(Output::FunctionOrder) && options.outputs.has(Output::FileOrder) {
            return Err(Refusal::TwoOrders);
        }
        if let Some(path) = &environment.source_path {
            options.annotation.directories.extend(directories(path));
        }
        let mut files = files.into_iter();
        options.image = files.next().unwrap_or_else(|| PathBuf::from("a.out"));
        options.profiles = files.collect();
        if options.profiles.is_empty() {
            options.profiles.push(PathBuf::from(names::DATA_FILE));
        }
        Ok(Self::Report(Box::new(options)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gprof::options::AnnotationOptions;
    use crate::gprof::outputs::Outputs;
    use crate::program::ProgramOptions;
    use crate::report::NameStyle;
    use crate::selection::{Choice, Choices, Selector};
    use crate::symbols::{Admission, Demangling};

    fn read(line: &str) -> Result<Request, Refusal> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Request::read(&words, &Environment::default())
    }

    fn options(line: &str) -> Options {
        match read(line) {
            Ok(Request::Report(options)) => *options,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn files_default_to_those_of_the_compiler_and_the_runtime() {
        let default = options("");
        assert_eq!(default.image, PathBuf::from("a.out"));
        assert_eq!(default.profiles, [PathBuf::from("gmon.out")]);
        let named = options("exe one two -bp -q");
        assert_eq!(named.image, PathBuf::from("exe"));
        assert_eq!(named.profiles, [PathBuf::from("one"), PathBuf::from("two")]);
    }

    #[test]
    fn outputs_are_added_and_removed_in_turn() {
        let outputs = |line| options(line).outputs;
        assert_eq!(outputs(""), Outputs::default());
        assert!(outputs("-p -P -p").has(Output::FlatProfile));
        assert!(!outputs("-p -P").has(Output::FlatProfile));
        assert!(outputs("-P -Pfoo").has(Output::FlatProfile));
        for (line, output) in [
            ("-B", Output::CallGraph),
            ("-qa/b", Output::CallGraph),
            ("-Jfoo", Output::AnnotatedSource),
            ("-Z1", Output::ExecCounts),
            ("-r", Output::FunctionOrder),
            ("-Rmap", Output::FileOrder),
        ] {
            assert!(outputs(line).has(output), "{line}");
        }
        for line in ["-e f -E f -f f -F f -n f -N f -k a/b", "-T -z -w9 -L -a -c -D -l"] {
            assert_eq!(outputs(line), Outputs::default(), "{line}");
        }
    }

    #[test]
    fn selectors_go_to_the_reports_they_are_for() {
        let list = |names: &[&str]| -> Vec<_> {
            names.iter().map(|name| Selector::parse(name.as_bytes())).collect()
        };
        let choice = |include, exclude| Choice { include: list(include), exclude: list(exclude) };
        let line = "-pp -PP -qq -QQ -qa/b -QA/B -f f -e e -F F -E E -n n -N N -k kk -k k/k \
                    -Aa -Jj -Cc -Zz --=x -z";
        let expected = Choices {
            flat_profile: choice(&["p"], &["P"]),
            graph: choice(&["q", "f", "F"], &["Q", "e", "E", "x"]),
            time: choice(&["F", "n"], &["E", "N"]),
            arcs: choice(&["a/b"], &["A/B", "kk", "k/k"]),
            annotated_source: choice(&["a"], &["j"]),
            exec_counts: choice(&["c"], &["z"]),
            unused: true,
        };
        assert_eq!(options(line).choices, expected);
    }

    #[test]
    fn values_are_kept() {
        // The traditional layout has the names of the linker.
        let line = "-m12 -t7 -I a:b -I : -w0 -S syms --demangle=rust -d2 -d8 -y -x -L -D -a -T";
        let options = options(line);
        let annotation = AnnotationOptions {
            all_lines: true,
            min_count: 12,
            table_length: 7,
            separate_files: true,
            directories: ["a", "b", "", ""].map(PathBuf::from).to_vec(),
        };
        assert_eq!(options.annotation, annotation);
        let symbol_list = Some(PathBuf::from("syms"));
        let admission = Admission { without_statics: true, functions_only: true, choosers: false };
        let program = ProgramOptions { admission, symbol_list, ..ProgramOptions::default() };
        assert_eq!(options.program, program);
        let names = NameStyle { whole_paths: true, ..NameStyle::default() };
        assert_eq!(options.name_style(), NameStyle { demangling: Demangling::None, ..names });
        assert_eq!((options.style.width, options.debug), (1, 11));
    }

    #[test]
    fn demangling_can_be_switched_without_a_style() {
        for (line, demangling) in [
            ("", Demangling::Auto),
            ("--no-demangle", Demangling::None),
            ("--no-demangle --demangle", Demangling::Auto),
            ("--no-demangle --demangle=rust", Demangling::Rust),
            ("--demangle=rust --no-demangle --demangle", Demangling::Rust),
            ("--demangle -T", Demangling::None),
            ("-T --demangle=rust", Demangling::None),
        ] {
            assert_eq!(options(line).name_style().demangling, demangling, "{line}");
        }
    }

    #[test]
    fn sources_are_looked_for_in_the_environments_path_last() {
        let environment = Environment { source_path: Some("x:y".into()), ..Environment::default() };
        let words = ["-I", "a"].map(OsString::from);
        let Ok(Request::Report(options)) = Request::read(&words, &environment) else { panic!() };
        assert_eq!(options.annotation.directories, ["a", "x", "y"].map(PathBuf::from));
    }

    #[test]
    fn help_version_and_unknown_names_act_when_they_are_met() {
        assert_eq!(read("-h -9"), Ok(Request::Help));
        assert_eq!(read("--vers -9"), Ok(Request::Version));
        assert_eq!(read("-9 -h"), Err(Refusal::Misuse(Misuse::UnknownLetter('9'))));
        assert_eq!(read("-Ox -9"), Err(Refusal::UnknownFormat("x".into())));
        assert_eq!(read("--demangle=x -9"), Err(Refusal::UnknownStyle("x".into())));
        assert_eq!(read("-r -R map"), Err(Refusal::TwoOrders));
        assert_eq!(read("-r -R map -h"), Ok(Request::Help));
    }
}
