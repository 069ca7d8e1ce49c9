//! Rust names, of both mangling schemes.

use crate::Detail;

/// The path a Rust name stands for; if not in full, without hashes and crate disambiguators.
pub(super) fn demangle(name: &[u8], detail: Detail) -> Option<Vec<u8>> {
    let name = std::str::from_utf8(name).ok()?;
    let name = if name.starts_with("_R") { before_suffix(name) } else { older(name)? };
    let path = rustc_demangle::try_demangle(name).ok()?;
    let path = if detail == Detail::Full { path.to_string() } else { format!("{path:#}") };
    Some(path.into_bytes())
}

/// A name without what LLVM appends for a part of a function (`.cold`), which is not shown.
fn before_suffix(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// A name of the older scheme, which is C++'s but ends with a hash that only Rust has.
fn older(name: &str) -> Option<&str> {
    let (path, hash) = name.strip_prefix("_ZN")?.rsplit_once("17h")?;
    let (hash, rest) = hash.split_at_checked(16)?;
    let is_end = rest == "E" || rest.starts_with("E.");
    (is_end && !path.is_empty() && is_hash(hash))
        .then(|| &name[.."_ZN".len() + path.len() + "17h".len() + 16 + 1])
}

/// Returns `true` if sixteen letters are a hash: hexadecimal, and not all the same few digits.
fn is_hash(text: &str) -> bool {
    const FEWEST_DIGITS: u32 = 5;
    let digits = text.chars().try_fold(0_u16, |seen, letter| {
        let digit = letter.to_digit(16).filter(|_| !letter.is_ascii_uppercase())?;
        Some(seen | 1 << digit)
    });
    digits.is_some_and(|seen| seen.count_ones() >= FEWEST_DIGITS)
}
