//! The numbers of entries of the call graph and of cycles, as they stand behind names and in the
//! index.

use super::columns;
use crate::analysis::{CallGraph, CycleId, Entry};

/// Appends the number of an entry: in brackets if the entry is shown, else in parentheses.
pub(super) fn append_tag(text: &mut Vec<u8>, graph: &CallGraph, entry: Entry) {
    let [open, close] = if graph.costs(entry).shown { *b"[]" } else { *b"()" };
    text.push(open);
    columns::number(text, graph.index(entry).into());
    text.push(close);
}

/// Appends what stands for a cycle.
pub(super) fn append_cycle(text: &mut Vec<u8>, cycle: CycleId) {
    text.extend_from_slice(b"<cycle ");
    columns::number(text, cycle.number() as u64);
    text.push(b'>');
}
