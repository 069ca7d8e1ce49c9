//! Modules as the loader has mapped them, and files of theirs: headers, segments and notes by their meaning, and tables by
//! reads that are checked.
//!
//! | file | what it is |
//! |---|---|
//! | `plain` | values out of bytes |
//! | `headers` | the headers of a module, wherever its first bytes are |
//! | `notes` | what linkers noted in it |
//! | `image` | its segments, with bytes by the addresses of its file |
//!
//! *Context:* any.

mod headers;
mod image;
mod notes;
mod plain;

pub(crate) use headers::{Headers, bias_of, notes_of, segment_of};
pub(crate) use image::Image;
#[cfg(all(test, target_pointer_width = "64"))]
pub(crate) use image::Part;
pub(crate) use notes::find_note;
pub(crate) use plain::{ElfHeader, ProgramHeader, SectionHeader, Symbol};
pub(crate) use plain::{item, u16_at, u32_at, word_at};
