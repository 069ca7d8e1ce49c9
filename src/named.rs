//! Names of functions: as they are shown, and as users call them.

use std::cmp::Reverse;

use gmon_analyzer::Measurement;
use gmon_analyzer::profile::{Function, FunctionId};
use gmon_analyzer::report::NameStyle;
use gmon_analyzer::signature::without_parameters;

use crate::text::harmless;

/// The functions that were called or seen and that a user calls so, those with the most time first.
pub(crate) fn find(measurement: &Measurement, name: &str, style: NameStyle) -> Vec<FunctionId> {
    let functions = (0..).map(FunctionId).zip(measurement.contexts().functions());
    let is_meant = |(id, function): &(FunctionId, &Function)| {
        let is_called = || is_called(&readable(measurement, *id, style), name);
        function.incomplete.is_none() && (*function.name == *name.as_bytes() || is_called())
    };
    let mut found: Vec<_> = functions.filter(is_meant).map(|(id, _)| id).collect();
    found.sort_by_key(|&id| Reverse(measurement.stack_costs().total(id).weight));
    found
}

/// The name of a function in the words of its source.
pub(crate) fn readable(measurement: &Measurement, id: FunctionId, style: NameStyle) -> String {
    let function = &measurement.contexts().functions()[id.index()];
    if let Some(incomplete) = function.incomplete {
        return format!("[not followed: {}]", incomplete.reason());
    }
    let program = function.module.and_then(|id| measurement.modules().get(id).program());
    let name = match program {
        Some(program) => {
            let (symbols, lines) = (program.symbols(), program.lines());
            let symbol = function.address.and_then(|address| symbols.find(address));
            let symbol = symbol.filter(|id| *symbols.get(*id).name == *function.name);
            match symbol {
                Some(id) => style.name_of(symbols, lines, id),
                None => style.name_of_inlined(lines, &function.name),
            }
        }
        None => style.demangling.demangle_to(style.detail, &function.name),
    };
    harmless(&String::from_utf8_lossy(&name)).into_owned()
}

/// Returns `true` if `name` is what a function is called in the source: with or without its arguments,
/// its template arguments, and what it is a part of.
pub(crate) fn is_called(full: &str, name: &str) -> bool {
    let bare = without_parameters(full);
    let plain = without_template_arguments(bare);
    [full, bare, &plain].into_iter().any(|form| is_end(form, name))
}

/// Returns `true` if a name is all of another, or what follows a scope or a type in it.
fn is_end(full: &str, name: &str) -> bool {
    let before = full.strip_suffix(name);
    before.is_some_and(|it| it.is_empty() || it.ends_with("::") || it.ends_with([' ', '.']))
}

/// The name without what stands between angle brackets, unless they are an operator's.
fn without_template_arguments(name: &str) -> String {
    if name.contains("operator<") || name.contains("operator>") || name.contains("operator-") {
        return name.to_owned();
    }
    let mut depth = 0_usize;
    let outside = name.chars().filter(|c| {
        let before = depth;
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before == 0 && depth == 0
    });
    outside.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_several_names() {
        for (full, names) in [
            ("main", &["main"][..]),
            ("fill(int, char const*)", &["fill", "fill(int, char const*)"]),
            (
                "ns::Box<int>::area() const",
                &["area", "Box<int>::area", "Box::area", "ns::Box::area", "ns::Box<int>::area"],
            ),
            ("(anonymous namespace)::shown(Any const&)", &["shown", "shown(Any const&)"]),
            ("int twice<int>(int)", &["twice", "twice<int>", "int twice<int>(int)"]),
            ("Less::operator()(int, int) const", &["operator()", "Less::operator()"]),
            ("std::operator<(A const&)", &["operator<", "std::operator<"]),
            ("call(void (*)(int))", &["call"]),
            ("<prog::Item as core::fmt::Display>::fmt", &["fmt"]),
            ("prog::work::{{closure}}", &["{{closure}}", "work::{{closure}}"]),
        ] {
            for name in names {
                assert!(is_called(full, name), "{full} is {name}");
            }
        }
        for (full, name) in [
            ("refill", "fill"),
            ("fill(int)", "int"),
            ("ns::fill", "ns"),
            ("f(a)::g", "f"),
            ("<impl Fn() as Call>::call", "Fn"),
        ] {
            assert!(!is_called(full, name), "{full} is not {name}");
        }
    }
}
