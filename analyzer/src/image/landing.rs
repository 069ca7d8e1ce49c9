//! Landing pads: where code goes on after an exception, as the tables of the functions (`.gcc_except_table`) say.

use std::ops::Range;

use gimli::{DwEhPe, EndianSlice, Pointer, Reader, RunTimeEndian};
use gmon_format::FilePc;
use object::{Object, ObjectSection};

use super::elf::{Image, parse, range};
use super::unnamed::each_unwound;

impl Image {
    /// The landing pads of all functions, in the order of their addresses. What is damaged is left out.
    pub(crate) fn landing_pads(&self) -> Vec<FilePc> {
        let mut pads = Vec::new();
        let Ok(file) = parse(&self.bytes) else { return pads };
        let table = file.section_by_name(".gcc_except_table");
        let Some((table, bytes)) = table.and_then(|it| Some((range(&it), it.data().ok()?))) else {
            return pads;
        };
        let endian = self.endian();
        _ = each_unwound(&file, endian, &mut |function, lsda| {
            let Some(Pointer::Direct(at)) = lsda else { return };
            let at = FilePc(at).checked_distance(table.start);
            let rest = at.and_then(|at| bytes.get(usize::try_from(at).ok()?..));
            if let Some(rest) = rest {
                _ = add(EndianSlice::new(rest, endian), &function, &mut pads);
            }
        });
        pads.sort_unstable();
        pads
    }
}

/// Adds the landing pads of a function. Those that compilers make lie at distances from its start.
fn add(
    mut table: EndianSlice<'_, RunTimeEndian>,
    function: &Range<FilePc>,
    pads: &mut Vec<FilePc>,
) -> gimli::Result<()> {
    if DwEhPe(table.read_u8()?) != gimli::DW_EH_PE_omit {
        return Ok(());
    }
    if DwEhPe(table.read_u8()?) != gimli::DW_EH_PE_omit {
        table.read_uleb128()?;
    }
    let encoding = DwEhPe(table.read_u8()?);
    let len = table.read_uleb128()? as usize;
    let mut calls = table.split(len)?;
    let number = |calls: &mut EndianSlice<'_, RunTimeEndian>| match encoding {
        gimli::DW_EH_PE_udata4 => calls.read_u32().map(u64::from),
        _ => calls.read_uleb128(),
    };
    while !calls.is_empty() {
        let [_start, _len, pad] = [number(&mut calls)?, number(&mut calls)?, number(&mut calls)?];
        let _action = calls.read_uleb128()?;
        let pad =
            Some(function.start.saturating_add(pad)).filter(|at| pad > 0 && *at < function.end);
        pads.extend(pad);
    }
    Ok(())
}
