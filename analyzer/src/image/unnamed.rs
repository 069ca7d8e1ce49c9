//! Functions of a stripped file: its rules for unwinding stacks tell where they begin and end, though not what
//! they are called.

use std::ops::Range;

use gimli::{BaseAddresses, CieOrFde, EhFrame, EndianSlice, Pointer, RunTimeEndian, UnwindSection};
use gmon_format::FilePc;
use object::{Object, ObjectSection};

use super::elf::{is_code, range};

/// The code of each function; that of the sections, if there are no rules.
pub(super) fn functions(file: &object::File<'_>, endian: RunTimeEndian) -> Vec<Range<FilePc>> {
    let sections: Vec<_> = file.sections().filter(is_code).map(|section| range(&section)).collect();
    let mut functions = unwound(file, endian).unwrap_or_default();
    // Rules of discarded functions begin at 0.
    functions.retain(|function| sections.iter().any(|code| code.contains(&function.start)));
    if functions.is_empty() { sections } else { functions }
}

/// Functions with unwind rules. None if there is no section for them.
fn unwound(file: &object::File<'_>, endian: RunTimeEndian) -> Option<Vec<Range<FilePc>>> {
    let mut functions = Vec::new();
    each_unwound(file, endian, &mut |function, _| functions.push(function))?;
    Some(functions)
}

/// Tells functions with unwind rules, each with the place of its table of exceptions. None if there is no section for them.
pub(super) fn each_unwound(
    file: &object::File<'_>,
    endian: RunTimeEndian,
    tell: &mut dyn FnMut(Range<FilePc>, Option<Pointer>),
) -> Option<()> {
    let section = file.section_by_name(".eh_frame")?;
    let bytes = section.data().ok()?;
    let mut rules = EhFrame::from(EndianSlice::new(bytes, endian));
    rules.set_address_size(if file.is_64() { 8 } else { 4 });
    let mut bases = BaseAddresses::default().set_eh_frame(section.address());
    if let Some(text) = file.section_by_name(".text") {
        bases = bases.set_text(text.address());
    }
    if let Some(got) = file.section_by_name(".got") {
        bases = bases.set_got(got.address());
    }
    let mut entries = rules.entries(&bases);
    // What is damaged ends the list.
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(function) = partial.parse(EhFrame::cie_from_offset) else { continue };
        let start = FilePc(function.initial_address());
        tell(start..start.saturating_add(function.len()), function.lsda());
    }
    Some(())
}
