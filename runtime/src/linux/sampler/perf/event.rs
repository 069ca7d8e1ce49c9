//! The events other than time that a thread can be sampled by. An event is one row.
//!
//! A file's bins are narrow, so what happens often is counted by the thousand or the million; the
//! dimension's name says so. What happens rarely is counted one by one.
//!
//! *Context:* any.

use gmon_system::platform::perf::{HARDWARE, SOFTWARE, Source};

/// An event.
pub(in super::super) struct Event {
    /// Name in `GMON_OPTIONS`.
    pub(super) name: &'static str,
    pub(super) source: Source,
    /// Events that a count of 1 in the histogram stands for.
    pub(super) unit: u64,
    /// The unit's name, padded with NUL.
    pub(super) dimension: [u8; 15],
    pub(super) abbreviation: u8,
    /// True if it happens in the kernel only.
    pub(super) is_the_kernels: bool,
}

const MILLION: u64 = 1_000_000;
const THOUSAND: u64 = 1_000;

/// All events: `PERF_COUNT_HW_*` and `PERF_COUNT_SW_*` in perf_event_open(2).
pub(super) static EVENTS: [Event; 12] = [
    hardware("cycles", 0, MILLION, b"Mcycles", b'c'),
    hardware("instructions", 1, MILLION, b"Minstructions", b'i'),
    hardware("cache-references", 2, THOUSAND, b"kcache-refs", b'r'),
    hardware("cache-misses", 3, THOUSAND, b"kcache-misses", b'm'),
    hardware("branches", 4, MILLION, b"Mbranches", b'b'),
    hardware("branch-misses", 5, THOUSAND, b"kbranch-misses", b'm'),
    software("page-faults", 2, b"page-faults", b'f'),
    software("minor-faults", 5, b"minor-faults", b'f'),
    software("major-faults", 6, b"major-faults", b'f'),
    software("alignment-faults", 7, b"align-faults", b'f'),
    Event { is_the_kernels: true, ..software("context-switches", 3, b"ctx-switches", b'w') },
    Event { is_the_kernels: true, ..software("cpu-migrations", 4, b"migrations", b'g') },
];

/// The names of all events, for the user.
pub(in super::super) const NAMES: &str = "cycles, instructions, cache-references, cache-misses, branches, \
    branch-misses, page-faults, minor-faults, major-faults, alignment-faults, context-switches and \
    cpu-migrations";

/// The event of a name.
pub(in super::super) fn find(name: &[u8]) -> Option<&'static Event> {
    EVENTS.iter().find(|event| event.name.as_bytes() == name)
}

const fn hardware(
    name: &'static str,
    config: u64,
    unit: u64,
    dimension: &[u8],
    abbreviation: u8,
) -> Event {
    let source = Source { kind: HARDWARE, config };
    let dimension = padded(dimension);
    Event { name, source, unit, dimension, abbreviation, is_the_kernels: false }
}

const fn software(name: &'static str, config: u64, dimension: &[u8], abbreviation: u8) -> Event {
    let source = Source { kind: SOFTWARE, config };
    let dimension = padded(dimension);
    Event { name, source, unit: 1, dimension, abbreviation, is_the_kernels: false }
}

const fn padded(name: &[u8]) -> [u8; 15] {
    let mut padded = [0; 15];
    let mut i = 0;
    while i < name.len() {
        padded[i] = name[i];
        i += 1;
    }
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_table() {
        assert_eq!(NAMES.replace(" and ", ", ").split(", ").count(), EVENTS.len());
        for event in &EVENTS {
            assert!(NAMES.contains(event.name) && find(event.name.as_bytes()).is_some());
            assert_eq!(event.dimension.last(), Some(&0), "{}: longer than the field", event.name);
        }
        assert!(find(b"").is_none() && find(b"cycle").is_none());
    }
}
