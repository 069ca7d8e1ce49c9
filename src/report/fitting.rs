//! What gives way where a row is wider than a terminal: names, of which what tells functions apart stays longest, and the
//! indentation of trees.

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

/// The name without the names around it, and without its parameters.
fn own_name(name: &str) -> &str {
    let bare = without_parameters(name);
    paths(bare).last().map_or(bare, |start| &bare[start + "::".len()..])
}

/// A function of C++ without its parameters.
fn without_parameters(name: &str) -> &str {
    let endings = [" const", " volatile", " &&", " &", "[abi:cxx11]"];
    let mut rest = name;
    while let Some(shorter) = endings.iter().find_map(|ending| rest.strip_suffix(ending)) {
        rest = shorter;
    }
    if !rest.ends_with(')') {
        return name;
    }
    let mut depth = 0_u32;
    for (position, letter) in rest.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let bare = &rest[..position];
            let is_part_of_name =
                bare.is_empty() || bare.ends_with("operator") || bare.ends_with("::");
            return if is_part_of_name { name } else { bare };
        }
    }
    name
}

/// Where each `::` is that parts the names around a function, and not those in brackets.
fn paths(name: &str) -> Vec<usize> {
    let mut depth = 0_u32;
    let mut paths = Vec::new();
    for (position, letter) in name.char_indices() {
        if depth == 0 && is_operator(name, position) {
            break;
        }
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && name[position..].starts_with("::") => paths.push(position),
            _ => {}
        }
    }
    paths
}

/// Whether the name of an operator begins here, which may have any of the brackets and is the last part.
fn is_operator(name: &str, position: usize) -> bool {
    let (before, here) = name.split_at(position);
    let is_whole = before.is_empty() || before.ends_with("::") || before.ends_with(' ');
    let behind = here.strip_prefix("operator").filter(|_| is_whole);
    behind.is_some_and(|it| !it.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
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

    #[test]
    fn parameters_and_paths_are_those_of_the_function() {
        for (name, bare, own) in [
            ("main", "main", "main"),
            ("a::b(int, c::d(*)(e)) const", "a::b", "b"),
            ("operator()", "operator()", "operator()"),
            ("T<a::b>::operator()(int) const", "T<a::b>::operator()", "operator()"),
            ("x::operator<(x const&)", "x::operator<", "operator<"),
            ("(anonymous namespace)::f()", "(anonymous namespace)::f", "f"),
            ("operators::find(int)", "operators::find", "find"),
            ("f[abi:cxx11](int)", "f[abi:cxx11]", "f[abi:cxx11]"),
            ("<Vec<_> as Drop>::drop", "<Vec<_> as Drop>::drop", "drop"),
            ("core::iter::{closure#0}", "core::iter::{closure#0}", "{closure#0}"),
            ("libfoo.so+0x1234", "libfoo.so+0x1234", "libfoo.so+0x1234"),
        ] {
            assert_eq!((without_parameters(name), own_name(name)), (bare, own));
        }
    }
}
