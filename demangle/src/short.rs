//! Readable names without what generic functions and types are made for.

/// Stand-in for the arguments that are left out.
const LEFT_OUT: &[u8] = b"<_>";

/// A readable name with `<_>` for each list of generic arguments: in Rust and C++ what stands in angle
/// brackets right behind a name or `::`. Brackets around a type or an implementation stay, so that
/// `<Vec<u8> as Drop>::drop` is `<Vec<_> as Drop>::drop`.
#[must_use]
pub fn shorten(name: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&first, after)) = rest.split_first() {
        let arguments = if begins_arguments(&short, rest) { length(rest) } else { None };
        if let Some(length) = arguments {
            short.extend(LEFT_OUT);
            rest = &rest[length..];
        } else {
            short.push(first);
            rest = after;
        }
    }
    short
}

/// Returns `true` if `rest` begins with generic arguments, after what stands `before` it.
fn begins_arguments(before: &[u8], rest: &[u8]) -> bool {
    let is_behind_name =
        before.last().is_some_and(|&last| is_of_name(last)) && !is_operator(before);
    // The older Rust names have `module::<impl Trait for Type>::method`.
    let is_behind_path = before.ends_with(b"::") && !rest.starts_with(b"<impl ");
    rest.starts_with(b"<") && (is_behind_name || is_behind_path)
}

/// Returns `true` if the last word is C++'s `operator`, behind which `<` is a name itself.
fn is_operator(before: &[u8]) -> bool {
    let word = before.strip_suffix(b"operator");
    word.is_some_and(|before| !before.last().is_some_and(|&last| is_of_name(last)))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of what an opening bracket and its closing one enclose, with both; none, if there is no
/// closing one.
fn length(text: &[u8]) -> Option<usize> {
    let mut closing = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let is_arrow = at > 0 && matches!(text[at - 1], b'-' | b'=');
        match text[at] {
            b'<' => closing.push(b'>'),
            b'(' => closing.push(b')'),
            b'[' => closing.push(b']'),
            b'{' => closing.push(b'}'),
            // Within other brackets it means "greater".
            b'>' if !is_arrow && closing.last() == Some(&b'>') => _ = closing.pop(),
            bracket @ (b')' | b']' | b'}') => {
                let opened = closing.iter().rposition(|&open| open == bracket)?;
                closing.truncate(opened);
            }
            b'"' | b'\'' => at += literal(&text[at..]),
            _ => {}
        }
        at += 1;
        if closing.is_empty() {
            return Some(at);
        }
    }
    None
}

/// Number of bytes behind the quotation mark that a literal of Rust begins with, none behind the one
/// that a lifetime begins with.
fn literal(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = text.iter().skip(1).position(|&byte| {
        let is_end = byte == text[0] && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    let Some(end) = end else { return 0 };
    let content = &text[1..=end];
    let is_character = content.starts_with(b"\\")
        || std::str::from_utf8(content).is_ok_and(|text| text.chars().count() == 1);
    if text[0] == b'"' || is_character { end + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_left_out_and_all_else_stays() {
        for (name, short) in [
            ("small::length::<u64>", "small::length::<_>"),
            ("<alloc::vec::Vec<u8>>::push", "<alloc::vec::Vec<_>>::push"),
            ("<Map<K, Vec<V>> as Get<&str>>::get", "<Map<_> as Get<_>>::get"),
            ("<u8 as Into<T>>::into::<{closure#0}>", "<u8 as Into<_>>::into::<_>"),
            ("a::<impl a::T<X> for B<Y>>::f", "a::<impl a::T<_> for B<_>>::f"),
            ("f::<fn(u8) -> Vec<u8>>::{closure#0}", "f::<_>::{closure#0}"),
            ("f::<'<', '\\'', \">>\", 'é', &'a u8>::g", "f::<_>::g"),
            ("<&'a [T<u8>] as X>::f", "<&'a [T<_>] as X>::f"),
            ("f::<[u8; {g::<3>()}]>", "f::<_>"),
            ("main", "main"),
            ("", ""),
            ("std::map<int, std::less<int> >::at(A<1> const&)", "std::map<_>::at(A<_> const&)"),
            ("bool operator< <int>(A<int>, B)", "bool operator< <int>(A<_>, B)"),
            ("std::ostream& operator<<(S<c>&)", "std::ostream& operator<<(S<_>&)"),
            ("my_operator<int>()", "my_operator<_>()"),
            ("A<(B)(1>2), (x<3)>::f()", "A<_>::f()"),
            // Text that is not a name is left as it is.
            ("a<b", "a<b"),
            ("a<b)>", "a<b)>"),
            ("f::<\"", "f::<\""),
        ] {
            assert_eq!(String::from_utf8_lossy(&shorten(name.as_bytes())), short, "{name}");
        }
    }
}
