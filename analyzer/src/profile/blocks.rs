//! The basic blocks of each symbol.

use gmon_format::Block;

use crate::symbols::{SymbolId, SymbolTable};

/// Blocks by symbol; those of one in the order of their first appearance.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// The symbol of each block, in address order.
    symbols: Vec<SymbolId>,
    list: Vec<Block>,
}

impl Blocks {
    /// Finds the symbols of blocks; what is in no symbol is left out.
    pub(super) fn new(blocks: &[Block], symbols: &SymbolTable) -> Self {
        let known = |block: &Block| Some((symbols.find(block.pc)?, *block));
        let mut blocks: Vec<_> = blocks.iter().filter_map(known).collect();
        blocks.sort_by_cached_key(|(symbol, _)| *symbol);
        let (symbols, list) = blocks.into_iter().unzip();
        Self { symbols, list }
    }

    /// All blocks.
    pub(super) fn list(&self) -> &[Block] {
        &self.list
    }

    pub(super) fn of(&self, symbol: SymbolId) -> &[Block] {
        let start = self.symbols.partition_point(|&other| other < symbol);
        let end = self.symbols.partition_point(|&other| other <= symbol);
        &self.list[start..end]
    }
}
