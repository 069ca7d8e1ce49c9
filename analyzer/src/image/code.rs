//! The machine code of an image, and which instruction set it is in.

use std::ops::Range;

use gmon_format::{ByteOrder, Encoding, FilePc};
use object::{FileFlags, Object, ObjectSection, ObjectSymbol, SymbolFlags, elf};

use super::elf::{Image, is_code, parse};
use crate::arch::{self, Call, Code, InstructionSet, Step};

/// All code of an image that can be decoded.
pub(crate) struct MachineCode<'image> {
    machine: elf::Machine,
    /// The sections with instructions, in the order of their addresses, none of which two have.
    sections: Vec<Code<'image>>,
    /// Starts of code of another set, or of data (`None`), in the order of the addresses. Before
    /// the first, the set is the usual one.
    marks: Vec<(FilePc, Option<InstructionSet>)>,
}

impl Image {
    /// The code; none if it is for a machine that cannot be decoded.
    pub(crate) fn machine_code(&self) -> Option<MachineCode<'_>> {
        let file = parse(&self.bytes).ok()?;
        let machine = machine(&self.bytes, self.encoding());
        arch::decoder(machine, InstructionSet::Usual)?;
        let mut encoding = self.encoding();
        if has_little_code(&file, machine) {
            encoding.order = ByteOrder::Little;
        }
        let sections = file.sections().filter(is_code).filter_map(|section| {
            let bytes = section.data().ok()?;
            Some(Code { address: FilePc(section.address()), bytes, encoding })
        });
        let mut sections: Vec<_> = sections.collect();
        sections.sort_unstable_by_key(|section| section.address);
        // The sections of an object file all begin at zero; the first is `.text`.
        sections.dedup_by(|next, section| next.address < section.end());
        Some(MachineCode { machine, sections, marks: marks(&file, machine) })
    }

    /// Name of the machine in a message.
    pub(crate) fn machine_name(&self) -> String {
        match parse(&self.bytes) {
            Ok(file) => format!("{:?}", file.architecture()).to_lowercase(),
            Err(_) => "unknown".to_owned(),
        }
    }
}

impl MachineCode<'_> {
    /// Reports the calls in a range of addresses, as a [`Decoder`](arch::Decoder) does.
    pub(crate) fn calls(&self, range: &Range<FilePc>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
        self.within(range).for_each(|code| self.decode(code, tell));
    }

    /// The steps in a range of addresses; `None` on machines of which they are not known.
    pub(crate) fn steps(&self, range: &Range<FilePc>) -> Option<Vec<(Range<FilePc>, Step)>> {
        let mut steps = Vec::new();
        let mut tell = |at, step| steps.push((at, step));
        let are_known = self.within(range).all(|code| arch::steps(self.machine, code, &mut tell));
        are_known.then_some(steps)
    }

    fn within(&self, range: &Range<FilePc>) -> impl Iterator<Item = Code<'_>> {
        let first = self.sections.partition_point(|section| section.end() <= range.start);
        let sections = self.sections[first..].iter().take_while(|code| code.address < range.end);
        sections.filter_map(|section| section.within(range))
    }

    /// Decodes code that may be in more than one set.
    fn decode(&self, code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
        let mut next = self.marks.partition_point(|&(address, _)| address <= code.address);
        let mut content = match next.checked_sub(1) {
            Some(last) => self.marks[last].1,
            None => Some(InstructionSet::Usual),
        };
        let mut start = code.address;
        while start < code.end() {
            let mark = self.marks.get(next).filter(|&&(address, _)| address < code.end());
            let end = mark.map_or(code.end(), |&(address, _)| address);
            let decoder = content.and_then(|set| arch::decoder(self.machine, set));
            if let (Some(decoder), Some(part)) = (decoder, code.within(&(start..end))) {
                decoder(part, tell);
            }
            let Some(&(_, following)) = mark else { return };
            (start, content) = (end, following);
            next += 1;
        }
    }
}

/// The number of the machine, which stands behind 16 bytes of identification and the type.
pub(super) fn machine(bytes: &[u8], encoding: Encoding) -> elf::Machine {
    let number = bytes.get(18..20).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default();
    elf::Machine(match encoding.order {
        ByteOrder::Little => u16::from_le_bytes(number),
        ByteOrder::Big => u16::from_be_bytes(number),
    })
}

/// Returns `true` if instructions are little-endian although data is not.
fn has_little_code(file: &object::File<'_>, machine: elf::Machine) -> bool {
    let FileFlags::Elf { e_flags, .. } = file.flags() else { return false };
    machine == elf::EM_ARM && e_flags.contains(elf::EF_ARM_BE8)
}

/// Marks of the assembler for the content of sections: `$a`, `$t`, `$x` and `$d` begin code of one
/// set, or data. Functions say it, too, in programs that were stripped of such symbols.
fn marks(file: &object::File<'_>, machine: elf::Machine) -> Vec<(FilePc, Option<InstructionSet>)> {
    if !matches!(machine, elf::EM_ARM | elf::EM_AARCH64 | elf::EM_RISCV) {
        return Vec::new();
    }
    let mark = |symbol: object::Symbol<'_, '_>| {
        let SymbolFlags::Elf { st_info, .. } = symbol.flags() else { return None };
        let address = symbol.address();
        let (start, content) = match symbol.name_bytes().ok()? {
            [b'$', b'a' | b'x', ..] => (address, Some(InstructionSet::Usual)),
            [b'$', b't', ..] => (address, Some(InstructionSet::Thumb)),
            [b'$', b'd', ..] => (address, None),
            _ if machine != elf::EM_ARM || st_info.st_type() != elf::STT_FUNC => return None,
            _ if address & 1 == 0 => (address, Some(InstructionSet::Usual)),
            _ => (address - 1, Some(InstructionSet::Thumb)),
        };
        Some((FilePc(start), content))
    };
    let mut marks: Vec<_> = file.symbols().filter_map(mark).collect();
    marks.sort_by_cached_key(|&(address, _)| address);
    marks
}
