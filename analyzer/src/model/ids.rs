//! Positions in the lists of a model, each of a type of its own. JSON has them as numbers.

use serde::{Deserialize, Serialize};

pub use crate::analysis::stacks::FrameId;
pub use crate::profile::FunctionId;
pub use crate::records::{ModuleId, ThreadId};

/// A position in the list of files.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct FileId(pub u32);

/// A position in the list of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CycleId(pub u32);

/// A position by its number.
pub(super) trait Id: Copy {
    /// The position with this number.
    fn at(number: u32) -> Self;

    /// The number.
    fn number(self) -> u32;
}

/// Makes types positions.
macro_rules! ids {
    ($($name:ident)*) => {
        $(impl Id for $name {
            fn at(number: u32) -> Self {
                Self(number)
            }

            fn number(self) -> u32 {
                self.0
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> Self {
                id.0
            }
        })*
    };
}

ids! { ModuleId FileId FunctionId CycleId ThreadId FrameId }

impl FileId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl CycleId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
