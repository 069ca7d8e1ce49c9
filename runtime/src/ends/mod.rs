//! The ends of a process that run no exit functions: the profile is written before each, and the
//! process then ends exactly as it would have.

mod defect;
mod exec;
mod exit;
mod fatal;
mod sigaction;

pub use defect::abort;
pub(crate) use fatal::handle_fatal_signals;
