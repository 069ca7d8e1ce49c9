//! What the data files say, added up over all files, before any address gets a name.

mod histogram;
mod load;

pub use histogram::{Histogram, Histograms, Sampling};
pub use load::{RawArc, Records, load};
