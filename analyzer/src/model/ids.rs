//! Positions in the lists of a model, each of a type of its own. JSON has them as numbers.

use serde::{Deserialize, Serialize};

pub use crate::analysis::stacks::FrameId;
use crate::positions::positions;
pub use crate::profile::FunctionId;
pub use crate::records::{ModuleId, ThreadId};

positions! {
    /// A position in the list of files.
    #[derive(Serialize, Deserialize)]
    FileId(pub u32),
    /// A position in the list of cycles.
    #[derive(Serialize, Deserialize)]
    CycleId(pub u32),
}
