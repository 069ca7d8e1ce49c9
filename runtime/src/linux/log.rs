//! Place of messages if the user wants them elsewhere than on the program's standard error stream: into a
//! file (`log=`), or nowhere (`quiet`).
//!
//! *Context:* `begin` startup or hook; messages any.

use gmon_format::names::Pattern;
use gmon_system::message::{self, Diversion};
use gmon_system::path::Path;
use gmon_system::platform;

use crate::linux::naming;
use crate::linux::options::Options;
use crate::linux::output::Home;

/// Has messages go where the user wants them.
pub(crate) fn begin() {
    static DIVERSION: Diversion = Diversion(take);
    let options = Options::get();
    if options.quiet || !options.log.is_empty() {
        message::divert(&DIVERSION);
    }
}

/// Takes a line. If the file cannot be had, the line is for the standard error stream after all.
fn take(line: &[u8]) -> bool {
    let options = Options::get();
    let append = |path: Path| {
        let home = Home::find();
        platform::append(home.base(&path)?, path.as_c_str(), line)
    };
    let is_logged =
        !options.log.is_empty() && naming::expand(Pattern(options.log)).and_then(append).is_ok();
    is_logged || options.quiet
}
