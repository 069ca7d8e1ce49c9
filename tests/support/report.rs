//! Reads flat profile and call graph as GNU gprof prints them, back into numbers.

/// A line of the flat profile.
#[derive(Debug)]
pub struct FlatLine {
    /// The function, demangled.
    pub name: String,
    /// Share of all time that was spent in the function itself.
    pub percent: f64,
    /// Seconds spent in the function itself, as printed: to hundredths.
    pub seconds: f64,
    /// Calls without direct recursion; `None` where the column is empty.
    pub calls: Option<u64>,
}

/// One side of a call-graph entry: somebody who calls, or is called by, the entry's function.
#[derive(Debug)]
pub struct Relative {
    /// The function, demangled.
    pub name: String,
    /// Calls along this arc.
    pub count: u64,
    /// All calls to the callee; absent for arcs within a cycle and for direct recursion.
    pub total: Option<u64>,
}

/// A function in the call graph, with its callers and callees.
#[derive(Debug)]
pub struct Entry {
    /// The function, demangled.
    pub name: String,
    /// The number of the cycle it belongs to.
    pub cycle: Option<u32>,
    /// Calls without direct recursion.
    pub calls: u64,
    /// Calls of the function by itself.
    pub self_calls: u64,
    /// Who calls it.
    pub callers: Vec<Relative>,
    /// Whom it calls.
    pub callees: Vec<Relative>,
}

/// A cycle as a whole.
#[derive(Debug)]
pub struct Cycle {
    /// Its number.
    pub number: u32,
    /// Calls from outside into the cycle.
    pub calls: u64,
    /// Calls among its members.
    pub calls_within: u64,
}

/// A flat profile and a call graph.
#[derive(Debug, Default)]
pub struct Report {
    /// The lines of the flat profile.
    pub flat: Vec<FlatLine>,
    /// The entries of the call graph.
    pub entries: Vec<Entry>,
    /// Its cycles.
    pub cycles: Vec<Cycle>,
}

impl Report {
    /// Reads the output of `gprof -b`.
    ///
    /// # Panics
    ///
    /// If the text is not laid out as such an output is.
    pub fn parse(text: &str) -> Self {
        let mut report = Self::default();
        let mut sections = text.split('\x0c');
        let flat = sections.next().unwrap_or_default();
        if let Some((_, lines)) = flat.split_once("  name    \n") {
            report.flat = lines.lines().filter(|line| !line.is_empty()).map(flat_line).collect();
        }
        let graph = sections.next().unwrap_or_default();
        if let Some((_, blocks)) = graph.split_once("called     name\n") {
            for block in blocks.split("-----------------------------------------------\n") {
                report.add_block(block);
            }
        }
        report
    }

    /// The call-graph entry of `function`.
    pub fn entry(&self, function: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == function)
    }

    fn add_block(&mut self, block: &str) {
        let lines: Vec<&str> = block.lines().filter(|line| !line.is_empty()).collect();
        let Some(primary) = lines.iter().position(|line| line.starts_with('[')) else { return };
        let (calls, name) = called_and_name(lines[primary]);
        if let Some(number) = name.strip_prefix("<cycle ").and_then(|rest| rest.split(' ').next()) {
            let Called { count, within, .. } = calls;
            let number = number.parse().expect("a cycle's number");
            self.cycles.push(Cycle { number, calls: count, calls_within: within });
            return;
        }
        let (name, cycle) = without_marks(name);
        self.entries.push(Entry {
            name: name.to_owned(),
            cycle,
            calls: calls.count,
            self_calls: calls.within,
            callers: lines[..primary].iter().filter_map(|line| relative(line)).collect(),
            callees: lines[primary + 1..].iter().filter_map(|line| relative(line)).collect(),
        });
    }
}

/// The third column from the right: `N`, `N+M` or `N/M`.
struct Called {
    count: u64,
    within: u64,
    total: Option<u64>,
}

fn flat_line(line: &str) -> FlatLine {
    let mut rest = line;
    let mut next = || {
        rest = rest.trim_start();
        let (field, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        rest = after;
        field
    };
    let mut number = || next().parse().unwrap_or_else(|_| panic!("no time in {line:?}"));
    let (percent, _cumulative, seconds): (f64, f64, f64) = (number(), number(), number());
    // Without calls, three blank columns follow and then the name: no digit begins a name.
    let name = rest.trim_start();
    if !name.starts_with(|c: char| c.is_ascii_digit()) {
        return FlatLine { name: name.to_owned(), percent, seconds, calls: None };
    }
    let mut next = || {
        rest = rest.trim_start();
        let (field, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        rest = after;
        field
    };
    let calls = next().parse().unwrap_or_else(|_| panic!("no calls in {line:?}"));
    let (_self_per_call, _total_per_call) = (next(), next());
    FlatLine { name: rest.trim_start().to_owned(), percent, seconds, calls: Some(calls) }
}

fn relative(line: &str) -> Option<Relative> {
    if line.trim() == "<spontaneous>" {
        return None;
    }
    let (called, name) = called_and_name(line);
    let (name, _) = without_marks(name);
    Some(Relative { name: name.to_owned(), count: called.count, total: called.total })
}

/// Splits a call-graph line behind its times, which take the first 29 columns.
fn called_and_name(line: &str) -> (Called, &str) {
    let rest = line.get(29..).unwrap_or_else(|| panic!("too short: {line:?}")).trim_start();
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no count in {line:?}"));
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return (Called { count: 0, within: 0, total: None }, rest);
    }
    let (counts, name) = rest.split_once(' ').unwrap_or_else(|| panic!("no name in {line:?}"));
    let called = if let Some((count, within)) = counts.split_once('+') {
        Called { count: number(count), within: number(within), total: None }
    } else if let Some((count, total)) = counts.split_once('/') {
        Called { count: number(count), within: 0, total: Some(number(total)) }
    } else {
        Called { count: number(counts), within: 0, total: None }
    };
    (called, name.trim_start())
}

/// `name <cycle 1> [3]` is the name, the cycle, and a number of no interest.
fn without_marks(name: &str) -> (&str, Option<u32>) {
    let name = match name.rsplit_once(' ') {
        Some((name, index)) if index.starts_with(['[', '(']) => name,
        _ => name,
    };
    match name.rsplit_once(" <cycle ") {
        Some((name, number)) => (name, number.trim_end_matches('>').parse().ok()),
        None => (name, None),
    }
}
