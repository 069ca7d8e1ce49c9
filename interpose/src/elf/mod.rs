//! Modules as the loader has mapped them, and files of theirs: headers, segments and notes by their meaning, and tables by
//! reads that are checked.
//!
//! | file | what it is |
//! |---|---|
//! | `plain` | values out of bytes |
//! | `headers` | the headers of a module, wherever its first bytes are |
//! | `notes` | what linkers noted in it |
//! | `image` | its segments, with bytes by the addresses of its file |

mod headers;
mod image;
mod notes;
mod plain;

pub use headers::{Headers, bias_of, notes_of, segment_of};
pub use image::Image;
#[cfg(all(test, target_pointer_width = "64"))]
pub use image::Part;
pub use notes::find_note;
pub use plain::{ElfHeader, ProgramHeader, SectionHeader, Symbol};
pub use plain::{item, u16_at, u32_at, word_at};
