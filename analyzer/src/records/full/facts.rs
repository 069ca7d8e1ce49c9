//! Facts in full profiles about their runs: keys and values, added up over runs.

use gmon_format::Date;
use gmon_format::live::Live;

/// Facts about a run, or about several together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    list: Vec<(Vec<u8>, Vec<u8>)>,
    runs: u64,
}

/// Rule for the values that two runs give a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Their sum.
    Sum,
    /// The larger one.
    Most,
    /// The one that comes first in the alphabet.
    First,
    /// The smaller one.
    Least,
    /// The value, if both agree; else none.
    Equal,
    /// Both, one behind the other.
    All,
}

/// The number of runs that a file is of; one if it does not say.
const RUNS: &[u8] = b"runs";

/// The ranks of the threads of a sum, in their order, with commas between them and `-` for none.
pub(crate) const RANKS: &[u8] = b"ranks";

/// The processes of these threads, likewise.
pub(crate) const PROCESSES: &[u8] = b"processes";

/// The processes of a sum, each by what no other has, with slashes between them.
const MEMBERS: &[u8] = b"members";

/// The rule of a key.
fn rule(key: &[u8]) -> Rule {
    match key {
        b"walks" | b"faults" | b"switches" | b"tree_bytes" | b"record_bytes" | b"signals"
        | b"python_runs" | b"python_runs_late" | b"python_runs_left" => Rule::Sum,
        MEMBERS => Rule::All,
        b"max_rss_kb" | b"limit_bytes" => Rule::Most,
        b"origin" => Rule::Least,
        b"started" => Rule::First,
        _ if key.ends_with(b"_ns") => Rule::Sum,
        _ => Rule::Equal,
    }
}

impl RunFacts {
    /// Ranks of a file.
    pub(super) fn of(live: &Live<'_>) -> Self {
        let facts = live.facts().flat_map(|facts| facts.iter());
        let mut facts: Self =
            facts.map(|(key, value)| (key.to_vec(), value.bytes().collect())).collect();
        if facts.get(MEMBERS).is_none() && facts.runs == 1 {
            // A process that executes itself again has the same number, and may have begun in the same second; but
            // its CPU time goes on.
            let what =
                ["host", "pid", "started", "duration_ns", "cpu_ns"].map(|key| facts.get(key));
            if let Some(words) = what.into_iter().collect::<Option<Vec<_>>>() {
                let member = words.join(&b' ');
                facts.set(MEMBERS, member);
            }
        }
        facts
    }

    /// Returns `true` if a process is among those of both.
    pub(super) fn has_member_of(&self, other: &Self) -> bool {
        fn members(of: &RunFacts) -> impl Iterator<Item = &[u8]> {
            let list = of.get(MEMBERS).unwrap_or_default().split(|byte| *byte == b'/');
            list.filter(|it| !it.is_empty())
        }
        members(other).any(|it| members(self).any(|known| known == it))
    }

    /// Adds those of another run.
    pub(super) fn absorb(&mut self, other: Self) {
        if self.runs == 0 {
            *self = other;
            return;
        }
        if other.runs == 0 {
            return;
        }
        self.runs = self.runs.saturating_add(other.runs);
        self.list.retain_mut(|(key, value)| {
            let rule = rule(key);
            match (other.get(key), rule) {
                (None, _) => rule != Rule::Equal,
                (Some(theirs), Rule::Equal) => *value == theirs,
                (Some(theirs), Rule::All) => {
                    value.push(b'/');
                    value.extend_from_slice(theirs);
                    true
                }
                (Some(theirs), Rule::First) => {
                    *value = value.as_slice().min(theirs).to_vec();
                    true
                }
                (Some(theirs), Rule::Sum | Rule::Most | Rule::Least) => {
                    let (Some(a), Some(b)) = (number(value), number(theirs)) else { return false };
                    let both = match rule {
                        Rule::Sum => a.saturating_add(b),
                        Rule::Least => a.min(b),
                        _ => a.max(b),
                    };
                    *value = both.to_string().into_bytes();
                    true
                }
            }
        });
        for (key, value) in other.list {
            if rule(&key) != Rule::Equal && self.get(&key).is_none() {
                self.set(&key, value);
            }
        }
    }

    /// Takes a list with a number for each thread out of those of a file: what it says of the thread at a position, or else
    /// what is true of all.
    pub(super) fn take_list(
        &mut self,
        key: &[u8],
        of_all: Option<u64>,
    ) -> impl Fn(usize) -> Option<u64> + use<> {
        let at = self.list.iter().position(|(known, _)| known == key);
        let (_, text) = at.map(|at| self.list.remove(at)).unwrap_or_default();
        let list: Vec<_> = text.split(|byte| *byte == b',').map(number).collect();
        move |at| list.get(at).copied().flatten().or(of_all)
    }

    /// Keeps what is true of a part of the run, too, which took so long.
    pub(super) fn keep_of_part(&mut self, duration_ns: u64) {
        self.list.retain(|(key, _)| rule(key) != Rule::Sum && key != b"incomplete");
        self.set(b"duration_ns", duration_ns.to_string().into_bytes());
    }

    fn set(&mut self, key: &[u8], value: Vec<u8>) {
        match self.list.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.list.push((key.to_vec(), value)),
        }
    }

    /// Number of runs that they are of; 0 if nothing is known.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<&[u8]> {
        let found = self.list.iter().find(|(known, _)| known == key.as_ref());
        found.map(|(_, value)| value.as_slice())
    }

    /// The command that was run, by its words.
    #[must_use]
    pub fn command(&self) -> Option<Vec<String>> {
        let command = self.get("command").filter(|command| !command.is_empty())?;
        let words = command.strip_suffix(b"\0").unwrap_or(command).split(|byte| *byte == 0);
        Some(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect())
    }

    /// The value of a key, which is a decimal number.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u64> {
        self.get(key).and_then(number)
    }

    /// When the run began, or the first of several, in seconds since 1970.
    #[must_use]
    pub fn started(&self) -> Option<u64> {
        self.get("started").and_then(seconds)
    }

    /// Keys and values, with the number of runs where there are several.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Vec<u8>)> + '_ {
        let runs = (self.runs > 1).then(|| (RUNS, self.runs.to_string().into_bytes()));
        self.list.iter().map(|(key, value)| (key.as_slice(), value.clone())).chain(runs)
    }
}

/// The facts of a file, by its keys and values.
impl FromIterator<(Vec<u8>, Vec<u8>)> for RunFacts {
    fn from_iter<T: IntoIterator<Item = (Vec<u8>, Vec<u8>)>>(list: T) -> Self {
        let mut facts = Self { list: Vec::new(), runs: 1 };
        for (key, value) in list {
            if key == RUNS {
                facts.runs = number(&value).unwrap_or(1);
            } else {
                facts.set(&key, value);
            }
        }
        facts
    }
}

/// The seconds since 1970 of a time that is written like `2023-11-14T22:13:20Z`.
fn seconds(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (date, time) = text.split_once('T')?;
    let fields = |text: &str, mark| -> Option<[i64; 3]> {
        let numbers: Vec<i64> =
            text.split(mark).map(|word| word.parse().ok()).collect::<Option<_>>()?;
        numbers.try_into().ok()
    };
    let ([year, month, day], [hour, minute, second]) = (fields(date, '-')?, fields(time, ':')?);
    let days = Date { year, month, day }.day_from_1970()?;
    u64::try_from(days * 86_400 + hour * 3600 + minute * 60 + second).ok()
}

fn number(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(list: &[(&str, &str)]) -> RunFacts {
        let pair =
            |(key, value): &(&str, &str)| (key.as_bytes().to_vec(), value.as_bytes().to_vec());
        list.iter().map(pair).collect()
    }

    #[test]
    fn times_add_up_and_what_differs_is_left_out() {
        let mut sum = RunFacts::default();
        sum.absorb(facts(&[
            ("cpu_ns", "5"),
            ("pid", "7"),
            ("host", "here"),
            ("max_rss_kb", "30"),
            ("started", "2026-02-01"),
            ("walks", "1"),
        ]));
        sum.absorb(facts(&[
            ("cpu_ns", "6"),
            ("pid", "8"),
            ("host", "here"),
            ("max_rss_kb", "20"),
            ("started", "2026-01-01"),
            ("faults", "3"),
        ]));
        let value_of =
            |key: &str| sum.get(key).map(|value| String::from_utf8_lossy(value).into_owned());
        for (key, value) in [
            ("cpu_ns", Some("11")),
            ("pid", None),
            ("host", Some("here")),
            ("max_rss_kb", Some("30")),
            ("started", Some("2026-01-01")),
            ("walks", Some("1")),
            ("faults", Some("3")),
        ] {
            assert_eq!(value_of(key).as_deref(), value, "{key}");
        }
        assert_eq!((sum.runs(), sum.number("cpu_ns")), (2, Some(11)));
        assert_eq!(
            sum.iter().last().map(|(key, value)| (key.to_vec(), value)),
            Some((b"runs".to_vec(), b"2".to_vec()))
        );
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-28T23:59:59Z", Some(951_782_399)),
            ("2000-02-29T00:00:00Z", Some(951_782_400)),
            ("2023-11-14T22:13:20Z", Some(1_700_000_000)),
            ("2100-03-01T00:00:00Z", Some(4_107_542_400)),
            ("2023-11-14 22:13:20", None),
            ("2023-13-14T22:13:20Z", None),
            ("", None),
        ] {
            assert_eq!(seconds(text.as_bytes()), expected, "{text}");
        }
    }
}
