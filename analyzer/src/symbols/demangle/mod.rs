//! Turns linker names back into names of the source language, as GNU `libiberty` prints them: the
//! classic reports must have the very same bytes.

mod cpp;
mod rust;

use std::borrow::Cow;

/// The readable form of a name: Rust first, then C++; a name of neither comes back as it is.
///
/// Dots or dollars before the name and a symbol version after it (`@GLIBC_2.2.5`) are kept.
#[must_use]
pub fn demangle(name: &[u8]) -> Cow<'_, [u8]> {
    let start = name.iter().take_while(|&&byte| byte == b'.' || byte == b'$').count();
    let (before, rest) = name.split_at(start);
    let end = rest.iter().position(|&byte| byte == b'@').unwrap_or(rest.len());
    let (mangled, version) = rest.split_at(end);
    let readable = rust::demangle(mangled).or_else(|| cpp::demangle(mangled));
    match readable {
        Some(readable) => Cow::Owned([before, &readable, version].concat()),
        None => Cow::Borrowed(name),
    }
}
