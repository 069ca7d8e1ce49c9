//! The functions of the program, sorted by address.
//!
//! A symbol owns the addresses up to its end or, if its size is not known, up to the next symbol. What
//! lies between belongs to no function.

use std::sync::OnceLock;

use gmon_format::FilePc;

use super::locator::Locator;
use super::name_order::NameOrder;
use super::pieces::Pieces;
use crate::positions::positions;

mod construction;
mod lookup;

positions! {
    /// A position in the symbol table: symbols are numbered from 0 in address order.
    SymbolId(pub(crate) u32),
}

/// All symbols of an image. The table owns their names, so it needs neither the image nor any other file
/// that they were read from.
#[derive(Clone, Debug)]
pub struct SymbolTable {
    symbols: Vec<Entry>,
    /// The names of all symbols, one behind the other.
    names: Box<[u8]>,
    locator: Locator,
    code_end: FilePc,
    /// For each symbol itself if it is a function, else the function it is a label in or, if sizes do not
    /// say otherwise, the nearest function before it.
    functions: Vec<Option<SymbolId>>,
    /// The last symbol, if it stands for code that is in no other.
    unknown: Option<SymbolId>,
    pieces: Pieces,
    name_order: OnceLock<NameOrder>,
    has_lines: bool,
}

/// Treatment of functions that the compiler split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Yes: their pieces count as the function, under the name in the source.
    Joined,
    /// No: each piece is a function, under the linker's name.
    Apart,
}

/// A symbol whose name is elsewhere.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// End of its name in the names of the table; that of the symbol before it ends where it begins.
    name_end: usize,
    address: FilePc,
    end: FilePc,
    size: u64,
    is_function: bool,
    is_static: bool,
    is_object_file: bool,
}
