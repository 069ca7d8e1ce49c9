//! Files that the command carries inside itself for builds and programs: the runtime libraries, the
//! header, and what lets build systems find them. In the user's cache for the command's own use
//! ([`unpack`]), or wherever the user has `gmon install` put them.

mod cache;
mod given;
mod known;
mod layout;
mod packed;
mod port;

pub(crate) use cache::unpack;
pub use given::Carried;
pub(crate) use given::give;
pub use known::Known;
pub(crate) use known::known;
pub(crate) use layout::{CarriedFile, Layout};
pub(crate) use packed::Content;
pub use packed::Packed;
pub use port::Port;
pub(crate) use port::{System, long_version, port_asked_for, target_argument};
