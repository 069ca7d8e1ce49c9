//! The classic command from its words to its exit status.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

use super::environment::Environment;
use super::help;
use super::messages;
use super::request::Request;
use super::run;
use super::stop::Stop;

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;

/// Runs `gprof` with the words `args` after its name and returns its exit status.
///
/// `program` is the name it was called by, which begins its messages. Reports go to `stdout`,
/// messages and warnings to `stderr`. If `stdout` is closed early, that is success.
pub fn main(
    program: &str,
    args: &[OsString],
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let mut out = BufWriter::with_capacity(1 << 16, stdout);
    let outcome =
        answer(program, args, &mut out, stderr).and_then(|()| out.flush().map_err(Stop::Output));
    match outcome {
        Ok(()) => SUCCESS,
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => SUCCESS,
        Err(stop) => {
            say(stderr, &stop.message(program));
            FAILURE
        }
    }
}

fn answer(
    program: &str,
    args: &[OsString],
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    match Request::read(args, &Environment::of_process())? {
        Request::Help => out.write_all((help::usage(program) + help::BUGS).as_bytes())?,
        Request::Version => out.write_all(help::VERSION.as_bytes())?,
        Request::Report(options) => {
            run::run(program, &options, out, stderr)?;
        }
    }
    Ok(())
}

/// Prints a message, of which lines are all that a terminal obeys; when even that is impossible, the exit
/// status is all there is left.
pub(super) fn say(stderr: &mut dyn Write, message: &str) {
    let message = messages::printable(message);
    let _ = stderr.write_all(message.as_bytes()).and_then(|()| stderr.flush());
}
