//! Whether a function is the one that a user names.

use crate::signature::without_parameters;

/// Whether `name` is what a function is called in the source: with or without its arguments, its template
/// arguments, and what it is a part of.
pub(crate) fn is_called(full: &str, name: &str) -> bool {
    let bare = without_parameters(full);
    let plain = without_template_arguments(bare);
    [full, bare, &plain].into_iter().any(|form| is_end(form, name))
}

/// Whether a name is all of another, or what follows a scope or a type in it.
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
