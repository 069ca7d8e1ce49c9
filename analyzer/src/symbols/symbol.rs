//! A symbol that stands for code, and which of several is the better name.

use gmon_format::FilePc;

use super::admission::{Admission, Admitted};
use crate::error::Error;
use crate::image::{ElfSymbol, Image};

/// A function, or another label in the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Name as the linker knows it.
    pub name: &'a [u8],
    /// Its first address.
    pub address: FilePc,
    /// Its last address; below `address` for a symbol that lies outside the code and owns nothing.
    pub end: FilePc,
    /// The number of bytes that the linker knows it to have; 0 if it does not say.
    pub size: u64,
    /// True if it is marked as a function.
    pub is_function: bool,
    /// True if it is local to its object file.
    pub is_static: bool,
    /// True if it stands for its whole object file, under the name of that.
    pub is_object_file: bool,
}

impl<'a> Symbol<'a> {
    /// An end that is not known yet.
    pub(super) const OPEN: FilePc = FilePc::MIN;

    /// Stands for code in no function.
    pub const UNKNOWN: Symbol<'static> = Symbol {
        name: b"[unknown]",
        address: FilePc::MAX,
        end: FilePc::MIN,
        size: 0,
        is_function: true,
        is_static: true,
        is_object_file: false,
    };

    pub(super) fn select_all(image: &'a Image, admission: Admission) -> Result<Vec<Self>, Error> {
        let mut symbols = Vec::new();
        image.visit_symbols(|symbol| symbols.extend(Self::select(&symbol, admission)))?;
        Ok(symbols)
    }

    pub(super) fn select(symbol: &ElfSymbol<'a>, admission: Admission) -> Option<Self> {
        Admitted::judge(symbol, admission).map(|admitted| Self {
            name: symbol.name,
            address: symbol.address,
            end: Self::OPEN,
            // That of a descriptor is not that of its code.
            size: if symbol.is_described { 0 } else { symbol.size },
            is_function: symbol.kind == object::elf::STT_FUNC,
            is_static: admitted == Admitted::Static,
            is_object_file: false,
        })
    }

    /// The number of bytes that it owns; `None` if it owns nothing.
    pub(crate) fn code_len(&self) -> Option<u64> {
        let len = self.end.checked_distance(self.address);
        len.map(|len| len.saturating_add(1))
    }

    /// Returns `true` if this is known to end before another begins.
    pub(super) fn ends_before(&self, other: &Self) -> bool {
        self.size > 0 && self.address.saturating_add(self.size - 1) < other.address
    }

    /// Returns `true` if this is the better name for the address that both symbols have.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        let underscores =
            |symbol: &Self| symbol.name.iter().take(2).take_while(|&&byte| byte == b'_').count();
        let rank = |symbol: &Self| (symbol.is_static, !symbol.is_function, underscores(symbol));
        rank(self) < rank(other)
    }
}
