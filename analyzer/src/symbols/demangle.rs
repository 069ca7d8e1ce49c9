//! Turns linker names back into names of the source language, as `libiberty` prints them.

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
    let readable =
        std::str::from_utf8(mangled).ok().and_then(|name| rust(name).or_else(|| cpp(name)));
    match readable {
        Some(readable) => Cow::Owned([before, readable.as_bytes(), version].concat()),
        None => Cow::Borrowed(name),
    }
}

fn rust(name: &str) -> Option<String> {
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    // The alternate form leaves out the hash that ends every Rust name.
    Some(format!("{demangled:#}"))
}

fn cpp(name: &str) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    cpp_demangle::Symbol::new(name).ok()?.demangle().ok()
}
