//! Writing a data file through a caller's buffer, without allocation.

mod bsd;
mod buffer;
mod gnu;

pub use bsd::BsdWriter;
pub(crate) use buffer::Buffer;
pub use buffer::Sink;
pub use gnu::Writer;
