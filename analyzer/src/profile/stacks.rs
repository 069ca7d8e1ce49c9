//! Joins the stacks of full profiles with the functions of all modules.
//!
//! Functions that were inlined get contexts of their own, below those that they were inlined into. Frames
//! that were only guessed are left out where the code shows that they cannot be. Time in the profiler's
//! hooks is nobody's.

use std::collections::HashMap;
use std::ops::Range;

use gmon_format::hooks;

use super::contexts::{Context, Contexts, Function, FunctionId};
use crate::arch::Call;
use crate::image::MachineCode;
use crate::modules::Modules;
use crate::program::Program;
use crate::records::{CodePlace, Frame, FullRecords, Looks, ModuleId, StackNode, ThreadId};
use crate::symbols::Symbol;

impl Contexts {
    /// Tells the stacks and calls of full profiles of functions.
    #[must_use]
    pub fn joined(records: &FullRecords, modules: &Modules) -> Self {
        let contexts = Self::new(records.threads().to_vec());
        let mut join = Join {
            records,
            modules,
            contexts,
            chains: HashMap::new(),
            positions: HashMap::new(),
            code: HashMap::new(),
            places: Vec::new(),
        };
        for node in records.nodes() {
            let place = join.add(node);
            join.places.push(place);
        }
        for (site, callee, count) in records.arcs() {
            let caller = join.chain(site).last();
            let callee = join.function_of(callee);
            if let (Some(caller), Some(callee)) = (caller, callee) {
                join.contexts.add_calls(caller, callee, count);
            }
        }
        join.contexts
    }
}

/// What became of a node.
#[derive(Clone, Copy)]
enum Joined {
    /// It has a context.
    Context(u32),
    /// It is in a hook, as is all below it.
    Hook,
}

/// The functions that an address is in, the one that was not inlined first.
#[derive(Clone, Default)]
struct Chain {
    functions: Vec<FunctionId>,
    is_hook: bool,
}

struct Join<'a> {
    records: &'a FullRecords,
    modules: &'a Modules,
    contexts: Contexts,
    chains: HashMap<CodePlace, Chain>,
    /// Contexts by parent, thread and function.
    positions: HashMap<(Option<u32>, ThreadId, FunctionId), u32>,
    /// The code of modules in which frames were guessed.
    code: HashMap<ModuleId, Option<MachineCode<'a>>>,
    /// What became of each node so far.
    places: Vec<Joined>,
}

impl Chain {
    fn last(&self) -> Option<FunctionId> {
        self.functions.last().copied()
    }
}

impl<'a> Join<'a> {
    fn add(&mut self, node: &StackNode) -> Joined {
        let chain = match node.frame {
            Frame::Code(place) => self.chain(place),
            Frame::Incomplete(incomplete) => {
                let incomplete = Some(incomplete);
                let lost = Function { incomplete, ..Function::default() };
                Chain { functions: vec![self.contexts.function(lost)], is_hook: false }
            }
        };
        let parent = match self.caller(node) {
            Some(Joined::Hook) => None,
            Some(Joined::Context(parent)) => Some(Some(parent)),
            None => Some(None),
        };
        let Some(mut parent) = parent.filter(|_| !chain.is_hook) else {
            self.contexts.add_overhead(node.own);
            return Joined::Hook;
        };
        for &function in &chain.functions {
            parent = Some(self.context(parent, node.thread, function));
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

    /// Whether the code at a guessed frame calls the function that another one is in.
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
        code.calls(&(function.address..end), &mut |range: Range<u64>, call| {
            if range.contains(&pc) {
                found = Some(call);
            }
        });
        let target = match found {
            // The runtime has seen that there is a call. Where it leads to another function than its own is not known.
            // What it left in a register may be older than the call that one looks for.
            None | Some(Call::Indirect) => {
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

    fn context(&mut self, parent: Option<u32>, thread: ThreadId, function: FunctionId) -> u32 {
        let contexts = &mut self.contexts;
        *self.positions.entry((parent, thread, function)).or_insert_with(|| {
            contexts.push(Context { function, parent, thread, own: Looks::default() })
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
        chain.functions.extend(self.function_of(place));
        if let CodePlace::Module(module, pc) = place {
            if let Some(program) = self.modules.get(module).program() {
                let frames: Vec<_> = program.functions().frames(pc).collect();
                let inlined = frames.iter().rev().filter(|frame| frame.call.is_some());
                for name in inlined.filter_map(|frame| frame.function) {
                    let inlined = self.named(name.name, Some(module), true);
                    chain.functions.push(inlined);
                }
            }
        }
        self.chains.insert(place, chain.clone());
        chain
    }

    /// The function at a place that was not inlined.
    fn function_of(&mut self, place: CodePlace) -> Option<FunctionId> {
        let (module, pc) = match place {
            CodePlace::Module(module, pc) => (module, pc),
            CodePlace::Process(pc) => {
                return Some(self.named(format!("{pc:#x}").as_bytes(), None, false));
            }
        };
        let code = self.modules.get(module);
        let known = code.program().and_then(|program| function_at(program, pc));
        let name = match known {
            // Behind an @ stands the version of a library's interface.
            Some(symbol) => {
                symbol.name.split(|byte| *byte == b'@').next().unwrap_or_default().to_vec()
            }
            None => [code.name(), format!("+{pc:#x}").as_bytes()].concat(),
        };
        Some(self.named(&name, Some(module), false))
    }

    fn named(&mut self, name: &[u8], module: Option<ModuleId>, is_inlined: bool) -> FunctionId {
        self.contexts.function(Function { name: name.into(), module, is_inlined, incomplete: None })
    }

    /// Whether a place is in a hook of the profiler.
    fn is_hook(&self, place: CodePlace) -> bool {
        let CodePlace::Module(module, pc) = place else { return false };
        let code = self.modules.get(module);
        if code.name().starts_with(b"libgmon.so") {
            return true;
        }
        let symbol = code.program().and_then(|program| function_at(program, pc));
        let hooks = [hooks::OF_PG, hooks::OF_OTHERS, hooks::OF_RUNTIMES];
        let is_name = |name: &&str| symbol.is_some_and(|symbol| symbol.name == name.as_bytes());
        hooks.into_iter().flatten().any(is_name)
    }
}

/// No call instruction is longer, in bytes, with the one behind it that belongs to it on some machines.
const LONGEST_CALL: u64 = 16;

/// The function that an address of a file is in; that of a piece is the whole.
fn function_at(program: &Program, pc: u64) -> Option<Symbol<'_>> {
    let symbols = program.symbols();
    let function = symbols.owner(symbols.find(pc)?);
    (symbols.unknown() != Some(function)).then(|| symbols.get(function))
}
