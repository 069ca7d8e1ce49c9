//! Rows in JSON, one a line, each complete in itself: `gmon-rows/1`, for databases and fleets. Only what may be
//! added up stands in them, so no inclusive time.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::{self, Write};

use gmon_format::hooks::EXTERNAL_CALLER;
use serde::Serialize;

use super::format::{Choice, FileNames, Format, Need, View, Writer};
use super::words::EXTERNAL_MODULE;
use crate::model::{FileId, FrameId, Function, FunctionId, Kind, Model, ModuleId, Paths, Python};
use crate::totals::add;

pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    help: "a row for each function, call, stack and line: DuckDB, Spark",
    files: FileNames::ending(".jsonl"),
    needs: &[Need::Anything],
    choices: &[Choice::Run],
    writer: Writer::OfModel(write),
};

#[derive(Serialize)]
struct WrittenRow<'a> {
    schema: &'static str,
    kind: &'static str,
    run: &'a str,
    #[serde(flatten)]
    columns: Columns<'a>,
}

/// The columns of each kind.
#[derive(Serialize)]
#[serde(untagged)]
enum Columns<'a> {
    Run {
        host: Option<&'a str>,
        pid: Option<u64>,
        ppid: Option<u64>,
        start_ns: Option<u64>,
        duration_ns: Option<u64>,
        program: &'a str,
        command: Option<&'a [String]>,
        period_ns: u64,
        samples: u64,
        unit: &'a str,
        waits: bool,
        paths: Paths,
        gmon: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        python: Option<&'a Python>,
        #[serde(skip_serializing_if = "BTreeSet::is_empty")]
        added: &'a BTreeSet<String>,
    },
    Module {
        #[serde(flatten)]
        of: Of<'a>,
        path: &'a str,
    },
    Function {
        #[serde(flatten)]
        of: Of<'a>,
        name: &'a str,
        display: &'a str,
        file: Option<&'a str>,
        line: Option<u32>,
        calls: Option<u64>,
        samples: u64,
        self_ns: u64,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        inlined: bool,
    },
    Arc {
        #[serde(flatten)]
        of: Of<'a>,
        name: &'a str,
        caller_module: &'a str,
        caller_build_id: Option<&'a str>,
        caller: &'a str,
        calls: u64,
    },
    Stack {
        thread: String,
        frames: Vec<String>,
        samples: u64,
        self_ns: u64,
    },
    Line {
        #[serde(flatten)]
        of: Of<'a>,
        file: &'a str,
        line: u32,
        executions: Option<u64>,
        samples: u64,
    },
}

/// The module that a row is of: the last part of its path, and its build.
#[derive(Clone, Copy, Serialize)]
struct Of<'a> {
    module: &'a str,
    build_id: Option<&'a str>,
}

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let name = view.run.clone().unwrap_or_else(|| run_name(model));
    let mut rows = Rows { model, run: &name, out };
    rows.run()?;
    for module in &model.modules {
        let of = rows.module(Some(module.id));
        rows.row("module", Columns::Module { of, path: &module.path })?;
    }
    for function in &model.functions {
        let columns = rows.function(function);
        rows.row("function", columns)?;
    }
    rows.arcs()?;
    rows.stacks()?;
    rows.lines()
}

/// Name of a run unless the user says one: by host, process and start in seconds, or by the program where that is
/// not known.
#[must_use]
pub fn run_name(model: &Model) -> String {
    match (&model.host, model.pid, model.start_ns) {
        (Some(host), Some(pid), Some(start)) => format!("{host}-{pid}-{}", start / 1_000_000_000),
        _ => model.program_name().to_owned(),
    }
}

struct Rows<'a> {
    model: &'a Model,
    run: &'a str,
    out: &'a mut dyn Write,
}

impl<'a> Rows<'a> {
    fn row(&mut self, kind: &'static str, columns: Columns<'a>) -> io::Result<()> {
        let row = WrittenRow { schema: "gmon-rows/1", kind, run: self.run, columns };
        serde_json::to_writer(&mut *self.out, &row)?;
        self.out.write_all(b"\n")
    }

    fn run(&mut self) -> io::Result<()> {
        let model = self.model;
        let columns = Columns::Run {
            host: model.host.as_deref(),
            pid: model.pid,
            ppid: model.parent_pid,
            start_ns: model.start_ns,
            duration_ns: model.duration_ns,
            program: &model.program,
            command: model.command.as_deref(),
            period_ns: model.sampling.period_ns,
            samples: model.sampling.samples,
            unit: &model.sampling.unit,
            waits: model.sampling.waits,
            paths: model.sampling.paths,
            gmon: &model.generator.version,
            python: model.run.python.as_ref(),
            added: &model.run.added,
        };
        self.row("run", columns)
    }

    fn module(&self, id: Option<ModuleId>) -> Of<'a> {
        let model = self.model;
        let module = id.map(|id| &model.modules[id.index()]);
        let build_id = module.and_then(|module| module.build_id.as_deref());
        Of { module: module.map_or("", |module| module.name()), build_id }
    }

    fn function(&self, function: &'a Function) -> Columns<'a> {
        Columns::Function {
            of: self.module(function.module),
            name: &function.name,
            display: &function.display,
            file: self.model.path(function.file),
            line: function.line,
            calls: function.calls,
            samples: function.samples,
            self_ns: function.self_ns,
            inlined: function.kind == Kind::Inlined,
        }
    }

    /// Calls by caller and callee, as far as they were counted.
    fn arcs(&mut self) -> io::Result<()> {
        let model = self.model;
        let mut calls: BTreeMap<(Option<FunctionId>, FunctionId), u64> = BTreeMap::new();
        for arc in &model.arcs {
            if let Some(count) = arc.calls {
                add(calls.entry((arc.caller, arc.callee)).or_default(), count);
            }
        }
        for ((caller, callee), calls) in calls {
            let callee = &model.functions[callee.index()];
            let caller = caller.map(|id| &model.functions[id.index()]);
            let from = caller.map(|caller| (self.module(caller.module), caller.name.as_str()));
            let external = Of { module: EXTERNAL_MODULE, build_id: None };
            let (caller_of, caller) = from.unwrap_or((external, EXTERNAL_CALLER));
            let columns = Columns::Arc {
                of: self.module(callee.module),
                name: &callee.name,
                caller_module: caller_of.module,
                caller_build_id: caller_of.build_id,
                caller,
                calls,
            };
            self.row("arc", columns)?;
        }
        Ok(())
    }

    fn stacks(&mut self) -> io::Result<()> {
        let model = self.model;
        let frame = |id: &FrameId| {
            let function = &model.functions[id.0 as usize];
            format!("{}!{}", model.module_name(function), function.name)
        };
        let function = |frame: FrameId| FrameId(model.frames[frame.index()].function.0);
        let mut rows = Vec::new();
        let Ok(()) = model.stacks.renumbered(function, |thread| thread).each(|stack| {
            rows.push((stack.thread, stack.frames.to_vec(), stack.samples));
            Ok::<(), Infallible>(())
        });
        let threads = model.thread_labels();
        for (thread, frames, samples) in rows {
            let columns = Columns::Stack {
                thread: threads[thread.index()].clone(),
                frames: frames.iter().map(frame).collect(),
                samples,
                self_ns: model.sampling.time(samples),
            };
            self.row("stack", columns)?;
        }
        Ok(())
    }

    /// Lines by module. Executions are those of the program.
    fn lines(&mut self) -> io::Result<()> {
        let model = self.model;
        type SourcePlace = (Option<ModuleId>, FileId, u32);
        let mut lines: BTreeMap<SourcePlace, (Option<u64>, u64)> = BTreeMap::new();
        for line in model.lines.iter().filter(|line| line.executions.is_some()) {
            lines.insert((Some(ModuleId(0)), line.file, line.line), (line.executions, 0));
        }
        for place in &model.places {
            if let (Some(file), Some(line)) = (place.file, place.line) {
                let module = model.functions[place.function.index()].module;
                lines.entry((module, file, line)).or_default().1 += place.samples;
            }
        }
        for ((module, file, line), (executions, samples)) in lines {
            let (of, file) = (self.module(module), model.files[file.index()].as_str());
            self.row("line", Columns::Line { of, file, line, executions, samples })?;
        }
        Ok(())
    }
}
