//! What an example says that its profile must show, and the comparison with a report.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{Entry, Relative, Report};

/// A number of calls.
#[derive(Clone, Debug)]
pub enum Count {
    /// Known before the program runs.
    Exactly(u64),
    /// Counted by the program itself, which prints this text and the number.
    Printed(String),
}

/// Whose call it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Caller {
    /// A function of the program.
    Function(String),
    /// The C library or the kernel.
    Outside,
}

/// One claim of an example about its profile.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// So many calls along an arc, and perhaps so many to the callee in all.
    Arc { caller: Caller, callee: String, count: Count, total: Option<u64> },
    /// Every function whose name begins with `prefix`, `callees` of them, is called so often.
    Fanout { caller: String, prefix: String, callees: usize, count: Count },
    /// So many calls of a function, recursive ones included.
    Calls { function: String, count: Count },
    /// A cycle of exactly these functions, called so often from outside and within.
    Cycle { members: Vec<String>, outside: u64, within: u64 },
}

/// The expectations of one run.
pub struct Check<'a> {
    /// What the example claims.
    pub expectations: &'a [Expectation],
    /// What the program wrote to its standard output.
    pub printed: &'a str,
    /// The function that stands for callers outside the program, if one does.
    pub outside: Option<&'a str>,
}

impl Check<'_> {
    /// Everything in which `report` differs from the expectations, one sentence each.
    pub fn differences(&self, report: &Report) -> Vec<String> {
        let mut differences = Vec::new();
        for expectation in self.expectations {
            if let Err(difference) = self.compare(expectation, report) {
                differences.push(difference);
            }
        }
        for (function, count) in self.calls_in_all() {
            if let Err(difference) = calls_in_all_are(function, count, report) {
                differences.push(difference);
            }
        }
        differences
    }

    fn compare(&self, expectation: &Expectation, report: &Report) -> Result<(), String> {
        match expectation {
            Expectation::Arc { caller, callee, count, total } => {
                let count = self.number(count)?;
                match (caller, self.outside) {
                    (Caller::Function(caller), _) => {
                        Arc { caller, callee, count, total: *total }.is_in_both_entries(report)
                    }
                    (Caller::Outside, Some(caller)) => {
                        // Nobody calls it and it takes no time: it has no entry of its own.
                        Arc { caller, callee, count, total: *total }.is_in_callee_entry(report)
                    }
                    (Caller::Outside, None) => self.calls_by_library_are(callee, count, report),
                }
            }
            Expectation::Fanout { caller, prefix, callees, count } => {
                let count = self.number(count)?;
                let entry = entry(caller, report)?;
                let reached: Vec<&Relative> =
                    entry.callees.iter().filter(|callee| callee.name.starts_with(prefix)).collect();
                same(&format!("functions {prefix}* called by {caller}"), *callees, reached.len())?;
                reached.iter().try_for_each(|callee| {
                    Arc { caller, callee: &callee.name, count, total: Some(count) }
                        .is_in_both_entries(report)
                })
            }
            // Compared together with the sums of the arcs.
            Expectation::Calls { .. } => Ok(()),
            Expectation::Cycle { members, outside, within } => {
                cycle_is(members, *outside, *within, report)
            }
        }
    }

    /// Calls in all of every function that the expectations say it of: outright, or by listing the
    /// arcs that lead to it.
    fn calls_in_all(&self) -> BTreeMap<&str, u64> {
        let mut calls = BTreeMap::new();
        for expectation in self.expectations {
            if let Expectation::Arc { callee, count, .. } = expectation {
                *calls.entry(callee.as_str()).or_default() += self.number(count).unwrap_or(0);
            }
        }
        for expectation in self.expectations {
            if let Expectation::Calls { function, count } = expectation {
                calls.insert(function, self.number(count).unwrap_or(0));
            }
        }
        calls
    }

    fn number(&self, count: &Count) -> Result<u64, String> {
        match count {
            Count::Exactly(number) => Ok(*number),
            Count::Printed(subject) => self
                .printed
                .lines()
                .find_map(|line| line.strip_prefix(subject.as_str())?.trim().parse().ok())
                .ok_or_else(|| format!("the program did not print a count of {subject}")),
        }
    }

    /// In a static program whoever is outside is some function of the C library.
    fn calls_by_library_are(
        &self,
        callee: &str,
        count: u64,
        report: &Report,
    ) -> Result<(), String> {
        let own = self.functions();
        let callers = report.entry(callee).map_or(&[][..], |entry| &entry.callers);
        let of_library = callers.iter().filter(|caller| !own.contains(caller.name.as_str()));
        let sum: u64 = of_library.map(|caller| caller.count).sum();
        same(&format!("calls of {callee} by the C library"), count, sum)
    }

    /// The functions of the example itself, as far as the expectations name them.
    fn functions(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for expectation in self.expectations {
            if let Expectation::Arc { caller, callee, .. } = expectation {
                names.insert(callee.as_str());
                if let Caller::Function(caller) = caller {
                    names.insert(caller);
                }
            }
        }
        names
    }
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, want: T, is: T) -> Result<(), String> {
    if want == is { Ok(()) } else { Err(format!("{what}: expected {want}, the report says {is}")) }
}

fn entry<'a>(function: &str, report: &'a Report) -> Result<&'a Entry, String> {
    report.entry(function).ok_or_else(|| format!("no call-graph entry for {function}"))
}

/// An arc with its numbers known.
struct Arc<'a> {
    caller: &'a str,
    callee: &'a str,
    count: u64,
    total: Option<u64>,
}

impl Arc<'_> {
    /// An arc appears twice, in the entries of both functions, and must be the same in both.
    fn is_in_both_entries(&self, report: &Report) -> Result<(), String> {
        let Self { caller, callee, count, .. } = *self;
        let shown = report.entry(caller).map_or(0, |entry| calls_by(&entry.callees, callee));
        same(&format!("calls {caller} -> {callee} in the entry of {caller}"), count, shown)?;
        self.is_in_callee_entry(report)
    }

    fn is_in_callee_entry(&self, report: &Report) -> Result<(), String> {
        let Self { caller, callee, count, total } = *self;
        let callers = report.entry(callee).map_or(&[][..], |entry| &entry.callers);
        let shown = calls_by(callers, caller);
        same(&format!("calls {caller} -> {callee} in the entry of {callee}"), count, shown)?;
        let Some(total) = total else { return Ok(()) };
        let line = callers.iter().find(|relative| relative.name == caller);
        let shown = line.and_then(|relative| relative.total).unwrap_or(0);
        same(&format!("total of calls {caller} -> {callee}"), total, shown)
    }
}

fn calls_by(relatives: &[Relative], name: &str) -> u64 {
    relatives.iter().filter(|relative| relative.name == name).map(|relative| relative.count).sum()
}

/// The entry's own line, the sum of its callers and the flat profile must agree.
fn calls_in_all_are(function: &str, count: u64, report: &Report) -> Result<(), String> {
    let Some(entry) = report.entry(function) else {
        return same(&format!("calls of {function}"), count, 0);
    };
    same(&format!("calls of {function}"), count, entry.calls + entry.self_calls)?;
    let listed: u64 = entry.callers.iter().map(|caller| caller.count).sum();
    same(&format!("calls of {function} by its callers"), count, listed)?;
    let line = report.flat.iter().find(|line| line.name == function);
    let flat = line.and_then(|line| line.calls).unwrap_or(0);
    same(&format!("calls of {function} in the flat profile"), count - entry.self_calls, flat)
}

fn cycle_is(members: &[String], outside: u64, within: u64, report: &Report) -> Result<(), String> {
    let what = format!("cycle of {}", members.join(", "));
    let number = entry(&members[0], report)?.cycle.ok_or_else(|| format!("no {what}"))?;
    let of_cycle = report.entries.iter().filter(|entry| entry.cycle == Some(number));
    let names: BTreeSet<&str> = of_cycle.map(|entry| entry.name.as_str()).collect();
    if names != members.iter().map(String::as_str).collect() {
        return Err(format!("{what}: the report says {names:?}"));
    }
    let whole = report.cycles.iter().find(|cycle| cycle.number == number);
    let whole = whole.ok_or_else(|| format!("{what} has no entry"))?;
    same(&format!("calls into the {what}"), outside, whole.calls)?;
    same(&format!("calls within the {what}"), within, whole.calls_within)
}
