//! Reading a data file that lies in memory, without copying it.

mod bsd;
mod cursor;
mod data_file;
mod gnu;
mod guess;

pub use bsd::BsdFile;
pub use data_file::{Accepted, DataFile};
pub use gnu::Records;

pub(crate) use cursor::{Cursor, CutShort};
