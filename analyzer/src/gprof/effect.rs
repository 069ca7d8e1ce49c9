//! Effect of each option of a command line.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::file_format::FileFormat;
use super::flags::Meaning;
use super::options::Options;
use super::outputs::Output;
use super::request::Refusal;
use super::words;
use crate::c_numbers;
use crate::report::NamePlace;
use crate::selection::{Choice, Choices, Selector};
use crate::symbols::Demangling;

impl Options {
    /// Takes over one option.
    pub(super) fn take(&mut self, meaning: Meaning, value: Option<&OsStr>) -> Result<(), Refusal> {
        use Meaning as M;
        let selector = || value.map(|value| Selector::parse(value.as_encoded_bytes()));
        // An option that must have a value has one.
        let text = value.unwrap_or_default();
        let number = || u32::try_from(c_numbers::int(text.as_encoded_bytes())).unwrap_or(0);
        let Choices { graph, time, arcs, unused, .. } = &mut self.choices;
        match meaning {
            M::AllLines => self.annotation.all_lines = true,
            M::AnnotatedSource => self.ask_for(Output::AnnotatedSource, selector()),
            M::Brief => self.style.brief = true,
            M::Debug => self.debug |= debug_mask(text),
            M::Demangle if value.is_none() => self.mangled = false,
            M::Demangle => {
                self.mangled = false;
                let style = Demangling::named(text.as_encoded_bytes());
                self.names.demangling =
                    style.ok_or_else(|| Refusal::UnknownStyle(text.to_owned()))?;
            }
            M::Directories => self.annotation.directories.extend(directories(text)),
            M::ExecCounts => self.ask_for(Output::ExecCounts, selector()),
            M::ExternalSymbols => self.program.symbol_list = Some(PathBuf::from(text)),
            M::FileFormat => self.format = FileFormat::named(text)?,
            M::FileInfo => self.outputs.add(Output::FileInfo),
            M::FileOrder => {
                self.outputs.add(Output::FileOrder);
                self.program.file_map = Some(PathBuf::from(text));
            }
            M::FlatProfile => self.ask_for(Output::FlatProfile, selector()),
            M::Function => graph.include.extend(selector()),
            M::FunctionOrder => self.outputs.add(Output::FunctionOrder),
            M::FunctionTime => {
                graph.include.extend(selector());
                time.include.extend(selector());
            }
            M::FunctionsOnly => self.program.admission.functions_only = true,
            M::Graph => self.ask_for(Output::CallGraph, selector()),
            M::InlineFileNames => self.names.place = NamePlace::Line,
            M::Lines => self.program.lines = true,
            M::MinCount => {
                self.annotation.min_count = c_numbers::unsigned(text.as_encoded_bytes());
            }
            M::NoAnnotatedSource => self.refuse(Output::AnnotatedSource, selector()),
            M::NoArcs => arcs.exclude.extend(selector()),
            M::NoDemangle => self.mangled = true,
            M::NoExecCounts => self.refuse(Output::ExecCounts, selector()),
            M::NoFlatProfile => self.refuse(Output::FlatProfile, selector()),
            M::NoFunction => graph.exclude.extend(selector()),
            M::NoFunctionTime => {
                graph.exclude.extend(selector());
                time.exclude.extend(selector());
            }
            M::NoGraph => self.refuse(Output::CallGraph, selector()),
            M::NoStatics => self.program.admission.without_statics = true,
            M::NoTime => time.exclude.extend(selector()),
            M::PathNames => self.names.whole_paths = true,
            M::PlainGraph => self.outputs.add(Output::CallGraph),
            M::SeparateFiles => self.annotation.separate_files = true,
            M::StaticCalls => self.static_calls = true,
            M::Sum => {
                self.outputs.add(Output::Sum);
                self.program.lines = true;
            }
            M::TableLength => self.annotation.table_length = number(),
            M::Time => time.include.extend(selector()),
            M::Traditional => self.style.traditional = true,
            M::Unused => *unused = true,
            M::Width => self.style.width = number().max(1),
            // They end the reading.
            M::Help | M::Version => {}
        }
        Ok(())
    }

    /// Asks for an output, of what the selector selects if there is one.
    fn ask_for(&mut self, output: Output, selector: Option<Selector>) {
        self.outputs.add(output);
        if let Some(selector) = selector {
            choice(&mut self.choices, output, &selector).include.push(selector);
        }
    }

    /// Asks for an output without what the selector selects or, if there is none, for no such output.
    fn refuse(&mut self, output: Output, selector: Option<Selector>) {
        match selector {
            Some(selector) => {
                self.outputs.add(output);
                choice(&mut self.choices, output, &selector).exclude.push(selector);
            }
            None => self.outputs.remove(output),
        }
    }
}

/// Choice of symbols for an output.
fn choice<'a>(choices: &'a mut Choices, output: Output, selector: &Selector) -> &'a mut Choice {
    match output {
        Output::FlatProfile => &mut choices.flat_profile,
        Output::ExecCounts => &mut choices.exec_counts,
        Output::AnnotatedSource => &mut choices.annotated_source,
        // Of all others only the call graph has options with selectors.
        _ if selector.callees.is_some() => &mut choices.arcs,
        _ => &mut choices.graph,
    }
}

/// The directories of a list with colons.
pub(super) fn directories(list: &OsStr) -> impl Iterator<Item = PathBuf> + '_ {
    let names = list.as_encoded_bytes().split(|&byte| byte == b':');
    names.map(|name| PathBuf::from(words::from_bytes(name)))
}

/// The kinds of messages that `-d` asks for: all, or a sum of powers of two.
fn debug_mask(value: &OsStr) -> u32 {
    // GNU gprof always adds the first one.
    if value.is_empty() { u32::MAX } else { c_numbers::int(value.as_encoded_bytes()) as u32 | 1 }
}
