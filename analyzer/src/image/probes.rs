//! Pseudo probes: marks that clang puts on each block and call of the source (`-fpseudo-probe-for-profiling`), and by which a
//! profile finds them in the next build.
//!
//! `.pseudo_probe_desc` has for each function its number (a hash of its name), a checksum of its flow of control, and its
//! name. `.pseudo_probe` has for each function with code its number, how many probes and inlined functions follow, the probes,
//! and the inlined functions, each behind the probe of its call. A probe has its index, a byte for its kind, and its address:
//! before LLVM 17 an address or the distance from the last probe, since then the distance from the last probe or the
//! function's start. A part that was split off the function begins with a probe that has the number of the part's name in
//! place of an address.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt;

use gimli::{EndianSlice, Reader as _, RunTimeEndian};
use gmon_format::FilePc;
use object::{Object, ObjectSection};

use super::elf::{Image, parse};
use super::guid::guid;

const DESCRIPTIONS: &str = ".pseudo_probe_desc";
const PROBES: &str = ".pseudo_probe";

/// Inlined functions around each other. No compiler comes near it.
const DEEPEST: usize = 500;

/// Bits of a probe's kind: its type, and facts.
const TYPE: u8 = 0xf;
const IS_START: u8 = 0x20;
const HAS_DISCRIMINATOR: u8 = 0x40;
const HAS_DISTANCE: u8 = 0x80;

/// All probes of a program.
#[derive(Debug, Default)]
pub(crate) struct Probes<'i> {
    /// The functions by their numbers.
    pub(crate) functions: HashMap<u64, ProbedFunction<'i>>,
    /// Code of functions.
    pub(crate) instances: Vec<ProbedInstance>,
    pub(crate) probes: Vec<Probe>,
}

/// A function that was compiled with probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProbedFunction<'i> {
    pub(crate) name: &'i [u8],
    /// Hash of its blocks and calls as they were before any optimization.
    pub(crate) checksum: u64,
}

/// Code of a function: its own, or what was inlined of it at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProbedInstance {
    /// Number of the function.
    pub(crate) function: u64,
    /// The instance that it was inlined into, and the index of the call's probe.
    pub(crate) caller: Option<(usize, u64)>,
}

/// A mark on the code of a block or call; several copies of that may have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probe {
    pub(crate) instance: usize,
    /// Its number in its function, from 1.
    pub(crate) index: u64,
    pub(crate) kind: ProbeKind,
    /// Start of the block, or the call.
    pub(crate) address: FilePc,
}

/// Kinds of what probes mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeKind {
    Block,
    /// A call of whatever function a pointer names.
    IndirectCall,
    /// A call of one function.
    DirectCall,
}

/// A section that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damaged {
    section: &'static str,
    offset: usize,
}

type Bytes<'i> = EndianSlice<'i, RunTimeEndian>;

impl Image {
    /// The pseudo probes; none if it was compiled without them.
    ///
    /// # Errors
    /// If their sections are damaged.
    pub(crate) fn probes(&self) -> Result<Option<Probes<'_>>, Damaged> {
        let Ok(file) = parse(&self.bytes) else { return Ok(None) };
        let read = |name: &'static str| {
            let section = file.section_by_name(name)?;
            let data = section.data().map_err(|_| Damaged { section: name, offset: 0 });
            Some(data.map(|data| EndianSlice::new(data, self.endian())))
        };
        let (Some(descriptions), Some(probes)) = (read(DESCRIPTIONS), read(PROBES)) else {
            return Ok(None);
        };
        let starts = OnceCell::new();
        let start = |number| {
            let starts: &Vec<(u64, FilePc)> = starts.get_or_init(|| self.starts());
            let at = starts.partition_point(|(other, _)| *other < number);
            let mut of_number = starts[at..].iter().take_while(|(other, _)| *other == number);
            let (_, start) = of_number.next()?;
            of_number.next().is_none().then_some(*start)
        };
        Probes::decode(descriptions?, probes?, start).map(Some)
    }

    /// Numbers of functions, and their addresses, in order. Several may have one name.
    fn starts(&self) -> Vec<(u64, FilePc)> {
        let mut starts = Vec::new();
        // A file without symbols tells nothing.
        _ = self.visit_symbols(|symbol| starts.push((guid(symbol.name), symbol.address)));
        starts.sort_unstable();
        starts.dedup();
        starts
    }
}

impl<'i> Probes<'i> {
    /// Reads both sections. `start` gives the address of a function by its number.
    fn decode(
        descriptions: Bytes<'i>,
        probes: Bytes<'i>,
        start: impl Fn(u64) -> Option<FilePc>,
    ) -> Result<Self, Damaged> {
        let damaged = |section, all: Bytes<'_>, rest: Bytes<'_>| Damaged {
            section,
            offset: rest.offset_from(all),
        };
        let mut this = Self::default();
        let mut rest = descriptions;
        let described = this.describe(&mut rest);
        described.map_err(|_| damaged(DESCRIPTIONS, descriptions, rest))?;
        let mut rest = probes;
        let read = this.read(&mut rest, start);
        read.map_err(|_| damaged(PROBES, probes, rest))?;
        Ok(this)
    }

    fn describe(&mut self, bytes: &mut Bytes<'i>) -> gimli::Result<()> {
        while !bytes.is_empty() {
            let (number, checksum) = (bytes.read_u64()?, bytes.read_u64()?);
            let len = usize::try_from(bytes.read_uleb128()?).unwrap_or(usize::MAX);
            let name = bytes.split(len)?.slice();
            self.functions.entry(number).or_insert(ProbedFunction { name, checksum });
        }
        Ok(())
    }

    fn read(
        &mut self,
        bytes: &mut Bytes<'i>,
        start: impl Fn(u64) -> Option<FilePc>,
    ) -> gimli::Result<()> {
        // The instances around the next one, each with how many are still to come in it.
        let mut around: Vec<(usize, u64)> = Vec::new();
        // The function whose start the first distance counts from, and the last address.
        let (mut outermost, mut last) = (0, None);
        let mut has_addresses = false;
        while !bytes.is_empty() || !around.is_empty() {
            let caller = match around.last_mut() {
                Some((_, 0)) => {
                    around.pop();
                    continue;
                }
                Some((instance, left)) => {
                    *left -= 1;
                    Some((*instance, bytes.read_uleb128()?))
                }
                None => None,
            };
            let function = bytes.read_u64()?;
            if caller.is_none() {
                outermost = function;
                last = last.filter(|_| has_addresses);
            } else if around.len() == DEEPEST {
                return Err(gimli::Error::StackFull);
            }
            let (probes, inlined) = (bytes.read_uleb128()?, bytes.read_uleb128()?);
            let instance = self.instances.len();
            self.instances.push(ProbedInstance { function, caller });
            for _ in 0..probes {
                let (index, kind) = (bytes.read_uleb128()?, bytes.read_u8()?);
                last = if kind & HAS_DISTANCE != 0 {
                    let distance = bytes.read_sleb128()?;
                    let from = last.or_else(|| start(outermost));
                    from.map(|FilePc(from)| FilePc(from.wrapping_add_signed(distance)))
                } else if kind & IS_START != 0 {
                    start(bytes.read_u64()?)
                } else {
                    has_addresses = true;
                    Some(FilePc(bytes.read_u64()?))
                };
                if kind & HAS_DISCRIMINATOR != 0 {
                    bytes.read_uleb128()?;
                }
                if let Some(address) = last.filter(|_| kind & IS_START == 0) {
                    let kind = match kind & TYPE {
                        0 => ProbeKind::Block,
                        1 => ProbeKind::IndirectCall,
                        _ => ProbeKind::DirectCall,
                    };
                    self.probes.push(Probe { instance, index, kind, address });
                }
            }
            around.push((instance, inlined));
        }
        Ok(())
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "section {} is damaged at byte {:#x}", self.section, self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::ProbeKind::{Block, DirectCall, IndirectCall};
    use super::*;

    /// A section, made of its parts.
    fn section(parts: &[&[u8]]) -> Vec<u8> {
        parts.concat()
    }

    fn word(number: u64) -> [u8; 8] {
        number.to_le_bytes()
    }

    fn descriptions() -> Vec<u8> {
        section(&[&word(7), &word(70), b"\x04main", &word(8), &word(80), b"\x08f.__uniq"])
    }

    /// The function 7 into which 8 is inlined twice, one in the other; then 8 itself.
    fn probes() -> Vec<u8> {
        section(&[
            &[&word(7)[..], b"\x02\x01", b"\x01\x00", &word(0x1000), b"\x02\x80\x10"].concat(),
            &[b"\x02", &word(8)[..], b"\x01\x01", b"\x01\x80\x7c"].concat(),
            &[b"\x81\x01", &word(8)[..], b"\x01\x00", b"\x01\x90\x80\x01"].concat(),
            &[&word(8)[..], b"\x01\x00", b"\x01\x80\x08"].concat(),
        ])
    }

    fn decode<'i>(descriptions: &'i [u8], probes: &'i [u8]) -> Result<Probes<'i>, Damaged> {
        let bytes = |bytes| EndianSlice::new(bytes, RunTimeEndian::Little);
        let start = |number| {
            [(7, FilePc(0x5000)), (9, FilePc(0x6000))].into_iter().find(|it| it.0 == number)
        };
        Probes::decode(bytes(descriptions), bytes(probes), |number| start(number).map(|it| it.1))
    }

    /// Each probe with its instance and address.
    fn places(probes: &Probes<'_>) -> Vec<(usize, u64, ProbeKind, u64)> {
        let place = |it: &Probe| (it.instance, it.index, it.kind, it.address.0);
        probes.probes.iter().map(place).collect()
    }

    #[test]
    fn probes_are_read_with_their_functions() {
        let (descriptions, probes) = (descriptions(), probes());
        let read = decode(&descriptions, &probes).unwrap();
        assert_eq!(read.functions[&7], ProbedFunction { name: b"main", checksum: 70 });
        assert_eq!(read.functions[&8], ProbedFunction { name: b"f.__uniq", checksum: 80 });
        let callers: Vec<_> = read.instances.iter().map(|it| (it.function, it.caller)).collect();
        assert_eq!(callers, [(7, None), (8, Some((0, 2))), (8, Some((1, 129))), (8, None)]);
        let expected = [
            (0, 1, Block, 0x1000),
            (0, 2, Block, 0x1010),
            (1, 1, Block, 0x100c),
            (2, 1, Block, 0x108c),
            (3, 1, Block, 0x1094),
        ];
        assert_eq!(places(&read), expected);
    }

    /// As since LLVM 17: distances count from the function's start, or that of a part.
    #[test]
    fn probes_count_from_the_starts_of_functions() {
        let probes = section(&[
            &[&word(7)[..], b"\x02\x00", b"\x01\x80\x04", b"\x02\xc2\x04\x05"].concat(),
            &[&word(7)[..], b"\x02\x00", b"\x00\x20", &word(9), b"\x03\x81\x08"].concat(),
            // Of the function 8 and a part of 10 nobody knows where they start.
            &[&word(8)[..], b"\x01\x00", b"\x01\x80\x04"].concat(),
            &[&word(7)[..], b"\x01\x00", b"\x01\x80\x02"].concat(),
        ]);
        let read = decode(&[], &probes).unwrap();
        let expected = [
            (0, 1, Block, 0x5004),
            (0, 2, DirectCall, 0x5008),
            (1, 3, IndirectCall, 0x6008),
            (3, 1, Block, 0x5002),
        ];
        assert_eq!(places(&read), expected);
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let (descriptions, probes) = (descriptions(), probes());
        // Ends of whole descriptions, and of whole functions.
        let whole = [0, 21, descriptions.len()];
        for len in 0..=descriptions.len() {
            let read = decode(&descriptions[..len], &probes);
            assert_eq!(read.is_ok(), whole.contains(&len), "{len}");
        }
        let whole = [0, probes.len() - 13, probes.len()];
        for len in 0..=probes.len() {
            let read = decode(&descriptions, &probes[..len]);
            assert_eq!(read.is_ok(), whole.contains(&len), "{len}");
        }
        let error = decode(&descriptions, &probes[..3]).unwrap_err();
        assert_eq!(error.to_string(), "section .pseudo_probe is damaged at byte 0x0");
    }

    #[test]
    fn counts_and_depths_that_cannot_be_are_refused() {
        let most = b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        for bytes in [
            section(&[&word(7), most, b"\x00"]),
            section(&[&word(7), b"\x00", most]),
            section(&[&word(7), most, most, b"\x01\x80\x00"]),
            section(&[&word(7), &[0xff; 30]]),
        ] {
            assert!(decode(&[], &bytes).is_err(), "{bytes:?}");
        }
        assert!(decode(&section(&[&word(7), &word(7), most, b"main"]), &[]).is_err());
        let inlined = |depth| [&word(7)[..], b"\x00\x01\x01"].concat().repeat(depth);
        let nested = |depth| [inlined(depth), [&word(7)[..], b"\x00\x00"].concat()].concat();
        assert!(decode(&[], &nested(DEEPEST - 1)).is_ok());
        for depth in [DEEPEST, 100_000] {
            assert!(decode(&[], &nested(depth)).is_err());
        }
    }
}
