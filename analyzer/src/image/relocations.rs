//! Object files that no linker has seen yet: addresses in their debug information are still open.

use std::collections::HashMap;

use object::{
    Object, ObjectKind, ObjectSection, ObjectSymbol, RelocationFlags, RelocationKind,
    RelocationTarget, SectionIndex, elf,
};

/// Fills them in as a linker would.
pub(super) struct Relocations<'file, 'data> {
    file: &'file object::File<'data>,
    /// Addresses at which a linker might put sections. All begin at zero in the file.
    places: HashMap<SectionIndex, u64>,
}

/// Change of the value that stands in the section.
enum Operation {
    Set,
    Add,
    Subtract,
}
use Operation::{Add, Set, Subtract};

impl<'file, 'data> Relocations<'file, 'data> {
    /// With all sections at zero; nothing if the file is linked.
    pub(super) fn of(file: &'file object::File<'data>) -> Option<Self> {
        let is_open = file.kind() == ObjectKind::Relocatable;
        is_open.then(|| Self { file, places: HashMap::new() })
    }

    /// With the other code behind `.text`, where it does not pass for that.
    pub(super) fn with_code_apart(self) -> Self {
        Self { places: places(self.file), ..self }
    }

    /// Fills in the addresses in one section, of which these are the bytes.
    pub(super) fn apply(&self, section: &object::Section<'data, 'file>, bytes: &mut [u8]) {
        for (offset, relocation) in section.relocations() {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => self.file.symbol_by_index(index).ok(),
                _ => None,
            };
            let (Some(symbol), Some((width, operation))) = (target, self.operation(&relocation))
            else {
                continue;
            };
            let field = usize::try_from(offset).ok().and_then(|start| bytes.get_mut(start..));
            let Some(field) = field.and_then(|field| field.get_mut(..width)) else { continue };
            let place = symbol.section_index().and_then(|index| self.places.get(&index));
            let address = symbol.address().wrapping_add(place.copied().unwrap_or(0));
            let value = address.wrapping_add(relocation.addend() as u64);
            let found = self.read(field);
            let value = match operation {
                Set if relocation.has_implicit_addend() => found.wrapping_add(value),
                Set => value,
                Add => found.wrapping_add(value),
                Subtract => found.wrapping_sub(value),
            };
            self.write(field, value);
        }
    }

    /// Number of bytes that change, and how.
    fn operation(&self, relocation: &object::Relocation) -> Option<(usize, Operation)> {
        let is_riscv = self.file.architecture() == object::Architecture::Riscv64
            || self.file.architecture() == object::Architecture::Riscv32;
        let RelocationFlags::Elf { r_type } = relocation.flags() else { return None };
        Some(match (relocation.kind(), relocation.size()) {
            (RelocationKind::Absolute, size @ (32 | 64)) => (usize::from(size) / 8, Set),
            // Distances are left open as well, since the linker may shorten code between.
            _ if !is_riscv => return None,
            _ => match r_type {
                elf::R_RISCV_ADD8 => (1, Add),
                elf::R_RISCV_ADD16 => (2, Add),
                elf::R_RISCV_ADD32 => (4, Add),
                elf::R_RISCV_ADD64 => (8, Add),
                elf::R_RISCV_SUB8 => (1, Subtract),
                elf::R_RISCV_SUB16 => (2, Subtract),
                elf::R_RISCV_SUB32 => (4, Subtract),
                elf::R_RISCV_SUB64 => (8, Subtract),
                elf::R_RISCV_SET8 => (1, Set),
                elf::R_RISCV_SET16 => (2, Set),
                elf::R_RISCV_SET32 => (4, Set),
                _ => return None,
            },
        })
    }

    fn read(&self, field: &[u8]) -> u64 {
        let join = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        if self.file.is_little_endian() {
            field.iter().rev().fold(0, join)
        } else {
            field.iter().fold(0, join)
        }
    }

    fn write(&self, field: &mut [u8], value: u64) {
        let width = field.len();
        if self.file.is_little_endian() {
            field.copy_from_slice(&value.to_le_bytes()[..width]);
        } else {
            field.copy_from_slice(&value.to_be_bytes()[8 - width..]);
        }
    }
}

/// A place behind `.text` for each other section of code.
fn places(file: &object::File<'_>) -> HashMap<SectionIndex, u64> {
    let mut end = file.section_by_name(".text").map_or(0, |text| text.size());
    let others = file.sections().filter(|section| {
        section.kind() == object::SectionKind::Text && section.name() != Ok(".text")
    });
    others
        .map(|section| {
            let start = end;
            end = end.saturating_add(section.size());
            (section.index(), start)
        })
        .collect()
}
