//! What gives way where a row is wider than a terminal: names, of which what tells functions apart stays longest, and the
//! indentation of trees.

use crate::signature::{own_name, paths, without_parameters};
use crate::text::fitted;

/// The cells of a row, and as much behind them as the depth in a tree indents its name. Names keep half of what is left;
/// a number says the depth beyond that.
pub(super) fn indented(cells: &str, depth: usize, columns: Option<usize>) -> String {
    /// Where nobody reads it on a terminal.
    const MOST: usize = 100;
    let most = columns.map_or(MOST, |columns| columns.saturating_sub(cells.len()) / 2);
    match depth * 2 {
        indentation if indentation <= most => format!("{cells}{:indentation$}", ""),
        _ => format!("{cells}{:most$}[{depth}] ", ""),
    }
}

/// What stands behind a name gives way only to a readable part of it.
const SHORTEST: usize = 8;

/// The fullest of several names of a function, the shortest of which is the last, that leaves room for what stands behind
/// it. If there is none, the last goes without parameters, then without the beginning of its path, and is cut at
/// its end after that.
pub(super) fn fitted_name(names: &[String], behind: &str, columns: Option<usize>) -> String {
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return String::new() };
    let Some(columns) = columns else { return format!("{first}{behind}") };
    let room = columns.saturating_sub(width(behind));
    if let Some(name) = shortened(names, last, room) {
        return format!("{name}{behind}");
    }
    if room >= SHORTEST {
        return format!("{}{behind}", fitted(own_name(last), "", Some(room)));
    }
    let alone = shortened(names, last, columns);
    alone.unwrap_or_else(|| fitted(own_name(last), "", Some(columns)))
}

/// A form of the name that is not longer.
fn shortened(names: &[String], last: &str, room: usize) -> Option<String> {
    let bare = without_parameters(last);
    let whole = names.iter().map(String::as_str).chain([bare]).map(str::to_owned);
    let ends = paths(bare).into_iter().map(|start| format!("...{}", &bare[start..]));
    whole.chain(ends).find(|name| width(name) <= room)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_functions_apart_stays_longest() {
        let names = ["geo::Grid<double>::area(int) const", "geo::Grid<_>::area(int) const"];
        let names = names.map(str::to_owned);
        for (columns, expected) in [
            (40, "geo::Grid<double>::area(int) const [x]"),
            (37, "geo::Grid<_>::area(int) const [x]"),
            (30, "geo::Grid<_>::area [x]"),
            (21, "...::area [x]"),
            (12, "area [x]"),
        ] {
            assert_eq!(fitted_name(&names, " [x]", Some(columns)), expected, "{columns}");
        }
        assert_eq!(fitted_name(&names, " [x]", None), format!("{} [x]", names[0]));
        let long = ["std::a_long_function(int)".to_owned()];
        assert_eq!(fitted_name(&long, " [libstdc++.so.6]", Some(24)), "std::a_long_function");
        assert_eq!(fitted_name(&long, " [libm.so.6]", Some(22)), "a_long_... [libm.so.6]");
        assert_eq!(fitted_name(&long, "", Some(9)), "a_long...");
    }
}
