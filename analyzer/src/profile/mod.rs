//! Symbols and records joined: calls between functions instead of between addresses.

mod arcs;
mod join;

pub use arcs::{Arc, ArcId, ArcIds, Arcs};
pub use join::Profile;
