//! Units of compilation that are worth decoding, where only few addresses of a file matter: a library has
//! thousands of units, and a profile found the program in a dozen of them.

use std::collections::HashSet;

use gimli::{DebugInfoOffset, UnitHeader};
use gmon_format::FilePc;

use crate::image::debug::{Dwarf, Slice, Unit};

/// A choice of units, by the addresses that anybody will ask about.
#[derive(Clone, Copy, Debug)]
pub(in crate::image) struct ChosenUnits<'a> {
    /// Sorted; all units if `None`.
    addresses: Option<&'a [FilePc]>,
    elsewhere: Option<&'a UnitsElsewhere>,
}

/// Units that have no code at any of the addresses, as far as `.debug_aranges` tells (DWARF 5, 6.1.2), by where they begin.
/// Not all compilers write that section; where it is, nobody needs to look into these units.
#[derive(Debug)]
pub(in crate::image) struct UnitsElsewhere(HashSet<DebugInfoOffset>);

impl UnitsElsewhere {
    /// Units of all code but that at these addresses, which are sorted.
    pub(in crate::image) fn new(dwarf: &Dwarf<'_>, addresses: &[FilePc]) -> Self {
        let (mut here, mut elsewhere) = (HashSet::new(), HashSet::new());
        let mut units = dwarf.debug_aranges.headers();
        while let Ok(Some(unit)) = units.next() {
            let mut ranges = unit.entries();
            while let Ok(Some(range)) = ranges.next() {
                let range = range.range();
                let is_here = has_one(addresses, range.begin, range.end);
                let list = if is_here { &mut here } else { &mut elsewhere };
                list.insert(unit.debug_info_offset());
            }
        }
        Self(&elsewhere - &here)
    }
}

impl<'a> ChosenUnits<'a> {
    /// All units.
    pub(in crate::image) const ALL: Self = Self { addresses: None, elsewhere: None };

    /// Units with code at one of these addresses, which are sorted.
    pub(in crate::image) fn with(addresses: &'a [FilePc], elsewhere: &'a UnitsElsewhere) -> Self {
        Self { addresses: Some(addresses), elsewhere: Some(elsewhere) }
    }

    /// Returns `true` if a unit may be chosen, as far as that is known without reading it.
    pub(super) fn may_have(&self, unit: &UnitHeader<Slice<'_>>) -> bool {
        let place = unit.offset().as_debug_info_offset();
        !self.elsewhere.zip(place).is_some_and(|(elsewhere, place)| elsewhere.0.contains(&place))
    }

    /// Returns `true` if a unit is chosen. One that does not say where its code is may hold
    /// anything.
    pub(super) fn has(&self, dwarf: &Dwarf<'_>, unit: &Unit<'_>) -> bool {
        let Some(addresses) = self.addresses else { return true };
        let Ok(mut ranges) = dwarf.unit_ranges(unit) else { return true };
        let mut has_code = false;
        while let Ok(Some(range)) = ranges.next() {
            has_code = true;
            if has_one(addresses, range.begin, range.end) {
                return true;
            }
        }
        !has_code
    }
}

/// Returns `true` if one of sorted addresses is in a range.
fn has_one(addresses: &[FilePc], begin: u64, end: u64) -> bool {
    let after = addresses.partition_point(|address| address.0 < begin);
    addresses.get(after).is_some_and(|address| address.0 < end)
}
