//! All units of compilation that entries of debug information can refer to.

use std::cell::OnceCell;

use gimli::{AttributeValue, DebugInfoOffset, DwLang, UnitHeader, UnitOffset, constants as dw};

use super::chosen::ChosenUnits;
use crate::image::debug::{Dwarf, Slice, Unit};

/// A unit among [`Units`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitId {
    part: Part,
    index: u32,
}

/// Whose units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// The program's own.
    Own,
    /// Units shared with other programs.
    Supplement,
}

/// The units of a program, or of one of its files.
pub(super) struct Units<'a> {
    dwarf: &'a Dwarf<'a>,
    own: Vec<LazyUnit<'a>>,
    supplement: Vec<LazyUnit<'a>>,
}

/// A unit that is read when somebody asks for it: libraries have thousands.
struct LazyUnit<'a> {
    header: UnitHeader<Slice<'a>>,
    /// Nothing if it is damaged.
    entries: OnceCell<Option<UnitEntries<'a>>>,
}

/// A unit.
pub(super) struct UnitEntries<'a> {
    pub(super) unit: Unit<'a>,
    /// True if its language links functions by their names in the source. Units of what others have in
    /// common state no language.
    pub(super) names_are_linkage: Option<bool>,
    /// True if its language is C++, where names in the source stand in scopes; as little stated there.
    pub(super) names_have_scopes: Option<bool>,
}

impl<'a> Units<'a> {
    /// All units of a program.
    pub(super) fn of_program(dwarf: &'a Dwarf<'a>) -> Self {
        let supplement = dwarf.sup().map(headers).unwrap_or_default();
        Self { dwarf, own: headers(dwarf), supplement }
    }

    /// The one unit of a file that was split off.
    pub(super) fn of_split_unit(dwarf: &'a Dwarf<'a>, unit: Unit<'a>) -> Self {
        let supplement = dwarf.sup().map(headers).unwrap_or_default();
        let own = LazyUnit { header: unit.header, entries: Some(UnitEntries::new(unit)).into() };
        Self { dwarf, own: vec![own], supplement }
    }

    /// The program's own units, as far as they are chosen; what is damaged is left out.
    pub(super) fn own(&self, chosen: ChosenUnits<'_>) -> impl Iterator<Item = (UnitId, &Unit<'a>)> {
        let id = |index| UnitId { part: Part::Own, index };
        (0..).map(id).zip(&self.own).filter_map(move |(id, unit)| {
            Some((id, &unit.entries_if_chosen(self.dwarf, chosen)?.unit))
        })
    }

    /// A unit, and the sections it is in; nothing if it is damaged.
    pub(super) fn get(&self, id: UnitId) -> Option<(&'a Dwarf<'a>, &UnitEntries<'a>)> {
        let (dwarf, list) = self.part(id.part);
        Some((dwarf, list[id.index as usize].entries(dwarf)?))
    }

    /// The entry that an attribute of `unit` refers to.
    pub(super) fn entry(
        &self,
        unit: UnitId,
        reference: AttributeValue<Slice<'a>>,
    ) -> Option<(UnitId, UnitOffset)> {
        match reference {
            AttributeValue::UnitRef(offset) => Some((unit, offset)),
            AttributeValue::DebugInfoRef(offset) => self.find(unit.part, offset),
            AttributeValue::DebugInfoRefSup(offset) => self.find(Part::Supplement, offset),
            _ => None,
        }
    }

    fn find(&self, part: Part, offset: DebugInfoOffset) -> Option<(UnitId, UnitOffset)> {
        let (_, list) = self.part(part);
        let starts_before =
            |it: &LazyUnit<'_>| it.header.offset().as_debug_info_offset() <= Some(offset);
        let index = list.partition_point(starts_before).checked_sub(1)?;
        let offset = offset.to_unit_offset(&list[index].header)?;
        Some((UnitId { part, index: index as u32 }, offset))
    }

    fn part(&self, part: Part) -> (&'a Dwarf<'a>, &[LazyUnit<'a>]) {
        match part {
            Part::Own => (self.dwarf, &self.own),
            Part::Supplement => (self.dwarf.sup().unwrap_or(self.dwarf), &self.supplement),
        }
    }
}

/// All units of a section, none of which is read yet.
fn headers<'a>(dwarf: &Dwarf<'a>) -> Vec<LazyUnit<'a>> {
    let mut headers = dwarf.units();
    let mut units = Vec::new();
    while let Ok(Some(header)) = headers.next() {
        units.push(LazyUnit { header, entries: OnceCell::new() });
    }
    units
}

impl<'a> LazyUnit<'a> {
    /// Contents; nothing if the unit is damaged.
    fn entries(&self, dwarf: &Dwarf<'a>) -> Option<&UnitEntries<'a>> {
        let read = || dwarf.unit(self.header).ok().map(UnitEntries::new);
        self.entries.get_or_init(read).as_ref()
    }

    /// Contents of a chosen unit. Those of others are not kept.
    fn entries_if_chosen(
        &self,
        dwarf: &Dwarf<'a>,
        chosen: ChosenUnits<'_>,
    ) -> Option<&UnitEntries<'a>> {
        if !chosen.may_have(&self.header) {
            return None;
        }
        if self.entries.get().is_none() {
            let unit = dwarf.unit(self.header).ok().filter(|unit| chosen.has(dwarf, unit))?;
            return self.entries.get_or_init(|| Some(UnitEntries::new(unit))).as_ref();
        }
        self.entries(dwarf).filter(|entries| chosen.has(dwarf, &entries.unit))
    }
}

impl<'a> UnitEntries<'a> {
    fn new(unit: Unit<'a>) -> Self {
        let language = language(&unit);
        Self {
            names_are_linkage: language.map(links_plain_names),
            names_have_scopes: language.map(is_cpp),
            unit,
        }
    }
}

/// The language of a unit, if it states one.
pub(super) fn language(unit: &Unit<'_>) -> Option<DwLang> {
    let mut entries = unit.entries();
    entries.next_dfs().ok()?;
    match entries.current()?.attr_value(gimli::DW_AT_language).ok()?? {
        AttributeValue::Language(language) => Some(language),
        _ => None,
    }
}

/// The languages that GNU gprof counts among these.
fn links_plain_names(language: DwLang) -> bool {
    matches!(
        language,
        dw::DW_LANG_C89
            | dw::DW_LANG_C
            | dw::DW_LANG_Ada83
            | dw::DW_LANG_Cobol74
            | dw::DW_LANG_Cobol85
            | dw::DW_LANG_Fortran77
            | dw::DW_LANG_Pascal83
            | dw::DW_LANG_C99
            | dw::DW_LANG_Ada95
            | dw::DW_LANG_PLI
            | dw::DW_LANG_UPC
            | dw::DW_LANG_C11
            | dw::DW_LANG_Mips_Assembler
    )
}

fn is_cpp(language: DwLang) -> bool {
    matches!(
        language,
        dw::DW_LANG_C_plus_plus
            | dw::DW_LANG_C_plus_plus_03
            | dw::DW_LANG_C_plus_plus_11
            | dw::DW_LANG_C_plus_plus_14
            | dw::DW_LANG_C_plus_plus_17
            | dw::DW_LANG_C_plus_plus_20
    )
}
