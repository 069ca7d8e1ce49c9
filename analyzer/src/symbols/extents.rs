//! Ends of symbols.

use gmon_format::FilePc;

use super::symbol::Symbol;

/// Sorts the symbols, keeps one for each address and gives each that has no end yet the addresses up
/// to the next symbol or, if sizes are known, up to where all functions end that began before.
pub(super) fn in_order(mut symbols: Vec<Symbol<'_>>, text_end: FilePc) -> Vec<Symbol<'_>> {
    symbols.sort_by_cached_key(|symbol| (symbol.address, !symbol.is_function, symbol.is_static));
    // Only a symbol that lies outside the code has an end before its start.
    symbols.retain(|symbol| symbol.end == Symbol::OPEN || symbol.end >= symbol.address);
    symbols.dedup_by(|next, kept| {
        let same = next.address == kept.address;
        if same {
            let size = next.size.max(kept.size);
            let better = if next.replaces(kept) { *next } else { *kept };
            *kept = Symbol { size, ..better };
        }
        same
    });
    let mut reached = FilePc::MIN;
    for index in 0..symbols.len() {
        let next = symbols.get(index + 1).map(|next| FilePc(next.address.0 - 1));
        let symbol = &mut symbols[index];
        if symbol.size > 0 {
            reached = reached.max(symbol.address.saturating_add(symbol.size - 1));
        }
        if symbol.end == Symbol::OPEN {
            let is_sized = reached >= symbol.address && reached > FilePc::MIN;
            symbol.end = match next {
                Some(next) if is_sized => next.min(reached),
                Some(next) => next,
                None if is_sized => reached,
                None => text_end,
            };
        }
    }
    symbols
}
