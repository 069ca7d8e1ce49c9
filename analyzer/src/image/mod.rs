//! The profiled executable: where its code and symbols lie, and which source lines made it.

mod code;
mod debug;
mod descriptors;
mod elf;
mod elf_symbol;
mod entries;
mod file_map;
mod guid;
mod landing;
mod lines;
mod probes;
mod relocations;
mod rooms;
mod source_text;
mod symbol_list;
mod unnamed;
mod vdso;

pub(crate) use code::MachineCode;
pub use elf::Image;
pub(crate) use elf_symbol::{ElfSymbol, SymbolPlace};
pub(crate) use entries::Entries;
pub use file_map::FileMap;
pub(crate) use file_map::MapEntry;
pub use lines::{
    Call, Declaration, Dialect, FileId, Frame, FunctionName, FunctionTable, Inlining, Lines,
    LocalId, Location, Piece, SourceNames,
};
pub(crate) use lines::{Label, spans};
pub(crate) use probes::{Probe, ProbeKind, Probes};
pub use rooms::listed_rooms;
pub(crate) use source_text::read_source;
pub(crate) use symbol_list::ListedSymbol;
pub use symbol_list::SymbolList;
pub(crate) use vdso::NAME as VDSO;
pub use vdso::read as vdso;
