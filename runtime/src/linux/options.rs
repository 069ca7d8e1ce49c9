//! `GMON_OPTIONS`: pairs `key=value`, separated by commas, read once when the profile starts.
//!
//! *Context:* startup or hook for the first [`Options::get`], any for later ones.

use once_cell::race::OnceRef;

use crate::linux::environment;
use crate::linux::message;
use crate::linux::region::Region;

/// What the user asked for.
pub(crate) struct Options {
    /// `hz=N`: samples per second of CPU time.
    pub(crate) hz: u32,
    /// `sampler=NAME`: the backend to try first.
    pub(crate) sampler: Text<16>,
    /// `event=NAME`: the hardware event to sample by instead of time.
    pub(crate) event: Text<32>,
    /// `out=PATTERN`: the name of the data file.
    pub(crate) out: Text<1024>,
    /// `live=PATH`: the file that the counts live in.
    pub(crate) live: Text<1024>,
    /// `snapshot=SIGNAL`: the signal that has the profile written; 0 for none.
    pub(crate) snapshot: i32,
    /// `flush=SECONDS`: how often the profile is written meanwhile; 0 for never.
    pub(crate) flush: u32,
    /// `off`: no profile at all.
    pub(crate) off: bool,
}

/// Samples per second by default: what glibc takes on Linux.
const HZ: u32 = 100;
/// The fastest rate; a sample costs microseconds.
const HZ_MAX: u32 = 10_000;

const UNKNOWN: &str =
    "unknown key; known are hz, sampler, event, out, live, snapshot, flush and off";

static DEFAULTS: Options = Options::new();

impl Options {
    const fn new() -> Self {
        Self {
            hz: HZ,
            sampler: Text::new(),
            event: Text::new(),
            out: Text::new(),
            live: Text::new(),
            snapshot: 0,
            flush: 0,
            off: false,
        }
    }

    /// The options of this process. What is wrong with them is told once.
    pub(crate) fn get() -> &'static Self {
        static OPTIONS: OnceRef<'static, Options> = OnceRef::new();
        OPTIONS.get_or_init(|| {
            let Some(text) = environment::variable(b"GMON_OPTIONS") else {
                return &DEFAULTS;
            };
            match Region::map(size_of::<Self>()) {
                Some(region) => {
                    let mut options = Self::new();
                    options.read(text);
                    region.place(options)
                }
                None => &DEFAULTS,
            }
        })
    }

    fn read(&mut self, text: &[u8]) {
        for pair in text.split(|byte| *byte == b',').filter(|pair| !pair.is_empty()) {
            let mut halves = pair.splitn(2, |byte| *byte == b'=');
            let key = halves.next().unwrap_or_default();
            let value = halves.next().unwrap_or_default();
            if let Err(why) = self.set(key, value) {
                message::say_bytes(&[b"GMON_OPTIONS: `", pair, b"`: ", why.as_bytes()]);
            }
        }
    }

    fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), &'static str> {
        match key {
            b"hz" => {
                self.hz = number(value)
                    .filter(|hz| (1..=HZ_MAX).contains(hz))
                    .ok_or("hz must be from 1 to 10000")?;
                Ok(())
            }
            b"sampler" => self.sampler.set(value),
            b"event" => self.event.set(value),
            b"out" => self.out.set(value),
            b"live" => self.live.set(value),
            b"snapshot" => {
                self.snapshot = signal(value).ok_or(
                    "snapshot must be USR1, USR2, HUP, QUIT, WINCH or the number of a signal",
                )?;
                Ok(())
            }
            b"flush" => {
                self.flush = number(value).ok_or("flush must be a number of seconds")?;
                Ok(())
            }
            b"off" => {
                self.off = !matches!(value, b"0" | b"no" | b"false");
                Ok(())
            }
            _ => Err(UNKNOWN),
        }
    }
}

fn number(text: &[u8]) -> Option<u32> {
    core::str::from_utf8(text).ok()?.parse().ok()
}

fn signal(text: &[u8]) -> Option<i32> {
    const NAMES: [(&[u8], i32); 5] = [
        (b"USR1", libc::SIGUSR1),
        (b"USR2", libc::SIGUSR2),
        (b"HUP", libc::SIGHUP),
        (b"QUIT", libc::SIGQUIT),
        (b"WINCH", libc::SIGWINCH),
    ];
    let name = text.strip_prefix(b"SIG").unwrap_or(text);
    let by_name = NAMES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    by_name.or_else(|| number(text).filter(|n| (1..=64).contains(n)).map(|n| n as i32))
}

/// A copy of a value: the program may change its environment.
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    fn set(&mut self, value: &[u8]) -> Result<(), &'static str> {
        let place = self.bytes.get_mut(..value.len()).ok_or("the value is too long")?;
        place.copy_from_slice(value);
        self.len = value.len();
        Ok(())
    }

    /// The value; empty if it was not given.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Options {
        let mut options = Options::new();
        options.read(text.as_bytes());
        options
    }

    #[test]
    fn values_are_read_and_bad_ones_leave_the_default() {
        let options = read("hz=1000,sampler=perf,,snapshot=SIGUSR2,flush=5,out=/tmp/x.%p");
        assert_eq!((options.hz, options.snapshot, options.flush), (1000, libc::SIGUSR2, 5));
        assert_eq!(
            (options.sampler.bytes(), options.out.bytes()),
            (&b"perf"[..], &b"/tmp/x.%p"[..])
        );
        assert!(!options.off && options.live.bytes().is_empty());
        let options = read("hz=0,snapshot=NOSUCH,flush=x,unknown=1");
        assert_eq!((options.hz, options.snapshot, options.flush), (100, 0, 0));
    }

    #[test]
    fn off_is_a_switch() {
        for (text, off) in [("off", true), ("off=1", true), ("off=0", false), ("off=no", false)] {
            assert_eq!(read(text).off, off, "{text}");
        }
    }
}
