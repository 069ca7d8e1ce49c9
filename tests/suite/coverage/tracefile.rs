//! Executions by line, from the formats of lcov and gcov.

use std::collections::BTreeMap;

/// Executions of lines.
pub(crate) type Lines = BTreeMap<u32, u64>;

/// The lines of the source with this name in a tracefile of lcov.
pub(crate) fn of_lcov(text: &str, source: &str) -> Lines {
    let mut is_wanted = false;
    let mut lines = Lines::new();
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            is_wanted = path.ends_with(source);
        }
        let counted = line.strip_prefix("DA:").and_then(|line| line.split_once(','));
        if let Some((number, count)) = counted.filter(|_| is_wanted) {
            lines.insert(number.parse().expect("a line"), count.parse().expect("a count"));
        }
    }
    lines
}

/// The lines in the output of `gcov -t`: COUNT:LINE:TEXT. What follows for each instance of a template
/// was counted before.
pub(crate) fn of_gcov(text: &str, source: &str) -> Lines {
    let mut is_wanted = false;
    let mut lines = Lines::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').map(str::trim);
        let (Some(count), Some(number)) = (fields.next(), fields.next()) else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        if number == 0 {
            let named = fields.next().and_then(|text| text.strip_prefix("Source:"));
            is_wanted = named.map_or(is_wanted, |path| path.ends_with(source));
        }
        // `-` has no code; `#####` and `=====` was not executed; `*` has blocks that were not.
        if number != 0 && count != "-" && is_wanted {
            let count = count.trim_end_matches('*').parse().unwrap_or(0);
            lines.entry(number).or_insert(count);
        }
    }
    lines
}
