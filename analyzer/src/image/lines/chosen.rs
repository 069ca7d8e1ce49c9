//! Which units of compilation are worth decoding, where only few addresses of a file matter: a library has
//! thousands of units, and a profile found the program in a dozen of them.

use gmon_format::FilePc;

use crate::image::debug::{Dwarf, Unit};

/// A choice of units, by the addresses that anybody will ask about.
#[derive(Clone, Copy, Debug)]
pub(in crate::image) struct ChosenUnits<'a> {
    /// Sorted; all units if `None`.
    addresses: Option<&'a [FilePc]>,
}

impl<'a> ChosenUnits<'a> {
    /// All units.
    pub(super) const ALL: Self = Self { addresses: None };

    /// Those with code at one of these addresses, which are sorted; all if there is no list.
    pub(in crate::image) fn with(addresses: Option<&'a [FilePc]>) -> Self {
        Self { addresses }
    }

    /// Whether a unit is chosen. One that does not say where its code is may hold anything.
    pub(super) fn has(&self, dwarf: &Dwarf<'_>, unit: &Unit<'_>) -> bool {
        let Some(addresses) = self.addresses else { return true };
        let Ok(mut ranges) = dwarf.unit_ranges(unit) else { return true };
        let mut has_code = false;
        while let Ok(Some(range)) = ranges.next() {
            has_code = true;
            let after = addresses.partition_point(|address| address.0 < range.begin);
            if addresses.get(after).is_some_and(|address| address.0 < range.end) {
                return true;
            }
        }
        !has_code
    }
}
