//! `GMON_OPTIONS`: what a user may ask of the runtime, and how it is written.
//!
//! The value is a list of `key=value`, separated by commas; a value of `libcalls`, `hooks` or `times` may be a list itself. The runtime reads it in the profiled program; the
//! command reads the same list to know where a program writes.

/// The variable of the environment that holds the list.
pub const VARIABLE: &str = "GMON_OPTIONS";

/// Subject of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Samples per second of CPU time.
    Hz,
    /// Sampler to use.
    Sampler,
    /// Event that is sampled instead of time.
    Event,
    /// The name of the data file.
    Out,
    /// The file that the counts live in.
    Live,
    /// The signal at which the profile is written.
    Snapshot,
    /// Interval at which the profile is written while the program runs.
    Flush,
    /// The call stacks of samples, and how much memory they may take.
    Stacks,
    /// The times of samples, and how many of them are kept.
    Record,
    /// Calls into shared libraries, of all functions or of those that fit patterns.
    LibraryCalls,
    /// Hooks that sleep otherwise and are awake from the start.
    Hooks,
    /// Functions whose calls are timed.
    Times,
    /// Grouping of times of calls, by caller.
    TimesBy,
    /// The order in which functions are first called.
    Order,
    /// Functions of Python in stacks.
    Python,
    /// Keeping of the program's arguments.
    Command,
    /// The file that the runtime's messages go to.
    Log,
    /// No messages.
    Quiet,
    /// A profile that counts nothing until it is switched on.
    Paused,
    /// No profile.
    Off,
}

/// An option: its key, the word that the user writes, and what stands behind `=`, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// Subject.
    pub key: Key,
    /// The word before `=`.
    pub name: &'static str,
    /// Value behind `=`, in capitals; `None` for a switch, which needs nothing there.
    pub value: Option<&'static str>,
}

/// All options, in the order in which messages and the documentation list them.
pub const ROWS: &[OptionRow] = &[
    OptionRow { key: Key::Hz, name: "hz", value: Some("N") },
    OptionRow { key: Key::Sampler, name: "sampler", value: Some("NAME") },
    OptionRow { key: Key::Event, name: "event", value: Some("NAME") },
    OptionRow { key: Key::Out, name: "out", value: Some("PATTERN") },
    OptionRow { key: Key::Live, name: "live", value: Some("PATTERN") },
    OptionRow { key: Key::Snapshot, name: "snapshot", value: Some("SIGNAL") },
    OptionRow { key: Key::Flush, name: "flush", value: Some("SECONDS") },
    OptionRow { key: Key::Stacks, name: "stacks", value: Some("MB") },
    OptionRow { key: Key::Record, name: "record", value: Some("SECONDS") },
    OptionRow { key: Key::LibraryCalls, name: "libcalls", value: Some("PATTERN") },
    OptionRow { key: Key::Hooks, name: "hooks", value: Some("PATTERN") },
    OptionRow { key: Key::Times, name: "times", value: Some("PATTERN") },
    OptionRow { key: Key::TimesBy, name: "times_by", value: Some("caller") },
    OptionRow { key: Key::Order, name: "order", value: None },
    OptionRow { key: Key::Python, name: "python", value: Some("no") },
    OptionRow { key: Key::Command, name: "command", value: Some("0") },
    OptionRow { key: Key::Log, name: "log", value: Some("PATTERN") },
    OptionRow { key: Key::Quiet, name: "quiet", value: None },
    OptionRow { key: Key::Paused, name: "paused", value: None },
    OptionRow { key: Key::Off, name: "off", value: None },
];

/// A member of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<'a> {
    /// All of it, for messages.
    pub text: &'a [u8],
    /// The option; `None` if no option has this name.
    pub key: Option<Key>,
    /// Value behind `=`; empty if there is none.
    pub value: &'a [u8],
}

/// The members of a list, in their order.
pub fn pairs(list: &[u8]) -> impl DoubleEndedIterator<Item = Pair<'_>> + Clone {
    list.split(|byte| *byte == b',').filter(|text| !text.is_empty()).map(|text| {
        let mut halves = text.splitn(2, |byte| *byte == b'=');
        let name = halves.next().unwrap_or_default();
        let value = halves.next().unwrap_or_default();
        // Patterns of functions or of calls into libraries are a list in the list: those behind the first have no key of
        // their own.
        let has_key = name.len() < text.len() && !name.contains(&b':') || row(name).is_some();
        let before = key_before(list, text).filter(|_| !has_key);
        if let Some(key @ (Key::Hooks | Key::Times)) = before {
            return Pair { text, key: Some(key), value: text };
        }
        if name.contains(&b':') {
            return Pair { text, key: Some(Key::LibraryCalls), value: text };
        }
        Pair { text, key: row(name).map(|row| row.key), value }
    })
}

fn row(name: &[u8]) -> Option<&'static OptionRow> {
    ROWS.iter().find(|row| row.name.as_bytes() == name)
}

/// The last key that stands in a list before one of its members.
fn key_before(list: &[u8], member: &[u8]) -> Option<Key> {
    let at = (member.as_ptr() as usize).checked_sub(list.as_ptr() as usize)?;
    let before = list.get(..at)?.split(|byte| *byte == b',').rev();
    let mut names = before.filter_map(|text| text.split(|byte| *byte == b'=').next());
    names.find_map(|name| row(name).map(|row| row.key))
}

/// The value that a list gives an option: where it gives several, the last. `None` if it gives none, or an
/// empty one.
#[must_use]
pub fn value(list: &[u8], key: Key) -> Option<&[u8]> {
    let last = pairs(list).rev().find(|pair| pair.key == Some(key))?;
    Some(last.value).filter(|value| !value.is_empty())
}

/// Returns `true` if a switch with this value is on: `quiet` and `quiet=1` are, `quiet=0` is not.
#[must_use]
pub fn is_on(value: &[u8]) -> bool {
    !matches!(value, b"0" | b"no" | b"false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_without_a_key_belong_to_the_list_before_them() {
        let list =
            b"hooks=parse_*,a::b,*,quiet,x,libcalls=libc*:*,libz*:z,hz=9,nokey,hooks=y,new=1";
        let keys = pairs(list).map(|pair| (pair.key, pair.value));
        let expected: [(Option<Key>, &[u8]); 11] = [
            (Some(Key::Hooks), b"parse_*"),
            (Some(Key::Hooks), b"a::b"),
            (Some(Key::Hooks), b"*"),
            (Some(Key::Quiet), b""),
            (None, b""),
            (Some(Key::LibraryCalls), b"libc*:*"),
            (Some(Key::LibraryCalls), b"libz*:z"),
            (Some(Key::Hz), b"9"),
            (None, b""),
            (Some(Key::Hooks), b"y"),
            (None, b"1"),
        ];
        assert!(keys.eq(expected));
    }
}
