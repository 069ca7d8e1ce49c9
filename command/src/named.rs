//! Names of functions: as they are shown, and as users call them.

use std::cmp::Reverse;

use gmon_analyzer::Model;
use gmon_analyzer::model::{Function, FunctionId, Kind};
use gmon_analyzer::signature::without_parameters;
use gmon_analyzer::symbols::shorten;

use crate::naming::Naming;
use crate::text::harmless;

/// The functions that were called or seen and that a user calls so, those with the most time first.
pub(crate) fn find(model: &Model, name: &str) -> Vec<FunctionId> {
    let is_meant = |function: &&Function| {
        !matches!(function.kind, Kind::Incomplete | Kind::Hooks)
            && (function.name == name || is_called(&harmless(&function.display), name))
    };
    let mut found: Vec<_> = model.functions.iter().filter(is_meant).collect();
    // A whole name, with a file or parameters, means nothing else that ends with it, as a method of Python does.
    let is_whole = |function: &&Function| harmless(&function.display) == name;
    if name.ends_with(')') && found.iter().any(is_whole) {
        found.retain(is_whole);
    }
    found.sort_by_cached_key(|function| Reverse(function.total_ns));
    found.into_iter().map(|function| function.id).collect()
}

/// The name of a function, in a style.
pub(crate) fn name_of(function: &Function, naming: Naming) -> String {
    let (linker, plain) = (function.name.as_bytes(), function.display.as_bytes());
    let demangled = |naming: Naming| {
        let style = naming.style();
        style.demangling.demangle_to(style.detail, linker)
    };
    let name = match naming {
        Naming::Linker => linker.into(),
        // What debug information says of a name is not in the name.
        Naming::Full if *demangled(Naming::Plain) == *plain => demangled(naming),
        Naming::Full | Naming::Plain => plain.into(),
        Naming::Short => shorten(plain).into(),
    };
    let name = String::from_utf8_lossy(&name);
    let reason = (function.kind == Kind::Incomplete).then(|| name.trim_matches(['[', ']']));
    let name = reason.map_or(name.clone(), |reason| format!("[not followed: {reason}]").into());
    harmless(&name).into_owned()
}

/// Returns `true` if `name` is what a function is called in the source: with or without its arguments,
/// its template arguments or its file, and what it is a part of.
pub(crate) fn is_called(full: &str, name: &str) -> bool {
    // Behind a blank stands the file of a function of Python.
    let bare = without_parameters(full).trim_end();
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
    let (mut depth, mut outside) = (0_usize, String::new());
    for c in name.chars() {
        match c {
            '<' => {
                // Rust has a path's sign before the arguments of a function, too.
                if depth == 0 && outside.ends_with("::") {
                    outside.truncate(outside.len() - "::".len());
                }
                depth += 1;
            }
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    outside
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
            ("rg::search_path::<&Matcher, W<B>>", &["search_path", "rg::search_path"]),
            ("<rg::Worker<W>>::search::<M>::{closure#0}", &["search::{closure#0}"]),
            ("Parser.feed (parser.py)", &["feed", "Parser.feed", "Parser.feed (parser.py)"]),
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
