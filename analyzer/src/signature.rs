//! The parts of a readable name: the scopes around a function, its own name and its parameters.

/// The name without the names around it, and without its parameters.
#[must_use]
pub fn own_name(name: &str) -> &str {
    let bare = without_parameters(name);
    paths(bare).last().map_or(bare, |start| &bare[start + "::".len()..])
}

/// The name of a function of C++ without its parameters and what stands behind them.
#[must_use]
pub fn without_parameters(name: &str) -> &str {
    let endings = [" const", " volatile", " &&", " &", "[abi:cxx11]"];
    let mut rest = name.split(" [clone ").next().unwrap_or(name);
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

/// Positions of each `::` that parts the names around a function, and not those in brackets.
#[must_use]
pub fn paths(name: &str) -> Vec<usize> {
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

/// Returns `true` if the name of an operator begins here, which may have any of the brackets and is the
/// last part.
fn is_operator(name: &str, position: usize) -> bool {
    let (before, here) = name.split_at(position);
    let is_whole = before.is_empty() || before.ends_with("::") || before.ends_with(' ');
    let behind = here.strip_prefix("operator").filter(|_| is_whole);
    behind.is_some_and(|it| !it.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("f(int) [clone .isra.0] [clone .cold]", "f", "f"),
            ("<impl Fn() as a::Call>::call", "<impl Fn() as a::Call>::call", "call"),
            ("f(a)::g", "f(a)::g", "g"),
            ("f[abi:cxx11](int)", "f[abi:cxx11]", "f[abi:cxx11]"),
            ("<Vec<_> as Drop>::drop", "<Vec<_> as Drop>::drop", "drop"),
            ("core::iter::{closure#0}", "core::iter::{closure#0}", "{closure#0}"),
            ("libfoo.so+0x1234", "libfoo.so+0x1234", "libfoo.so+0x1234"),
        ] {
            assert_eq!((without_parameters(name), own_name(name)), (bare, own));
        }
    }
}
