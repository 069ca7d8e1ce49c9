//! Places where counted calls can enter functions: behind a hook, or at the start of a function that tells the hook its
//! address.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc as Shared, OnceLock};

use gmon_format::FilePc;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind, elf};

use super::code::machine;
use super::elf::{Image, is_code, parse};

/// The places of an image where counted calls can enter functions.
#[derive(Clone, Debug)]
pub(crate) struct Entries {
    image: Shared<Image>,
    /// Tells hooks by the bytes that end with them.
    is_hook: fn(&[u8]) -> bool,
    /// The sections with instructions: their addresses and places in the file.
    sections: Vec<(Range<FilePc>, Range<usize>)>,
    /// End of what is mapped as code. On some machines that is more than the sections with instructions.
    mapped_end: FilePc,
    starts: OnceLock<HashSet<FilePc>>,
}

/// No hook is longer, in bytes.
const LONGEST: usize = 7;

impl Entries {
    /// The places of an image; none if they cannot be told, because it was stripped or is for another kind of machine.
    pub(crate) fn of(image: &Shared<Image>) -> Option<Self> {
        let is_hook = match machine(&image.bytes, image.encoding()) {
            elf::EM_X86_64 | elf::EM_386 => is_hook_of_x86,
            elf::EM_AARCH64 => is_hook_of_aarch64,
            _ => return None,
        };
        let file = parse(&image.bytes).ok()?;
        file.symbols().next()?;
        let place = |section: object::Section<'_, '_>| {
            let (start, len) = section.file_range()?;
            let start = usize::try_from(start).ok()?;
            let bytes = start..start.checked_add(usize::try_from(len).ok()?)?;
            let address = FilePc(section.address());
            Some((address..address.saturating_add(len), bytes))
        };
        let sections = file.sections().filter(is_code).filter_map(place).collect();
        let mapped = file.segments().filter(|segment| segment.permissions().executable());
        let ends = mapped.map(|segment| segment.address().saturating_add(segment.size()));
        let mapped_end = FilePc(ends.max().unwrap_or(u64::MAX));
        let starts = OnceLock::new();
        Some(Self { image: image.clone(), is_hook, sections, mapped_end, starts })
    }

    /// End of the code as a process has it mapped, which histograms reach up to.
    pub(crate) fn mapped_end(&self) -> FilePc {
        self.mapped_end
    }

    /// Tells if a counted call can have entered a function here.
    pub(crate) fn can_be(&self, pc: FilePc) -> bool {
        let section = self.sections.iter().find(|(code, _)| code.start < pc && pc <= code.end);
        let Some((code, bytes)) = section else { return false };
        let before = pc.checked_distance(code.start).map_or(0, |distance| distance as usize);
        let end = bytes.start.saturating_add(before);
        let last = end.saturating_sub(LONGEST.min(before))..end;
        let follows_hook = self.image.bytes.get(last).is_some_and(self.is_hook);
        follows_hook || self.starts().contains(&pc)
    }

    /// The starts of functions.
    fn starts(&self) -> &HashSet<FilePc> {
        self.starts.get_or_init(|| {
            let Ok(file) = parse(&self.image.bytes) else { return HashSet::new() };
            let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
            functions.map(|symbol| FilePc(symbol.address())).collect()
        })
    }
}

/// A call, or what stands in its place while the hook sleeps.
fn is_hook_of_x86(before: &[u8]) -> bool {
    let at = |back: usize| before.len().checked_sub(back).map_or(&[][..], |start| &before[start..]);
    // `call *REGISTER`, `call *OFFSET(REGISTER)`: the second byte names the form.
    let is_indirect = |back, forms: Range<u8>| match at(back) {
        [0xff, form, ..] => forms.contains(form),
        _ => false,
    };
    // The last one is `test`, as which a dormant hook sleeps.
    matches!(at(5), [0xe8, ..] | [0x0f, 0x1f, 0x44, 0x00, 0x00] | [0xa9, ..])
        || matches!(at(6), [0xff, 0x15, ..])
        || before.ends_with(&[0x90])
        || is_indirect(2, 0xd0..0xd8)
        || is_indirect(3, 0x50..0x58)
        || is_indirect(6, 0x90..0x98)
}

/// `BL`, `BLR`, or a `NOP` in its place.
fn is_hook_of_aarch64(before: &[u8]) -> bool {
    let word = before.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    word >> 26 == 0b10_0101 || word & 0xffff_fc1f == 0xd63f_0000 || word == 0xd503_201f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_calls_and_what_stands_in_their_place() {
        for (before, is_hook) in [
            (&[0x55, 0x48, 0xe8, 1, 2, 3, 4][..], true),
            (&[0x55, 0xff, 0x15, 1, 2, 3, 4], true),
            (&[0x0f, 0x1f, 0x44, 0, 0], true),
            (&[0xa9, 1, 2, 3, 4], true),
            (&[0xff, 0xd0], true),
            (&[0xff, 0x53, 0x10], true),
            (&[0x90, 0x90], true),
            (&[0x48, 0x83, 0xec, 0x08, 0x48, 0x89, 0xe5], false),
            (&[0xff, 0x25, 1, 2, 3, 4], false),
            (&[], false),
        ] {
            assert_eq!(is_hook_of_x86(before), is_hook, "{before:x?}");
        }
        for (word, is_hook) in [
            (0x9400_0004_u32, true),
            (0xd63f_0020, true),
            (0xd503_201f, true),
            (0xaa1e_03e0, false),
        ] {
            assert_eq!(is_hook_of_aarch64(&word.to_le_bytes()), is_hook, "{word:x}");
        }
    }
}
