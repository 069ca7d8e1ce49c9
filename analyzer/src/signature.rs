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
            // What is in brackets behind a name of Python is its file.
            return if is_part_of_name { name } else { bare.trim_end() };
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

/// Returns `true` of what the standard libraries of C++ and Rust have put into a program.
#[must_use]
pub fn is_of_standard_library(name: &str) -> bool {
    const CPP: [&str; 2] = ["std::", "__gnu_cxx::"];
    const RUST: [&str; 4] = ["std::", "core::", "alloc::", "hashbrown::"];
    // Names of Rust have no parameters.
    let scopes = if without_parameters(name) == name { &RUST[..] } else { &CPP };
    let scope = without_type(name).trim_start_matches(['<', '&']);
    scopes.iter().any(|start| scope.starts_with(start))
}

/// The name without the type that stands before it, which templates of C++ have.
fn without_type(name: &str) -> &str {
    let (mut open, mut start) = (Vec::new(), 0);
    for (position, letter) in name.char_indices() {
        let before = name[start..position].trim_end();
        let begins_parameters = letter == '(' && !["", "decltype"].contains(&before);
        if open.is_empty() && (begins_parameters || is_operator(name, position)) {
            break;
        }
        match letter {
            '<' | '(' => open.push(letter),
            // Within other brackets it means "greater".
            '>' if open.last() == Some(&'<') => _ = open.pop(),
            ')' => open.truncate(open.iter().rposition(|it| *it == '(').unwrap_or(0)),
            ' ' if open.is_empty() && before != "decltype" => start = position + 1,
            _ => {}
        }
    }
    &name[start..]
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
    fn standard_libraries_are_known_by_their_scopes() {
        for (name, expected) in [
            ("std::_Rb_tree_node<a::B>* std::_Rb_tree<a::B>::_M_create<c::D const&>(c::D)", true),
            ("std::vector<a::B> a::sorted<std::less<int> >(std::less<int>)", false),
            ("std::ostream& std::operator<< <char>(std::ostream&, char)", true),
            ("decltype(auto) std::less<void>::_S_cmp<a::B&>(a::B&)", true),
            ("decltype (((forward<a::B>)({parm#1}))<(c)) std::less<void>::operator()<c>(c)", true),
            ("void __gnu_cxx::swap<int>(int&, int&)", true),
            ("(anonymous namespace)::less(std::string const&)", false),
            ("a::B::operator<(std::string const&) const", false),
            ("core::Engine::run(int)", false),
            ("alloc::raw_vec::RawVecInner<A>::grow_one", true),
            ("<alloc::vec::Vec<a::B> as core::ops::drop::Drop>::drop", true),
            ("<a::B as core::ops::drop::Drop>::drop", false),
            ("<hashbrown::raw::RawTableInner>::find_inner", true),
            ("main", false),
            ("count (w.py)", false),
        ] {
            assert_eq!(is_of_standard_library(name), expected, "{name}");
        }
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
