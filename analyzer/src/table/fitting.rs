//! Text as wide as it stands on a terminal, and what of a row gives way to the terminal's width: names, of which what tells
//! functions apart stays longest, and the indentation of trees.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::signature::{own_name, paths, without_parameters};

/// The columns that a text takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// The columns that are left behind the cells of a row.
#[must_use]
pub fn left(columns: Option<usize>, cells: &str) -> Option<usize> {
    columns.map(|columns| columns.saturating_sub(width(cells)))
}

/// Blanks for a depth in a tree, for a row with so many columns left. Names keep half of them; a number says the depth
/// beyond that.
#[must_use]
pub fn indentation(depth: usize, columns: Option<usize>) -> String {
    /// Width for output that nobody reads on a terminal.
    const MOST: usize = 100;
    let most = columns.map_or(MOST, |columns| columns / 2);
    match depth * 2 {
        indentation if indentation <= most => " ".repeat(indentation),
        _ => format!("{:most$}[{depth}] ", ""),
    }
}

/// The least columns of a name that can be read. Below that, what stands behind it gives way.
const SHORTEST: usize = 8;

/// A name and what stands behind it, in so many columns.
#[must_use]
pub fn fitted(name: &str, behind: &str, columns: Option<usize>) -> String {
    let columns = columns.unwrap_or(usize::MAX);
    if width(name).saturating_add(width(behind)) <= columns {
        return format!("{name}{behind}");
    }
    let room = columns.saturating_sub(width(behind));
    let (room, behind) = if room < SHORTEST { (columns, "") } else { (room, behind) };
    if width(name) <= room {
        return format!("{name}{behind}");
    }
    format!("{}...{behind}", start(name, room.max(SHORTEST).saturating_sub(3)))
}

/// As much of the start of a text as has room.
fn start(text: &str, room: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, c)| {
        taken += c.width().unwrap_or(0);
        taken > room
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// The fullest of several names of a function, the shortest of which is the last, that leaves room for what stands behind
/// it. If there is none, the last goes without parameters, then without the beginning of its path, and is cut at
/// its end after that.
#[must_use]
pub fn fitted_name(names: &[String], behind: &str, columns: Option<usize>) -> String {
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

    #[test]
    fn names_give_way_to_the_width() {
        for (name, behind, columns, expected) in [
            ("function", " [libm.so.6]", None, "function [libm.so.6]"),
            ("a_long_function", " [libm.so.6]", Some(22), "a_long_... [libm.so.6]"),
            ("a_long_function", " [libm.so.6]", Some(15), "a_long_function"),
            ("a_long_function", " [libm.so.6]", Some(12), "a_long_fu..."),
            // Each of these letters is two columns wide, and a combining one is none.
            ("関数の名前", "", Some(10), "関数の名前"),
            ("関数の名前", "", Some(9), "関数の..."),
            ("e\u{301}tude", "", Some(5), "e\u{301}tude"),
        ] {
            assert_eq!(fitted(name, behind, columns), expected, "{name} in {columns:?}");
        }
    }
}
