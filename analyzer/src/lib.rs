//! Reads an executable and the data files that its profiled runs wrote, and computes what GNU
//! gprof computes: the time spent in each function, the calls between functions, and the time that
//! each function passes on to its callers.
//!
//! Data moves one way:
//!
//! ```text
//! executable ─→ image ─→ symbols ─┐
//! gmon.out ───→ records ──────────┴→ profile ─→ analysis ─→ report ─→ text
//! ```
//!
//! Only [`image`], [`records`] and, for profiles in JSON, [`model`] read files, so only they refuse
//! input. A stage may use those to its left. A [`Measurement`] holds what the stages up to the analysis
//! make, each made when somebody first asks for it; a [`Model`] is the whole profile as data, from which
//! [`export`] writes the formats of other programs. [`gprof`] is the classic command around all of them:
//!
//! ```no_run
//! use std::io::{stderr, stdout};
//! let args = ["-b".into(), "./a.out".into()];
//! let status = gmon_analyzer::gprof::main("gprof", &args, &mut stdout().lock(), &mut stderr());
//! # let _ = status;
//! ```
//!
//! Profiles are also there as data. Here we print the ten functions that took the most time themselves:
//!
//! ```no_run
//! use gmon_analyzer::{FlatProfile, Measurement};
//!
//! let measurement = Measurement::open("./a.out", &["gmon.out"])?;
//! let names = measurement.names(Default::default());
//! if let Some(flat) = FlatProfile::new(measurement.graph()) {
//!     for row in flat.rows().take(10) {
//!         println!(
//!             "{:8.2} s self, {:8.2} s in all, {} calls: {}",
//!             row.self_time,
//!             row.total_time,
//!             row.calls + row.self_calls,
//!             String::from_utf8_lossy(names.plain(row.symbol)),
//!         );
//!     }
//! }
//! # Ok::<(), gmon_analyzer::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod analysis;
mod arch;
mod c_numbers;
pub mod diff;
mod error;
pub mod export;
pub mod files;
pub mod follow;
pub mod gprof;
mod harmless;
pub mod image;
pub mod measurement;
pub mod model;
pub mod modules;
pub mod numbers;
mod parallel;
mod positions;
pub mod profile;
pub mod program;
pub mod progress;
pub mod records;
pub mod report;
pub mod response_files;
pub mod selection;
pub mod signature;
pub mod sum;
pub mod symbols;
pub mod table;
mod totals;
pub mod wrapping;

pub use analysis::CallGraph;
pub use error::{Error, system_message};
pub use harmless::{harmless, harmless_cell, is_harmful};
pub use image::{Dialect, Image, vdso};
pub use measurement::Measurement;
pub use model::{ByName, Model};
pub use profile::Profile;
pub use program::{Program, ProgramOptions};
pub use records::Records;
pub use report::{CallGraphReport, ExecCounts, FlatProfile, FunctionIndex, Names};
pub use selection::Selections;
pub use symbols::SymbolTable;
