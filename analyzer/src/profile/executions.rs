//! Executions of each stretch of code, from the counts of basic blocks.
//!
//! Blocks that were never executed are only in the data of compilers that list them. Of the others it is
//! known where their code calls the hook: there a block begins.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::ops::Range;

use gmon_format::{FilePc, hooks};

use super::flow::{Part, Start, Ways, parts};
use crate::arch::Call;
use crate::error::Error;
use crate::image::Image;
use crate::records::Records;
use crate::symbols::{SymbolId, SymbolTable};
use crate::totals::add;

/// The hook that code of gcc calls in every block.
const HOOK: &[u8] = hooks::TRACE_PC.as_bytes();

/// The code of a block, or code that has no hook, but is executed as often as others tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its addresses.
    pub code: Range<FilePc>,
    /// Start of the code that is not there for the sake of the count.
    pub own_code: FilePc,
    /// The symbol it is in.
    pub symbol: SymbolId,
    /// The function of that, which is another symbol if the compiler split it.
    pub function: SymbolId,
    /// Number of executions.
    pub count: u64,
}

/// All code that is known to be in blocks.
#[derive(Clone, Debug, Default)]
pub struct Executions {
    /// Stretches by address.
    stretches: Vec<Stretch>,
    calls: HashMap<SymbolId, u64>,
}

impl Executions {
    /// Joins counted blocks with the code of the functions that have any.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn new(image: &Image, symbols: &SymbolTable, records: &Records) -> Result<Self, Error> {
        let calls = calls(symbols, records);
        let blocks = blocks(image, records)?;
        let pads = if blocks.is_empty() { Vec::new() } else { image.landing_pads() };
        let code = image.machine_code();
        let mut by_symbol: BTreeMap<SymbolId, Vec<Start>> = BTreeMap::new();
        for (address, block) in blocks {
            let Some(id) = symbols.find(address) else { continue };
            let own_code = address.saturating_add(block.call_len);
            let start = Start { address, own_code, count: Some(block.count) };
            by_symbol.entry(id).or_default().push(start);
        }
        let pieces = by_symbol.keys().filter(|id| symbols.owner(**id) != **id);
        let split: BTreeSet<SymbolId> = pieces.map(|id| symbols.owner(*id)).collect();
        let mut stretches: Vec<Stretch> = Vec::new();
        for (id, mut starts) in by_symbol {
            let symbol = symbols.get(id);
            let first = starts[0];
            if symbol.address < first.address {
                // The block that a function begins with may have no hook, as it does nothing.
                let (address, count) = (symbol.address, calls.get(&id).copied());
                starts.insert(0, Start { address, own_code: address, count });
            }
            let end = symbol.end.saturating_add(1);
            let steps = code.as_ref().and_then(|code| code.steps(&(starts[0].address..end)));
            let is_split = split.contains(&id) || symbols.owner(id) != id;
            let ways = Ways { steps: steps.as_deref(), pads: &pads, is_split };
            let mut parts = parts(end, &starts, &ways);
            parts[0].count = parts[0].count.or(first.count);
            for Part { code, count } in parts {
                let Some(count) = count else { continue };
                let start = starts.binary_search_by_key(&code.start, |start| start.address);
                let own_code = start.map_or(code.start, |at| starts[at].own_code.min(code.end));
                let function = symbols.owner(id);
                stretches.push(Stretch { code, own_code, symbol: id, function, count });
            }
        }
        Ok(Self { stretches, calls })
    }

    /// All stretches, by address. Code whose executions are not known lies between them.
    #[must_use]
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// Entries into a function, or calls; `None` if it has no counted blocks and no calls.
    #[must_use]
    pub fn entries(&self, function: SymbolId) -> Option<u64> {
        let first = self.stretches.partition_point(|stretch| stretch.symbol < function);
        let first = self.stretches.get(first).filter(|stretch| stretch.symbol == function);
        first.map(|stretch| stretch.count).or_else(|| self.calls.get(&function).copied())
    }
}

/// Facts about a block.
#[derive(Clone, Copy, Default)]
struct Block {
    count: u64,
    /// Bytes of the call of the hook that it begins with.
    call_len: u64,
}

/// All blocks by their first addresses.
fn blocks(image: &Image, records: &Records) -> Result<BTreeMap<FilePc, Block>, Error> {
    let never =
        |call: Range<FilePc>| (call.start, Block { count: 0, call_len: call.end - call.start });
    let mut blocks: BTreeMap<FilePc, Block> =
        hook_calls(image, records)?.into_iter().map(never).collect();
    for counted in records.blocks() {
        // The hook knows an address in its call, and the table of clang the block's first one.
        let pc = counted.pc;
        let call = blocks.range(..=pc).next_back();
        let call = call.filter(|&(&start, block)| pc - start < block.call_len);
        let start = call.map_or(pc, |(&start, _)| start);
        let block = blocks.entry(start).or_default();
        block.count = block.count.saturating_add(counted.count);
    }
    Ok(blocks)
}

/// The code of all calls of the hook.
fn hook_calls(image: &Image, records: &Records) -> Result<Vec<Range<FilePc>>, Error> {
    let symbols = image.symbols()?;
    let hook = symbols.iter().find(|symbol| symbol.name == HOOK && symbol.place.is_code());
    let may_have_calls = hook.is_some() || !records.blocks().is_empty();
    let code = image.machine_code().filter(|_| may_have_calls);
    let Some(code) = code else { return Ok(Vec::new()) };
    let mut calls = Vec::new();
    for range in image.code() {
        code.calls(range, &mut |code, call| calls.push((code, call)));
    }
    let target = |call| match call {
        Call::To(target) | Call::ToEither(target, _) => Some(target),
        Call::Slot(_) | Call::Indirect => None,
    };
    let slot = |call| if let Call::Slot(slot) = call { Some(slot) } else { None };
    let hook = hook.map(|symbol| symbol.address);
    let hook = hook.or_else(|| called_by_blocks(&calls, records, target));
    let hooks_slot = called_by_blocks(&calls, records, slot);
    calls.retain(|(_, call)| match *call {
        Call::To(target) => Some(target) == hook,
        Call::ToEither(target, other) => [Some(target), Some(other)].contains(&hook),
        Call::Slot(slot) => Some(slot) == hooks_slot,
        Call::Indirect => false,
    });
    Ok(calls.into_iter().map(|(code, _)| code).collect())
}

/// Target of most blocks' calls where they were counted: in a program that has the hook in a shared
/// library, that is the way to it. `key` says what calls of one function have in common.
fn called_by_blocks<K: Copy + Ord + Hash>(
    calls: &[(Range<FilePc>, Call)],
    records: &Records,
    key: impl Fn(Call) -> Option<K>,
) -> Option<K> {
    let mut blocks: HashMap<K, u64> = HashMap::new();
    for counted in records.blocks() {
        let pc = counted.pc;
        let after = calls.partition_point(|(code, _)| code.start <= pc);
        let call = calls[..after].last().filter(|(code, _)| code.contains(&pc));
        if let Some(key) = call.and_then(|(_, call)| key(*call)) {
            *blocks.entry(key).or_default() += 1;
        }
    }
    blocks.into_iter().max_by_key(|&(key, blocks)| (blocks, key)).map(|(key, _)| key)
}

/// The calls of each function that was called.
fn calls(symbols: &SymbolTable, records: &Records) -> HashMap<SymbolId, u64> {
    let mut calls: HashMap<SymbolId, u64> = HashMap::new();
    for arc in records.arcs() {
        if let Some(callee) = symbols.called(arc.from_pc, arc.self_pc) {
            add(calls.entry(callee).or_default(), arc.count);
        }
    }
    calls
}
