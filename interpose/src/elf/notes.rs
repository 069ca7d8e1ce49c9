//! Notes: records with an owner, a type and contents, one behind the other.

use core::ops::Range;

/// The place of the contents of the first note of an owner and a type. Notes lie at addresses of what `read` fills places
/// from, each at a multiple of `alignment`. The owner's name ends with a zero.
pub fn find_note<const N: usize>(
    notes: Range<usize>,
    alignment: usize,
    (owner, kind): (&[u8; N], u32),
    mut read: impl FnMut(&mut [u8], usize) -> Option<()>,
) -> Option<Range<usize>> {
    /// The lengths of owner and contents, and the type.
    const HEADER: usize = 3 * size_of::<u32>();
    let mut at = notes.start;
    while at.checked_add(HEADER)? <= notes.end {
        let mut header = [0; HEADER];
        read(&mut header, at)?;
        let mut numbers =
            header.chunks_exact(size_of::<u32>()).map(|bytes| super::u32_at(bytes, 0));
        let mut number = || numbers.next().flatten();
        let (owner_len, len, own_kind) = (number()? as usize, number()? as usize, number()?);
        let name = at + HEADER;
        // Offsets within a note are padded, and its start is aligned.
        let contents =
            at.checked_add((HEADER.checked_add(owner_len)?).checked_next_multiple_of(alignment)?)?;
        let end = contents.checked_add(len)?;
        if own_kind == kind && owner_len == N {
            let mut own = [0; N];
            read(&mut own, name)?;
            if own == *owner {
                return Some(contents..end);
            }
        }
        at = contents.checked_add(len.checked_next_multiple_of(alignment)?)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// A note as linkers write it.
    fn note(owner: &[u8], kind: u32, contents: &[u8], alignment: usize) -> Vec<u8> {
        let lens = [owner.len() as u32, contents.len() as u32, kind];
        let mut bytes: Vec<u8> = lens.into_iter().flat_map(u32::to_ne_bytes).collect();
        for part in [owner, contents] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        }
        bytes
    }

    #[test]
    fn notes_are_found_behind_others_and_nothing_behind_their_end() {
        for alignment in [4, 8] {
            let other = note(b"GNU\0", 5, &[1, 2, 3, 4, 5], alignment);
            let wanted = note(b"GNU\0", 3, b"a build id", alignment);
            let bytes = [other.clone(), note(b"gmon\0", 3, b"", alignment), wanted].concat();
            const BASE: usize = 0x1000;
            let find = |bytes: &[u8], owner: &[u8; 4], kind| {
                let notes = BASE..BASE + bytes.len();
                let found = find_note(notes, alignment, (owner, kind), |place, at| {
                    let from = bytes.get(at - BASE..)?.get(..place.len())?;
                    place.copy_from_slice(from);
                    Some(())
                });
                found.map(|range| bytes[range.start - BASE..range.end - BASE].to_vec())
            };
            assert_eq!(find(&bytes, b"GNU\0", 3).as_deref(), Some(&b"a build id"[..]));
            assert_eq!(find(&bytes, b"GNU\0", 5).as_deref(), Some(&[1, 2, 3, 4, 5][..]));
            assert_eq!(find(&bytes, b"GNU\0", 4), None);
            assert_eq!(find(&bytes, b"GNUX", 3), None);
            assert_eq!(find(&bytes[..other.len() + 8], b"GNU\0", 3), None);
            assert_eq!(find(&[0xff; 64], b"GNU\0", 3), None);
        }
    }
}
