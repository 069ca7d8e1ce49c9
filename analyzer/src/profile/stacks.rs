//! Joins the stacks of full profiles with the functions of all modules.
//!
//! Functions that were inlined get contexts of their own, below those that they were inlined into. Frames
//! that were only guessed are left out where the code shows that they cannot be. Time in the profiler's
//! hooks is nobody's.

use std::collections::HashMap;
use std::ops::Range;

use gmon_format::{CallSite, FilePc, SelfPc, hooks};

use super::contexts::{Context, Contexts, Function, FunctionId, Grain, SourceCall, SourceLine};
use super::{LINKAGE, NO_SYMBOL};
use crate::arch::Call;
use crate::image::{FunctionName, MachineCode};
use crate::modules::Modules;
use crate::program::Program;
use crate::records::{CodePlace, Frame, FullRecords, Looks, ModuleId, StackNode, ThreadId};
use crate::symbols::{Symbol, without_version};

impl Contexts {
    /// Tells the stacks and calls of full profiles of functions, and of lines if the grain is that fine.
    #[must_use]
    pub fn joined(records: &FullRecords, modules: &Modules, grain: Grain) -> Self {
        let contexts = Self::new(records.threads().to_vec());
        let mut join = Join {
            records,
            modules,
            grain,
            contexts,
            named: HashMap::new(),
            chains: HashMap::new(),
            positions: HashMap::new(),
            code: HashMap::new(),
            places: Vec::new(),
        };
        for node in records.nodes() {
            let place = join.add(node);
            join.places.push(place);
        }
        if !records.timeline().is_empty() {
            let places = join.places.iter().map(|place| match place {
                Joined::Context(context) => Some(*context),
                Joined::Hook => None,
            });
            let places = places.collect();
            join.contexts.place_nodes(places);
        }
        for (CallSite(site), SelfPc(callee), count) in records.arcs() {
            if join.goes_on(site, callee) {
                continue;
            }
            let chain = join.chain(site);
            let callee = join.function_of(callee);
            let (Some(&outer), Some(&inner)) = (chain.links.first(), chain.links.last()) else {
                continue;
            };
            join.contexts.add_calls(inner.function, callee, count);
            let (caller, within) = (inner.function, outer.function);
            let site = SourceCall { caller, within, line: inner.line, callee };
            join.contexts.add_site(site, count);
        }
        join.contexts
    }
}

/// Result of joining a node.
#[derive(Clone, Copy)]
enum Joined {
    /// A context.
    Context(u32),
    /// A hook, as is all below it.
    Hook,
}

/// The functions that an address is in, the one that was not inlined first.
#[derive(Clone, Default)]
struct Chain {
    links: Vec<Link>,
    is_hook: bool,
}

/// A function that an address is in, and the line of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Link {
    function: FunctionId,
    line: Option<SourceLine>,
    is_inlined: bool,
}

impl Link {
    fn new(function: FunctionId) -> Self {
        Self { function, line: None, is_inlined: false }
    }
}

struct Join<'a> {
    records: &'a FullRecords,
    modules: &'a Modules,
    grain: Grain,
    contexts: Contexts,
    chains: HashMap<CodePlace, Chain>,
    /// Contexts by parent, thread and function.
    positions: HashMap<(Option<u32>, ThreadId, Link), u32>,
    /// For the names of functions with code of their own where that begins; `None` where it is not one
    /// function alone.
    named: HashMap<ModuleId, HashMap<&'a [u8], Option<FilePc>>>,
    /// The code of modules in which frames were guessed.
    code: HashMap<ModuleId, Option<MachineCode<'a>>>,
    /// Results for the nodes so far.
    places: Vec<Joined>,
}

impl<'a> Join<'a> {
    fn add(&mut self, node: &StackNode) -> Joined {
        let chain = match node.frame {
            Frame::Code(place) => self.chain(place),
            Frame::Incomplete(incomplete) => {
                let incomplete = Some(incomplete);
                let lost = Function { incomplete, ..Function::default() };
                Chain { links: vec![Link::new(self.contexts.function(lost))], is_hook: false }
            }
        };
        let parent = match self.caller(node) {
            Some(Joined::Hook) => None,
            Some(Joined::Context(parent)) => Some(Some(parent)),
            None => Some(None),
        };
        let Some(mut parent) = parent.filter(|_| !chain.is_hook) else {
            self.contexts.add_overhead(node.thread, node.own);
            return Joined::Hook;
        };
        for &link in &chain.links {
            parent = Some(self.context(parent, node.thread, link));
        }
        match parent {
            Some(context) => {
                self.contexts.add_own(context, node.own);
                Joined::Context(context)
            }
            None => Joined::Hook,
        }
    }

    /// The context of what called a node: the nearest frame outwards that can have.
    fn caller(&mut self, node: &StackNode) -> Option<Joined> {
        let mut above = node.parent;
        while let Some(position) = above {
            let caller = &self.records.nodes()[position as usize];
            if !caller.is_guess || self.can_call(caller.frame, node.frame) {
                return Some(self.places[position as usize]);
            }
            above = caller.parent;
        }
        None
    }

    /// Returns `true` if the code at a guessed frame calls the function that another one is in.
    fn can_call(&mut self, caller: Frame, callee: Frame) -> bool {
        let (Frame::Code(CodePlace::Module(module, pc)), Frame::Code(callee)) = (caller, callee)
        else {
            return true;
        };
        let modules: &'a Modules = self.modules;
        let Some(program) = modules.get(module).program() else { return true };
        let code = self.code.entry(module).or_insert_with(|| program.image().machine_code());
        let (Some(code), Some(function)) = (code, function_at(program, pc)) else { return true };
        let mut found = None;
        // The call may go on behind the address.
        let end = pc.saturating_add(LONGEST_CALL).min(function.end.saturating_add(1));
        code.calls(&(function.address..end), &mut |range: Range<FilePc>, call| {
            if range.contains(&pc) {
                found = Some(call);
            }
        });
        let target = match found {
            // The runtime has seen that there is a call. Where it leads to another function than its own is not known.
            // What it left in a register may be older than the call that one looks for.
            None | Some(Call::Slot(_) | Call::Indirect) => {
                let CodePlace::Module(other, pc) = callee else { return true };
                let is_own = |callee: Symbol<'_>| callee.address == function.address;
                return other != module || !function_at(program, pc).is_some_and(is_own);
            }
            Some(Call::To(target) | Call::ToEither(target, _)) => target,
        };
        // A call into the table of jumps to other modules can lead to any of them.
        let Some(entered) = function_at(program, target) else { return true };
        let CodePlace::Module(other, pc) = callee else { return true };
        other != module || function_at(program, pc).is_some_and(|it| it.address == entered.address)
    }

    fn context(&mut self, parent: Option<u32>, thread: ThreadId, link: Link) -> u32 {
        let contexts = &mut self.contexts;
        // Contexts of functions keep no lines.
        let key = match self.grain {
            Grain::Functions => Link { line: None, ..link },
            Grain::Lines => link,
        };
        *self.positions.entry((parent, thread, key)).or_insert_with(|| {
            let Link { function, line, is_inlined } = link;
            let own = Looks::default();
            contexts.push(Context { function, line, is_inlined, parent, thread, own })
        })
    }

    /// The functions at a place.
    fn chain(&mut self, place: CodePlace) -> Chain {
        if let Some(known) = self.chains.get(&place) {
            return known.clone();
        }
        if self.is_hook(place) {
            return Chain { is_hook: true, ..Chain::default() };
        }
        let mut chain = Chain::default();
        chain.links.push(Link::new(self.function_of(place)));
        if let CodePlace::Module(module, pc) = place {
            let modules: &'a Modules = self.modules;
            if let Some(program) = modules.get(module).program() {
                self.add_lines(&mut chain.links, module, program, pc);
            } else if self.grain == Grain::Lines {
                chain.links[0].line = self.line_of_made(module, pc);
            }
        }
        self.chains.insert(place, chain.clone());
        chain
    }

    /// The line at an address of code that is in no file.
    fn line_of_made(&mut self, module: ModuleId, pc: FilePc) -> Option<SourceLine> {
        let (start, made) = self.records.made_at(module, pc)?;
        let line = made.line(pc.0 - start.0)?;
        let file = (!made.file.is_empty()).then(|| self.contexts.file(&made.file))?;
        Some(SourceLine { file, line })
    }

    /// Adds the functions that were inlined at an address, and the lines of all.
    fn add_lines(
        &mut self,
        links: &mut Vec<Link>,
        module: ModuleId,
        program: &'a Program,
        pc: FilePc,
    ) {
        let mut line = match self.grain {
            Grain::Functions => None,
            Grain::Lines => program.lines().locate(pc).map(|place| {
                let file = self.contexts.file(program.lines().path(place.file));
                SourceLine { file, line: place.line.get() }
            }),
        };
        let mut frames = program.functions().frames(pc).peekable();
        while let Some(frame) = frames.next() {
            let Some(call) = frame.call else { continue };
            // Compilers split functions, and put a part back: what is inlined into itself is one function.
            if frame.function.is_some()
                && frames.peek().is_some_and(|it| it.function == frame.function)
            {
                continue;
            }
            if let Some(name) = frame.function {
                let function = self.inlined((name, frame.size), module, program);
                links.insert(1, Link { function, line, is_inlined: true });
            }
            // Around it the line of the call is executed.
            line = (self.grain == Grain::Lines && call.line != 0 && !call.file.is_empty())
                .then(|| SourceLine { file: self.contexts.file(call.file), line: call.line });
        }
        if let Some(outermost) = links.first_mut() {
            outermost.line = line;
        }
    }

    /// Returns `true` if a call only goes on with a function that the compiler split.
    fn goes_on(&self, site: CodePlace, callee: CodePlace) -> bool {
        let (CodePlace::Module(from, site), CodePlace::Module(module, pc)) = (site, callee) else {
            return false;
        };
        let Some(program) = self.modules.get(module).program().filter(|_| from == module) else {
            return false;
        };
        let symbols = program.symbols();
        let ends = symbols.find_caller(CallSite(site)).zip(symbols.find_function(SelfPc(pc)));
        ends.is_some_and(|(caller, callee)| symbols.goes_on(caller, callee))
    }

    /// The function at a place that was not inlined.
    fn function_of(&mut self, place: CodePlace) -> FunctionId {
        let (module, pc) = match place {
            CodePlace::Module(module, pc) => (module, pc),
            CodePlace::Process(_) => {
                let name = NO_SYMBOL.as_bytes().into();
                return self.contexts.function(Function { name, ..Function::default() });
            }
        };
        let code = self.modules.get(module);
        if let Some((start, made)) = self.records.function_made_at(module, pc) {
            let (name, module, address) = (made.shown_name(), Some(module), Some(start));
            return self.contexts.function(Function {
                name,
                module,
                address,
                ..Function::default()
            });
        }
        if code.is_no_file() {
            let (name, module) = (code.name().into(), Some(module));
            return self.contexts.function(Function { name, module, ..Function::default() });
        }
        let program = code.program();
        let is_linkage = program.is_some_and(|program| program.image().is_linkage(pc));
        let known = program.filter(|_| !is_linkage);
        let known = known.and_then(|program| Some((program, function_at(program, pc)?)));
        let (name, address) = match known {
            Some((program, symbol)) => {
                let name = without_version(symbol.name);
                match hooks::as_called(name) {
                    called if called == name => (name.into(), Some(symbol.address)),
                    called => (called.into(), self.address_of(called, module, program)),
                }
            }
            None if is_linkage => (LINKAGE.as_bytes().into(), None),
            None => (NO_SYMBOL.as_bytes().into(), None),
        };
        let module = Some(module);
        self.contexts.function(Function { name, module, address, ..Function::default() })
    }

    /// Start of the function of a name, if just one function has it, or else just one in copies.
    fn address_of(
        &mut self,
        name: &[u8],
        module: ModuleId,
        program: &'a Program,
    ) -> Option<FilePc> {
        let named = self.named.entry(module).or_insert_with(|| {
            let mut named = HashMap::new();
            let mut copied = HashMap::new();
            let symbols = program.symbols();
            for id in symbols.ids().filter(|&id| symbols.owner(id) == id) {
                let symbol = symbols.get(id);
                let (list, name) = match symbols.title(id) {
                    Some(title) if title.note.is_empty() => (&mut copied, &title.base[..]),
                    _ => (&mut named, without_version(symbol.name)),
                };
                let address = list.entry(name);
                address.and_modify(|known| *known = None).or_insert(Some(symbol.address));
            }
            copied.extend(named);
            copied
        });
        named.get(name).copied().flatten()
    }

    /// A function that was inlined. If it has code of its own, at just one place, it is what is there.
    fn inlined(
        &mut self,
        (function, inlined_size): (FunctionName<'_>, u64),
        module: ModuleId,
        program: &'a Program,
    ) -> FunctionId {
        let (symbols, functions) = (program.symbols(), program.functions());
        let is_whole = |start: &FilePc| symbols.find(*start).is_some_and(|id| symbols.is_whole(id));
        let bodies = function.local.into_iter().flat_map(|local| functions.bodies(local));
        let starts = bodies.filter_map(|pc| function_at(program, pc)).map(|symbol| symbol.address);
        let mut starts = starts.filter(is_whole);
        let own = starts.next().filter(|first| starts.all(|start| start == *first));
        // What only another file knows has the name as well.
        let is_public = |start: &FilePc| {
            let there = functions.frames(*start).last().and_then(|frame| frame.function);
            there.is_none_or(|function| function.is_public)
        };
        let name = function.qualified();
        let start = match own {
            None if function.is_public => self.address_of(&name, module, program).filter(is_public),
            own => own,
        };
        if let Some(start) = start {
            return self.function_of(CodePlace::Module(module, start));
        }
        self.contexts.function(Function {
            name: name[..].into(),
            module: Some(module),
            local: function.local,
            is_inlined: true,
            inlined_size,
            ..Function::default()
        })
    }

    /// Returns `true` if a place is in a hook of the profiler.
    fn is_hook(&self, place: CodePlace) -> bool {
        let CodePlace::Module(module, pc) = place else { return false };
        let code = self.modules.get(module);
        let symbol = code.program().and_then(|program| function_at(program, pc));
        // The rest of the library takes the place of functions of the C library.
        symbol.map_or(code.name().starts_with(b"libgmon.so"), |symbol| {
            hooks::is_of_a_profiler(symbol.name)
        })
    }
}

/// No call instruction is longer, in bytes, with the one behind it that belongs to it on some machines.
const LONGEST_CALL: u64 = 16;

/// The function that an address of a file is in; that of a piece is the whole.
fn function_at(program: &Program, pc: FilePc) -> Option<Symbol<'_>> {
    let symbols = program.symbols();
    let function = symbols.owner(symbols.find(pc)?);
    (symbols.unknown() != Some(function)).then(|| symbols.get(function))
}
