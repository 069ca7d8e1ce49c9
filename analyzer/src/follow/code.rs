//! The functions of a running program, in all its modules, by their addresses.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc as Shared;

use foldhash::HashMap;
use gmon_format::live::{Label, Live, Module};
use gmon_format::{FilePc, LoadedPc, hooks};

use crate::error::Error;
use crate::modules::{LoadedFile, is_no_file, names_called_by, short_name};
use crate::profile::{HOOKS, LINKAGE, NO_SYMBOL};
use crate::program::{Program, ProgramOptions};
use crate::records::{module_of, shown_name};
use crate::report::NameStyle;
use crate::symbols::{SymbolId, without_version};

/// A function that was called or sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name for people.
    pub name: Shared<str>,
    /// The last part of its module's path; empty outside of all modules.
    pub module: Shared<str>,
    /// True if it is one of the program's own.
    pub is_own: bool,
    /// Start in its module's file, if a symbol tells.
    pub address: Option<FilePc>,
}

/// Finds functions, and remembers what was found.
#[derive(Debug)]
pub(super) struct Code {
    style: NameStyle,
    /// In front of paths of modules, for a process with another root.
    root: Option<PathBuf>,
    modules: Vec<Loaded>,
    /// The names by which the program calls functions of libraries.
    called: HashSet<Vec<u8>>,
    functions: Vec<Function>,
    by_symbol: HashMap<(LoadedPc, Result<SymbolId, &'static str>), u32>,
    by_pc: HashMap<LoadedPc, u32>,
    by_label: HashMap<Shared<str>, u32>,
    hooks: Option<u32>,
    /// Code that is in no file, the latest last.
    made: Vec<Made>,
}

/// Code that is in no file.
#[derive(Debug)]
struct Made {
    start: LoadedPc,
    end: LoadedPc,
    name: Shared<str>,
    module: Shared<str>,
}

/// A module where it was loaded.
#[derive(Debug)]
struct Loaded {
    start: LoadedPc,
    end: LoadedPc,
    bias: u64,
    name: Shared<str>,
    program: Option<Shared<Program>>,
    is_own: bool,
}

impl Code {
    /// The code of a program, whose executable is at `path`.
    pub(super) fn new(
        live: &Live<'_>,
        path: &Path,
        root: Option<&Path>,
        style: NameStyle,
    ) -> Result<Self, Error> {
        let options = ProgramOptions {
            names_stripped: true,
            asked: Some(Vec::new()),
            ..ProgramOptions::standard()
        };
        let program = Program::open(path, &options)?;
        let called = names_called_by(&program);
        let header = live.header();
        let placement = &header.placement;
        let own = Loaded {
            start: placement.text.start,
            end: placement.text.end,
            bias: placement.bias,
            name: String::from_utf8_lossy(header.program_text()).into(),
            program: Some(program.into()),
            is_own: true,
        };
        let mut code = Self {
            style,
            root: root.map(Path::to_owned),
            modules: vec![own],
            called,
            functions: Vec::new(),
            by_symbol: HashMap::default(),
            by_pc: HashMap::default(),
            by_label: HashMap::default(),
            hooks: None,
            made: Vec::new(),
        };
        code.look(live);
        Ok(code)
    }

    /// Takes modules that were loaded since; returns whether there were any, so that what was found at an address may be
    /// something else now.
    pub(super) fn look(&mut self, live: &Live<'_>) -> bool {
        let is_known = |known: &[Loaded], module: &Module<'_>| {
            known.iter().any(|it| (it.start, it.end) == (module.start, module.end))
        };
        let text = live.header().placement.text.start;
        let new: Vec<_> = live.modules().filter(|module| !module.contains(text)).collect();
        let mut are_new = self.look_for_made(live);
        for module in new {
            if is_known(&self.modules, &module) {
                continue;
            }
            let name = short_name(module.path);
            let path = Path::new(OsStr::from_bytes(module.path));
            let inside = self.root.as_ref().zip(path.strip_prefix("/").ok());
            let inside = inside.map(|(root, path)| root.join(path));
            let path = inside.as_deref().unwrap_or(path);
            let extent = module.file_pc(module.start)..module.file_pc(module.end);
            // A live file does not say when its process began.
            let file = LoadedFile { path, build_id: module.build_id, extent, since: None };
            let loaded = Loaded {
                start: module.start,
                end: module.end,
                bias: module.bias,
                name: String::from_utf8_lossy(name).into(),
                program: file.open(Vec::new(), &self.called),
                is_own: false,
            };
            // What lay there before is gone.
            self.modules.retain(|it| it.end <= loaded.start || loaded.end <= it.start);
            self.by_pc.retain(|pc, _| !(loaded.start..loaded.end).contains(pc));
            self.by_symbol.retain(|(start, _), _| *start != loaded.start);
            self.modules.push(loaded);
            are_new = true;
        }
        are_new
    }

    /// The functions that were found until now.
    pub(super) fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The program's own hooks, if they were met.
    pub(super) fn hooks(&self) -> Option<u32> {
        self.hooks
    }

    /// The function at an address, or what stands for a label of stacks.
    pub(super) fn function(&mut self, pc: LoadedPc) -> u32 {
        if let Some(known) = self.by_pc.get(&pc) {
            return *known;
        }
        let found = if pc < Label::END { self.label(pc) } else { self.find(pc) };
        self.by_pc.insert(pc, found);
        found
    }

    fn label(&mut self, label: LoadedPc) -> u32 {
        let reason = Label::of(label).and_then(Label::reason);
        let name =
            format!("[not followed: {}]", reason.unwrap_or("for a reason that is not known"));
        self.unplaced(name.into())
    }

    /// Takes code in no file that came since; whether there was some.
    fn look_for_made(&mut self, live: &Live<'_>) -> bool {
        let known = self.made.len();
        for code in live.code().skip(known) {
            let range = code.start..code.end;
            self.by_pc.retain(|pc, _| !range.contains(pc));
            self.made.push(Made {
                start: code.start,
                end: code.end,
                name: String::from_utf8_lossy(&shown_name(code.kind, code.name, code.file)).into(),
                module: String::from_utf8_lossy(module_of(code.kind)).into(),
            });
        }
        self.made.len() > known
    }

    /// The function of code in no file.
    fn find_made(&mut self, pc: LoadedPc) -> Option<u32> {
        let made = self.made.iter().rev().find(|it| (it.start..it.end).contains(&pc))?;
        let module = made.module.trim_matches(['[', ']']).into();
        let function = Function { name: made.name.clone(), module, is_own: false, address: None };
        let functions = &mut self.functions;
        Some(*self.by_symbol.entry((made.start, Err(NO_SYMBOL))).or_insert_with(|| {
            functions.push(function);
            functions.len() as u32 - 1
        }))
    }

    /// Something that is in no module.
    fn unplaced(&mut self, name: Shared<str>) -> u32 {
        let functions = &mut self.functions;
        *self.by_label.entry(name.clone()).or_insert_with(|| {
            functions.push(Function { name, module: "".into(), is_own: false, address: None });
            functions.len() as u32 - 1
        })
    }

    fn find(&mut self, pc: LoadedPc) -> u32 {
        if let Some(made) = self.find_made(pc) {
            return made;
        }
        let place = self.modules.iter().position(|it| (it.start..it.end).contains(&pc));
        let Some(place) = place else { return self.unplaced(NO_SYMBOL.into()) };
        let module = &self.modules[place];
        if is_no_file(module.name.as_bytes()) {
            return self.unplaced(module.name.clone());
        }
        let known = symbol_at(module.program.as_deref(), pc.in_file(module.bias));
        let name = known.ok().map(|(program, id)| program.symbols().get(id).name);
        let is_hook = name.map_or(module.name.starts_with("libgmon.so"), hooks::is_of_a_profiler);
        if is_hook {
            let hooks = self.unplaced(HOOKS.into());
            self.hooks = Some(hooks);
            return hooks;
        }
        let readable = match known {
            Ok((program, id)) => {
                let (symbols, lines) = (program.symbols(), program.lines());
                let linker_name = symbols.get(id).name;
                let plain = without_version(linker_name);
                let name = match plain.len() == linker_name.len() {
                    true => self.style.name_of(symbols, lines, id),
                    false => self.style.name_of_inlined(lines, plain),
                };
                String::from_utf8_lossy(hooks::as_called(&name)).into_owned()
            }
            Err(name) => name.to_owned(),
        };
        let address = known.ok().map(|(program, id)| program.symbols().get(id).address);
        let Loaded { name, is_own, .. } = module;
        let (name, is_own) = (name.clone(), *is_own);
        let function = Function { name: readable.into(), module: name, is_own, address };
        // Modules are never taken out while others come behind them, or their functions would have other keys.
        let key = (module.start, known.map(|(_, symbol)| symbol));
        let functions = &mut self.functions;
        *self.by_symbol.entry(key).or_insert_with(|| {
            functions.push(function);
            functions.len() as u32 - 1
        })
    }
}

/// The function that an address of a file is in, which is the whole one for a piece; else what stands for code without a name.
fn symbol_at(program: Option<&Program>, pc: FilePc) -> Result<(&Program, SymbolId), &'static str> {
    let program = program.ok_or(NO_SYMBOL)?;
    if program.image().is_linkage(pc) {
        return Err(LINKAGE);
    }
    let symbols = program.symbols();
    let function = symbols.find(pc).map(|id| symbols.owner(id));
    let known = function.filter(|id| symbols.unknown() != Some(*id));
    known.map(|id| (program, id)).ok_or(NO_SYMBOL)
}
