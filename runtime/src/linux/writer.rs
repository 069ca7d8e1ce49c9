//! The profile, written to its file.
//!
//! *Context:* exit. Threads that still run go on counting.

use gmon_format::Sink;

use crate::decimal::Decimal;
use crate::linux::message;
use crate::linux::output::{self, Occasion};
use crate::linux::platform::{Errno, File};
use crate::linux::program::Program;
use crate::linux::region::Scratch;
use crate::linux::{sampler, threads};
use crate::{counts, histogram, records};

/// Writes the profile and tells on the standard error stream what is missing from it. False if it
/// was not written.
pub(crate) fn write(occasion: Occasion) -> bool {
    let Some(program) = Program::get() else {
        message::say(&["cannot find the program's load address: no gmon.out is written"]);
        return false;
    };
    sampler::collect();
    let unit = sampler::unit();
    let written = output::write(occasion, |file| {
        let mut small = [0; 512];
        let is_small = threads::used() <= counts::FEW && histogram::is_empty();
        let mut large = if is_small { None } else { Scratch::new(64 * 1024) };
        let buffer = large.as_deref_mut().unwrap_or(&mut small);
        records::write(file, buffer, program, &unit)
    });
    let lost = threads::lost();
    if lost != 0 {
        message::say(&["no memory: ", Decimal::new(lost).as_str(), " calls were not counted"]);
    }
    written
}

impl Sink for &mut File {
    type Error = Errno;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        self.write_all(bytes)
    }

    /// Most of a histogram is zero.
    fn skip(&mut self, count: u64) -> Result<bool, Errno> {
        Ok(File::skip(self, count))
    }
}
