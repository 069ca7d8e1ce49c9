//! Mappings of the process, as the kernel lists them.
//!
//! The dynamic loader could tell too, but takes a lock for it, which a handler may not wait for, and
//! static programs have none.
//!
//! *Context:* any.

use core::cell::Cell;

use gmon_format::mapping::Mapping;
use gmon_system::platform::{self, Own};

/// Room for a line; the path of a longer one is cut.
const LINE: usize = 2048;

/// Calls `visit` with every mapping, in the order of addresses. False if the kernel does not tell.
pub(super) fn each(mut visit: impl FnMut(&Mapping<'_>)) -> bool {
    let Ok(mut file) = platform::open(Own::Mappings.path()) else { return false };
    let mut buffer = [0; LINE];
    let mut used = 0;
    let mut is_cut = false;
    loop {
        let free = buffer.get_mut(used..).unwrap_or_default();
        let Ok(len) = file.read(free) else { return false };
        if len == 0 {
            return true;
        }
        used += len;
        let mut rest = buffer.get(..used).unwrap_or_default();
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let line = rest.get(..at).unwrap_or_default();
            if !core::mem::take(&mut is_cut) {
                Mapping::parse(line).iter().for_each(&mut visit);
            }
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        if rest.len() == LINE {
            // No line end in all of it.
            if !core::mem::replace(&mut is_cut, true) {
                Mapping::parse(rest).iter().for_each(&mut visit);
            }
            rest = &[];
        }
        let start = used - rest.len();
        // What could panic is not for handlers.
        let cells = Cell::from_mut(buffer.as_mut_slice()).as_slice_of_cells();
        let left = cells.get(start..used).unwrap_or_default();
        cells.iter().zip(left).for_each(|(to, from)| to.set(from.get()));
        used -= start;
    }
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn all_lines_are_seen() {
        let mut seen = Vec::new();
        assert!(each(|mapping| seen
            .push((mapping.start, String::from_utf8_lossy(mapping.path).into_owned()))));
        let text = std::fs::read_to_string("/proc/self/maps").unwrap();
        let stacks = |name: &str| name == "[stack]";
        assert!(text.lines().any(|line| line.ends_with("[stack]")));
        assert_eq!(seen.iter().filter(|(_, path)| stacks(path)).count(), 1);
        assert!(seen.windows(2).all(|two| two[0].0 < two[1].0));
        assert!(seen.len().abs_diff(text.lines().count()) < 10);
    }
}
