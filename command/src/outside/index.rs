//! The table that finds the unwind rules of a static program, which linkers leave out of many.

use gmon_unwind::{Bytes, Native, Processor, Word};

type Address = <Native as Processor>::Word;

/// Encodings of an index: pointers as they are, a number of 32 bits, and entries of 32 bits relative to the index.
const HEAD: [u8; 4] = [1, 0x00, 0x03, 0x3b];

/// Makes an index, to be placed at an address, of rules (`.eh_frame`) that lie at another. None if they make no sense.
pub(super) fn index(rules: &[u8], address: u64, place: u64) -> Option<Vec<u8>> {
    let mut entries = Vec::new();
    let all = Bytes::<Native>::of(Address::of(address), rules);
    let mut rest = all;
    while !rest.is_empty() {
        let at = rest.address();
        let len = rest.u32()? as usize;
        if len == 0 {
            break;
        }
        let id_at = rest.address();
        let mut entry = rest.take(len)?;
        let id = entry.u32()? as usize;
        if id == 0 {
            continue;
        }
        let common = all.at(id_at.before(id))?;
        let start = entry.pointer(encoding(common)?, Address::default())?;
        entries.push((start, at));
    }
    entries.sort_unstable();
    let relative = |address: Address| {
        let distance = address.get().wrapping_sub(place) as i64;
        i32::try_from(distance).ok().map(i32::to_ne_bytes)
    };
    let mut index = HEAD.to_vec();
    index.extend_from_slice(&address.to_ne_bytes()[..Address::SIZE]);
    index.extend(u32::try_from(entries.len()).ok()?.to_ne_bytes());
    for (start, at) in entries {
        index.extend(relative(start)?);
        index.extend(relative(at)?);
    }
    Some(index)
}

/// The encoding of addresses in the descriptions that share a common part.
fn encoding(mut common: Bytes<'_, Native>) -> Option<u8> {
    const OLD: u8 = 1;
    // What is shared has an identity of 0, behind its length.
    let _len = common.u32()?;
    let is_common = common.u32()? == 0;
    let version = common.u8().filter(|_| is_common)?;
    let mut augmentation = Vec::new();
    loop {
        match common.u8()? {
            0 => break,
            letter => augmentation.push(letter),
        }
    }
    common.unsigned()?;
    common.signed()?;
    if version == OLD {
        common.u8().map(drop)?
    } else {
        common.unsigned().map(drop)?
    }
    let Some(letters) = augmentation.strip_prefix(b"z") else { return Some(0) };
    common.unsigned()?;
    for letter in letters {
        match letter {
            b'R' => return common.u8(),
            b'L' => drop(common.u8()?),
            b'P' => {
                let encoding = common.u8()?;
                common.number(encoding)?;
            }
            b'S' | b'B' => {}
            _ => return None,
        }
    }
    Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gmon_unwind::Tables;

    /// A common part and two descriptions, the later code first, as assemblers write them.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn descriptions_are_found_by_their_code() {
        const RULES: u64 = 0x40_0000;
        let mut rules = vec![
            20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1,
            0, 0,
        ];
        for (start, len) in [(0x40_3000_u64, 0x20_u32), (0x40_1000, 0x10)] {
            let at = RULES + rules.len() as u64;
            rules.extend([16, 0, 0, 0]);
            rules.extend((rules.len() as u32).to_le_bytes());
            rules.extend((start.wrapping_sub(at + 8) as u32).to_le_bytes());
            rules.extend(len.to_le_bytes());
            rules.extend([0; 4]);
        }
        rules.extend([0; 4]);
        let table = RULES + rules.len() as u64;
        let made = index(&rules, RULES, table).expect("an index");
        let len = made.len();
        let all = [rules, made].concat();
        let tables =
            Tables::<Native> { segment: Bytes::of(RULES, &all), header: table, header_len: len };
        for (pc, start) in [
            (0x40_1000, Some(0x40_1000)),
            (0x40_100f, Some(0x40_1000)),
            (0x40_301f, Some(0x40_3000)),
        ] {
            assert_eq!(tables.function(pc).map(|it| it.start), start, "{pc:#x}");
        }
        for pc in [0x40_0fff, 0x40_1010, 0x40_3020] {
            assert!(tables.function(pc).is_none(), "{pc:#x}");
        }
        assert_eq!(index(&[8, 0, 0, 0, 1], RULES, table), None);
    }
}
