//! What the data files say, added up over all files, before any address gets a name.

mod bb_out;
mod counts;
mod encoding;
mod full;
mod histogram;
mod live;
mod load;
mod parallel;
mod total;
mod watch;

pub use bb_out::{BbOut, Miscount, TooLarge};
pub use counts::RawArc;
pub use encoding::load_raw;
pub use full::{
    CodePlace, Frame, FullRecords, Incomplete, Looks, Module, ModuleId, StackNode, Thread, ThreadId,
};
pub use histogram::{Histogram, Histograms, Sampling};
pub use live::LiveFile;
pub use load::{Loader, load};
pub use total::Records;
pub use watch::{FileSummary, Watch};
