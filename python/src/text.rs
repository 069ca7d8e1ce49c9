//! Strings.

use gmon_unwind::Memory;

use crate::layout::Layout;
use crate::read::{Bytes, half, word};

impl Layout {
    /// Fills a place with the string at an address, as UTF-8 and as far as there is room, and says how many bytes that are;
    /// `None` if there is no string.
    pub fn text(&self, memory: &mut impl Memory, at: u64, place: &mut [u8]) -> Option<usize> {
        let offsets = &self.offsets.text;
        let len = word(memory, at.checked_add(offsets.len)?)?;
        let state = half(memory, at.checked_add(offsets.state)?)?;
        let (kind, is_compact, is_ascii) = (state >> 2 & 7, state >> 5 & 1, state >> 6 & 1);
        // Compilers make strings of no other layout.
        if is_compact == 0 || !matches!(kind, 1 | 2 | 4) || is_ascii == 1 && kind != 1 {
            return None;
        }
        let start = at.checked_add(if is_ascii == 1 { offsets.ascii } else { offsets.others })?;
        let most = len.min(place.len() as u64);
        let mut bytes = Bytes::new(memory, start, most.checked_mul(kind.into())?);
        let mut end = 0;
        for _ in 0..most {
            let mut number = [0; 4];
            for byte in number.iter_mut().take(kind as usize) {
                *byte = bytes.next()?;
            }
            let number = if cfg!(target_endian = "big") {
                u32::from_be_bytes(number) >> (8 * (4 - kind))
            } else {
                u32::from_le_bytes(number)
            };
            let character = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
            let Some(room) = place.get_mut(end..end + character.len_utf8()) else { break };
            end += character.encode_utf8(room).len();
        }
        Some(end)
    }
}
