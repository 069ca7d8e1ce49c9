//! Addresses in a tree of stacks that are not code, but say something about the stack.

use crate::LoadedPc;

/// A node whose address is one of these is not a frame.
///
/// No program has code in its first page, so that these numbers cannot be addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Label {
    /// The stack goes on, but deeper than is kept: the innermost frames are below this node.
    Deeper = 1,
    /// The code belongs to no module, as that of a compiler at run time.
    NoModule = 2,
    /// The module has no unwind rules for the code.
    NoRules = 3,
    /// The stack could not be read.
    Unreadable = 4,
    /// The caller's frame would be no further up the stack.
    NoProgress = 5,
    /// The unwind rules make no sense.
    BadRules = 6,
    /// The unwind rules need a register whose value is not known.
    RegisterLost = 7,
    /// The runtime itself was at work, so that the stack was not looked at.
    RuntimeBusy = 8,
    /// There was no memory left for more nodes: the stack goes on in this direction.
    MemoryLimit = 9,
    /// The walk of stacks is not built for this machine, or is not possible on this system or with this way of
    /// sampling.
    Unsupported = 10,
    /// The thread waits for signals, and would take one of the sampler's for its own.
    SignalWait = 11,
    /// Below it is one node for each thread, whose address is the thread's position among the
    /// [threads](super::Thread).
    Thread = 16,
    /// Right below a thread: the stacks at which it waited, where both waiting and running threads are sampled.
    Waiting = 17,
}

impl Label {
    const ALL: [Self; 13] = [
        Self::Deeper,
        Self::NoModule,
        Self::NoRules,
        Self::Unreadable,
        Self::NoProgress,
        Self::BadRules,
        Self::RegisterLost,
        Self::RuntimeBusy,
        Self::MemoryLimit,
        Self::Unsupported,
        Self::SignalWait,
        Self::Thread,
        Self::Waiting,
    ];

    /// Addresses below this one are labels, also those that this version does not know.
    pub const END: LoadedPc = LoadedPc(4096);

    /// The address that stands for this label.
    #[must_use]
    pub const fn pc(self) -> LoadedPc {
        LoadedPc(self as u64)
    }

    /// The label that an address stands for; `None` if it is code, or a label of a later version.
    #[must_use]
    pub fn of(pc: LoadedPc) -> Option<Self> {
        Self::ALL.into_iter().find(|label| label.pc() == pc)
    }

    /// Why the stack is not complete, in the users' words; `None` for the labels of threads and of their waits,
    /// which say nothing of the kind.
    #[must_use]
    pub const fn reason(self) -> Option<&'static str> {
        Some(match self {
            Self::Deeper => "deeper than is kept",
            Self::NoModule => "code of no module",
            Self::NoRules => "no unwind rules",
            Self::Unreadable => "unreadable stack",
            Self::NoProgress => "no caller further up the stack",
            Self::BadRules => "damaged unwind rules",
            Self::RegisterLost => "unwind rules for a lost register",
            Self::RuntimeBusy => "the profiler was at work",
            Self::MemoryLimit => "no memory left for stacks",
            Self::Unsupported => "stacks cannot be followed here",
            Self::SignalWait => "threads wait for signals",
            Self::Thread | Self::Waiting => return None,
        })
    }

    /// All labels of stacks that are not complete.
    pub fn reasons() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|label| label.reason().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::{Label, LoadedPc};

    #[test]
    fn numbers_and_labels_are_each_others() {
        for label in Label::ALL {
            assert_eq!(Label::of(label.pc()), Some(label));
            assert!((LoadedPc(1)..Label::END).contains(&label.pc()));
        }
        for number in [LoadedPc(0), LoadedPc(15), Label::END] {
            assert_eq!(Label::of(number), None);
        }
        assert_eq!(Label::reasons().count(), Label::ALL.len() - 2);
    }
}
