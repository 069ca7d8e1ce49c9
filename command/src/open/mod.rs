//! The one door to what is read: finds the program and its data files, decides between full profiles and counts,
//! and says the same of them to all commands.
//!
//! ```text
//! arguments ─→ program, data ─→ sources: full profiles or counts ─→ door ─→ measurement
//! ```

mod arguments;
mod door;
mod program;
mod samples;
mod slow;
mod sources;
mod when;

pub(crate) use arguments::{any_build, arguments, encoding_like, exported, files, like};
pub(crate) use door::{Door, Opened, needs_call_times, needs_stacks, reading};
pub(crate) use program::{check_output, gone, is_program, is_standard_output, program_of, unknown};
pub(crate) use samples::Samples;
pub(crate) use sources::{Sources, UNSAMPLED, full_beside, full_of};
pub(crate) use when::{microseconds, stretch};
