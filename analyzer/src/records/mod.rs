//! Contents of the data files, added up over all files, before any address gets a name.

mod bb_out;
mod counts;
mod encoding;
mod full;
mod histogram;
mod live;
mod live_calls;
mod live_view;
mod load;
mod made;
mod memory;
mod parallel;
mod total;
mod trace;
mod watch;

pub use bb_out::{BbOut, Miscount, TooLarge};
pub use encoding::load_raw;
pub use full::{
    BinRange, CallTimes, CodePlace, Figure, Frame, FullRecords, Incomplete, Interval, JIT, Looks,
    MadeCode, Module, ModuleId, Origin, RunFacts, StackNode, Stretches, Thread, ThreadId,
    TimedCall, TimedGap, TimedMark, TimedSample, Timeline, Times, began_us, is_full,
    is_of_same_run, load_full, merge_full, once_each,
};
pub(crate) use full::{PROCESSES, RANKS, module_of, shown_name};
pub(crate) use histogram::GNU_UNIT;
pub use histogram::{Histogram, Histograms, Sampling};
pub use live::LiveFile;
pub use live_calls::Piece;
#[cfg(test)]
pub(crate) use live_view::write_header;
pub use live_view::{FileNews, LiveView, NodeNews};
pub use load::{Loader, load};
pub use made::{Jitdump, Made, NamedCode, Needed, Readable, nameless, needed, perf_map, readable};
pub use total::Records;
pub use trace::Trace;
pub use watch::{FileSummary, Watch};
