//! The functions of a module by its unwind tables: where each begins and ends, and where an exception that leaves one
//! of its calls goes on.

use core::ops::Range;

use gmon_unwind::{Bytes, Native, OMITTED, Processor, Tables};

use crate::elf::Image;

type Word = <Native as Processor>::Word;

/// The functions of a module. All addresses are those of its file.
pub(crate) struct Functions<'i, 'm> {
    image: &'i Image<'m>,
    tables: Tables<'m, Native>,
}

/// A function, or a part of one that lies elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The table of what exceptions do, unless they pass through.
    exceptions: Option<usize>,
}

impl<'i, 'm> Functions<'i, 'm> {
    /// The functions, if the module has a table of them.
    pub(crate) fn of(image: &'i Image<'m>) -> Option<Self> {
        let Range { start, end } = image.unwind;
        let part = image.parts.iter().find(|part| start.wrapping_sub(part.start) < part.len)?;
        let segment = Bytes::of(part.start as Word, image.tail(part.start)?);
        let tables = Tables { segment, header: start as Word, header_len: end - start };
        Some(Self { image, tables })
    }

    /// The function around an address.
    pub(crate) fn around(&self, address: usize) -> Option<Function> {
        let found = self.tables.function(address as Word)?;
        let exceptions = found.exceptions.map(|address| address as usize);
        Some(Function { start: found.start as usize, end: found.end as usize, exceptions })
    }

    /// Calls `visit` with each range of code whose exceptions go on in the function, and where. `None` if they cannot
    /// be read.
    pub(crate) fn each_landing(
        &self,
        function: &Function,
        mut visit: impl FnMut(Range<usize>, usize),
    ) -> Option<()> {
        let Some(exceptions) = function.exceptions else { return Some(()) };
        let mut table = Bytes::<Native>::of(exceptions as Word, self.image.tail(exceptions)?);
        let base = match table.u8()? {
            OMITTED => function.start,
            encoding => table.pointer(encoding, 0)? as usize,
        };
        if table.u8()? != OMITTED {
            table.unsigned()?;
        }
        let encoding = table.u8()?;
        let len = table.index()?;
        let mut calls = table.take(len)?;
        while !calls.is_empty() {
            let start = function.start.wrapping_add(calls.number(encoding)? as usize);
            let end = start.wrapping_add(calls.number(encoding)? as usize);
            let landing = calls.number(encoding)? as usize;
            calls.unsigned()?;
            if landing != 0 {
                visit(start..end, base.wrapping_add(landing));
            }
        }
        Some(())
    }
}
