//! Code with its names, as full profiles have it.

use gmon_format::live::{CodeKind, Live};

use super::{Made, Needed, readable};
use crate::records::full::JIT;

/// Code of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCode {
    /// The lowest address.
    pub start: u64,
    /// The address behind the highest.
    pub end: u64,
    /// When it came, in nanoseconds since the profile began.
    pub from_ns: u64,
    /// When it was gone, in nanoseconds since the profile began; 0 if it stayed.
    pub to_ns: u64,
    /// Origin of the names.
    pub kind: CodeKind,
    /// Its name, as users read it.
    pub name: Vec<u8>,
    /// The source file; empty if it is not known.
    pub file: Vec<u8>,
    /// The line that it begins with; 0 if that is not known.
    pub first_line: u32,
    /// Lines, each with the offset at which its code begins.
    pub lines: Vec<(u32, u32)>,
}

/// Bytes of a name that are kept: those of generated code can be very long.
const LONGEST_NAME: usize = 1024;

impl NamedCode {
    /// Takes code that is needed for a profile that began at a time by the monotonic clock.
    #[must_use]
    pub fn new(needed: &Needed<'_>, kind: CodeKind, begun: u64) -> Self {
        let Needed { made: Made { start, end, from, name, file, lines }, to } = needed;
        let since = |time: u64| time.saturating_sub(begun);
        let known = readable(name);
        let first = lines.iter().map(|(_, line)| *line).find(|line| *line != 0);
        let (file, first_line) = match file.is_empty() {
            true => (known.file, known.line),
            // The compiler knows where the function begins; the first line of its code is next to that.
            false => (*file, if known.line == 0 { first.unwrap_or(0) } else { known.line }),
        };
        let cut = |text: &[u8]| text[..text.len().min(LONGEST_NAME)].to_vec();
        Self {
            start: *start,
            end: *end,
            from_ns: from.map_or(0, since),
            to_ns: to.map_or(0, |to| since(to).max(1)),
            kind,
            name: cut(&known.name),
            file: cut(file),
            first_line,
            lines: lines.clone(),
        }
    }
}

/// The addresses in the stacks of a profile that are in no file and have no name, in ascending order.
#[must_use]
pub fn nameless(live: &Live<'_>) -> Vec<u64> {
    let mut modules: Vec<_> = live.modules().filter(|module| module.path != JIT).collect();
    modules.sort_by_cached_key(|module| module.start);
    let code: Vec<_> = live.code().collect();
    let nodes = live.stacks().flat_map(|stacks| {
        let nodes: Vec<_> = stacks.iter().map(|(_, node)| node.pc).collect();
        nodes
    });
    let mut addresses: Vec<_> = nodes.collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses.retain(|pc| {
        let is_in_module = modules.iter().any(|module| module.contains(*pc));
        !is_in_module && !code.iter().any(|code| code.contains(*pc))
    });
    addresses.into_iter().map(|pc| pc.0).collect()
}
