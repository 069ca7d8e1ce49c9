//! `GMON_OPTIONS`, read once when the profile starts.
//!
//! *Context:* startup or hook for the first [`Options::get`], any for later ones.

use arrayvec::ArrayVec;
use gmon_format::ledger;
use gmon_format::options::{self, Key, Pair, ROWS};
use gmon_system::region::Region;
use gmon_system::{environment, libc, message};
use once_cell::race::OnceRef;

/// Requests of the user.
pub(crate) struct Options {
    /// Samples per second of CPU time, or of that on the wall.
    pub(crate) hz: u32,
    /// The backend to try first.
    pub(crate) sampler: &'static [u8],
    /// The hardware event to sample by instead of time.
    pub(crate) event: &'static [u8],
    /// The pattern of the data file's name.
    pub(crate) out: &'static [u8],
    /// The pattern of the name of the file that the counts live in.
    pub(crate) live: &'static [u8],
    /// The signal that has the profile written; 0 for none.
    pub(crate) snapshot: i32,
    /// Interval at which the profile is written meanwhile, in seconds; 0 for never.
    pub(crate) flush: u32,
    /// The pattern of the name of the file that messages go to.
    pub(crate) log: &'static [u8],
    /// No messages on the standard error stream.
    pub(crate) quiet: bool,
    /// Nothing is counted until somebody switches it on.
    pub(crate) paused: bool,
    /// No profile at all.
    pub(crate) off: bool,
    /// Memory that the stacks of the samples may take, in megabytes; 0 for no stacks.
    pub(crate) stacks: u32,
    /// Times of samples.
    pub(crate) record: Record,
    /// True if the program's arguments are written into the full profile.
    pub(crate) command: bool,
    /// The list of options if it asks for calls into shared libraries, with patterns of their names.
    pub(crate) library_calls: Option<&'static [u8]>,
    /// The list of options if it asks for hooks that sleep otherwise, with patterns of their functions' names.
    pub(crate) hooks: Option<&'static [u8]>,
    /// The list of options if it asks for the times of calls, with patterns of their functions' names.
    pub(crate) times: Option<&'static [u8]>,
    /// Tells times of calls apart by caller.
    pub(crate) times_by_caller: bool,
    /// Keeps the order in which functions are first called.
    pub(crate) order: bool,
    /// Puts functions of Python in the place of their evaluator.
    pub(crate) python: bool,
    /// The list as the user wrote it.
    list: &'static [u8],
}

/// Samples that are kept with their times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Seconds for which they are kept at least; 0 for as long as there is memory.
    pub(crate) seconds: u32,
    /// Memory that they may take, in megabytes; 0 if none are kept.
    pub(crate) megabytes: u32,
}

/// Samples per second by default: what glibc takes on Linux.
const HZ: u32 = 100;
/// The fastest rate; a sample costs microseconds.
pub(crate) const HZ_MAX: u32 = 10_000;

/// Memory for stacks by default, in megabytes, and the most that may be asked for.
const STACKS: u32 = 64;
const STACKS_MAX: u32 = 4096;

/// Memory for samples with their times by default, in megabytes.
const RECORD: u32 = 64;

static DEFAULTS: Options = Options::new(&[]);

impl Options {
    const fn new(list: &'static [u8]) -> Self {
        Self {
            hz: HZ,
            sampler: &[],
            event: &[],
            out: &[],
            live: &[],
            snapshot: 0,
            flush: 0,
            log: &[],
            quiet: false,
            paused: false,
            off: false,
            stacks: 0,
            record: Record { seconds: 0, megabytes: 0 },
            command: true,
            library_calls: None,
            hooks: None,
            times: None,
            times_by_caller: false,
            order: false,
            python: true,
            list,
        }
    }

    /// Returns `true` if nobody asks for anything: neither the user nor `gmon run`.
    pub(crate) fn are_none() -> bool {
        let is_set = |name: &str| {
            environment::variable(name.as_bytes()).is_some_and(|text| !text.is_empty())
        };
        !is_set(options::VARIABLE) && !is_set(ledger::VARIABLE)
    }

    /// The options of this process.
    pub(crate) fn get() -> &'static Self {
        static OPTIONS: OnceRef<'static, Options> = OnceRef::new();
        OPTIONS.get_or_init(|| Self::from_environment().unwrap_or(&DEFAULTS))
    }

    /// `None` if there are none, or no memory for them.
    fn from_environment() -> Option<&'static Self> {
        let text = environment::variable(options::VARIABLE.as_bytes())?;
        // The program may change its environment.
        let copy = Region::map(text.len())?.into_bytes();
        copy.iter_mut().zip(text).for_each(|(place, byte)| *place = *byte);
        Some(Region::map(size_of::<Self>())?.place(Self::read(copy)))
    }

    fn read(list: &'static [u8]) -> Self {
        let mut options = Self::new(list);
        for pair in options::pairs(list) {
            // What is wrong leaves the default, and `say_wrong` tells.
            _ = options.set(&pair);
        }
        // Only the full profile has them.
        let has_more = options.library_calls.is_some()
            || options.times.is_some()
            || options.order
            || options.record.megabytes != 0;
        if has_more && options.stacks == 0 {
            options.stacks = STACKS;
        }
        options
    }

    /// Says what is wrong with the options: only now is it known where to.
    pub(crate) fn say_wrong(&self) {
        let mut ignored = Self::new(self.list);
        for pair in options::pairs(self.list) {
            let start = [b"GMON_OPTIONS: `", pair.text, b"`: "];
            match ignored.set(&pair) {
                Ok(()) => {}
                Err(Wrong::Value(why)) => {
                    message::say(&[start[0], start[1], start[2], why.as_bytes()]);
                }
                Err(Wrong::Key) => {
                    let mut parts: ArrayVec<&[u8], 64> = start.into_iter().collect();
                    parts.push(b"unknown key; known are ");
                    let names = ROWS.iter().enumerate().flat_map(|(i, row)| {
                        let separator: &[u8] = if i == 0 { b"" } else { b", " };
                        [separator, row.name.as_bytes()]
                    });
                    names.for_each(|name| _ = parts.try_push(name));
                    message::say(&parts);
                }
            }
        }
    }

    fn set(&mut self, pair: &Pair<'static>) -> Result<(), Wrong> {
        let value = pair.value;
        match pair.key.ok_or(Wrong::Key)? {
            Key::Hz => {
                self.hz = number(value)
                    .filter(|hz| (1..=HZ_MAX).contains(hz))
                    .ok_or(Wrong::Value("hz must be from 1 to 10000"))?;
            }
            Key::Sampler => {
                self.sampler = value;
                // Waits are on stacks and nowhere else.
                if value == b"wall" && self.stacks == 0 {
                    self.stacks = STACKS;
                }
            }
            Key::Event => self.event = value,
            Key::Out => self.out = value,
            Key::Live => self.live = value,
            Key::Snapshot => {
                self.snapshot = signal(value).ok_or(Wrong::Value(
                    "snapshot must be USR1, USR2, HUP, QUIT, WINCH or the number of a signal",
                ))?;
            }
            Key::Flush => {
                self.flush =
                    number(value).ok_or(Wrong::Value("flush must be a number of seconds"))?;
            }
            Key::Log => self.log = value,
            Key::Quiet => self.quiet = options::is_on(value),
            Key::Command => self.command = options::is_on(value),
            Key::LibraryCalls => {
                self.library_calls = options::is_on(value).then_some(self.list);
            }
            Key::Hooks if value.is_empty() => {
                return Err(Wrong::Value("hooks must be names of functions"));
            }
            Key::Hooks => self.hooks = Some(self.list),
            Key::Times if value.is_empty() => {
                return Err(Wrong::Value("times must be names of functions"));
            }
            Key::Times => self.times = Some(self.list),
            Key::TimesBy if value == b"caller" => self.times_by_caller = true,
            Key::TimesBy => return Err(Wrong::Value("times_by must be caller")),
            Key::Python => self.python = options::is_on(value),
            Key::Order => self.order = options::is_on(value),
            Key::Paused => self.paused = options::is_on(value),
            Key::Off => self.off = options::is_on(value),
            Key::Record => {
                self.record = record(value).ok_or(Wrong::Value(
                    "record must be seconds, as 60s, or megabytes, as 64, at most 4096",
                ))?;
            }
            Key::Stacks => {
                self.stacks = match value {
                    b"" => STACKS,
                    _ => number(value).filter(|megabytes| *megabytes <= STACKS_MAX).ok_or(
                        Wrong::Value("stacks must be a number of megabytes, at most 4096"),
                    )?,
                };
            }
        }
        Ok(())
    }
}

/// Fault of a pair.
enum Wrong {
    /// There is no such key.
    Key,
    /// The value cannot be; why.
    Value(&'static str),
}

/// Samples that a value asks for: those of some seconds, or as many as there is memory for.
fn record(value: &[u8]) -> Option<Record> {
    if value.is_empty() {
        return Some(Record { seconds: 0, megabytes: RECORD });
    }
    match value.strip_suffix(b"s") {
        Some(seconds) => {
            let seconds = number(seconds).filter(|seconds| *seconds != 0)?;
            Some(Record { seconds, megabytes: RECORD })
        }
        None => {
            let megabytes = number(value.strip_suffix(b"MB").unwrap_or(value))?;
            (megabytes <= STACKS_MAX).then_some(Record { seconds: 0, megabytes })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Options {
        Options::read(text.as_bytes())
    }

    #[test]
    fn values_are_read_and_bad_ones_leave_the_default() {
        let options = read("hz=1000,sampler=perf,,snapshot=SIGUSR2,flush=5,out=/tmp/x.%p,log=l");
        assert_eq!((options.hz, options.snapshot, options.flush), (1000, libc::SIGUSR2, 5));
        assert_eq!(
            (options.sampler, options.out, options.log),
            (&b"perf"[..], &b"/tmp/x.%p"[..], &b"l"[..])
        );
        assert!(!options.off && !options.quiet && options.live.is_empty() && options.command);
        assert!(!read("command=0").command && read("command").command);
        assert_eq!(
            ["sampler=wall", "stacks=8,sampler=wall"].map(|list| read(list).stacks),
            [64, 8]
        );
        let options = read("hz=0,snapshot=NOSUCH,flush=x,unknown=1");
        assert_eq!((options.hz, options.snapshot, options.flush), (100, 0, 0));
    }

    #[test]
    fn times_are_kept_for_seconds_or_in_megabytes() {
        for (text, seconds, megabytes, stacks) in [
            ("record", 0, 64, 64),
            ("record=60s,stacks=8", 60, 64, 8),
            ("record=16", 0, 16, 64),
            ("record=16MB", 0, 16, 64),
            ("record=0", 0, 0, 0),
            ("record=0s", 0, 0, 0),
            ("record=5000", 0, 0, 0),
            ("record=x", 0, 0, 0),
        ] {
            let options = read(text);
            assert_eq!(options.record, Record { seconds, megabytes }, "{text}");
            assert_eq!(options.stacks, stacks, "{text}");
        }
    }

    #[test]
    fn switches_are_on_unless_turned_off() {
        for (text, off, quiet) in [
            ("off", true, false),
            ("off=1,quiet", true, true),
            ("off=0,quiet=1", false, true),
            ("quiet,quiet=no", false, false),
        ] {
            let options = read(text);
            assert_eq!((options.off, options.quiet), (off, quiet), "{text}");
        }
    }
}
