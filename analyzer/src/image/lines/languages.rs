//! The languages of code whose linker names alone do not tell how its functions are called in the source.

use std::collections::HashMap;

use gimli::{AttributeValue, DwLang, constants as dw};
use gmon_demangle::Language;
use gmon_format::FilePc;

use super::units::language;
use crate::image::debug::{Dwarf, SplitUnits, Unit};

/// Facts of debug information about the names of functions.
#[derive(Debug, Default)]
pub struct SourceNames {
    /// The languages of functions by their first addresses.
    languages: HashMap<FilePc, Language>,
    /// The names of functions that linker names say only in part.
    names: HashMap<FilePc, Box<[u8]>>,
    /// Name of the main program of Fortran.
    program: Option<Box<[u8]>>,
}

/// The linker's name of the main program of Fortran.
const MAIN: &[u8] = b"MAIN__";

impl SourceNames {
    /// Reads the units of the languages in question. What is damaged is left out.
    pub(in crate::image) fn new(dwarf: &Dwarf<'_>, split_units: &SplitUnits<'_>) -> Self {
        let mut known = Self::default();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let Ok(unit) = dwarf.unit(header) else { continue };
            // What was read up to some damage is good.
            _ = known.read(dwarf, &unit);
            split_units.visit(dwarf, &unit, |dwarf, split| _ = known.read(dwarf, &split));
        }
        known
    }

    /// The language of the function that begins at an address.
    #[must_use]
    pub fn language(&self, address: FilePc) -> Language {
        self.languages.get(&address).copied().unwrap_or_default()
    }

    /// Returns `true` if there is code of a language.
    #[must_use]
    pub fn has(&self, language: Language) -> bool {
        self.languages.values().any(|it| *it == language)
    }

    /// The name in the source of a function that begins at an address, where it does not follow from the linker's.
    #[must_use]
    pub fn name(&self, address: FilePc, linkage: &[u8]) -> Option<&[u8]> {
        self.names.get(&address).map(|name| &**name).or_else(|| self.program(linkage))
    }

    /// The name of the program, for what the linker calls the main program of Fortran.
    #[must_use]
    pub fn program(&self, linkage: &[u8]) -> Option<&[u8]> {
        self.program.as_deref().filter(|_| linkage == MAIN)
    }

    fn read(&mut self, dwarf: &Dwarf<'_>, unit: &Unit<'_>) -> gimli::Result<()> {
        let Some(dialect) = language(unit).and_then(Dialect::of) else { return Ok(()) };
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            if entry.tag() != gimli::DW_TAG_subprogram {
                continue;
            }
            let Some(range) = dwarf.die_ranges(unit, entry)?.next()? else { continue };
            if let Dialect::Known(language) = dialect {
                self.languages.insert(FilePc(range.begin), language);
            }
            let name = || {
                let name = dwarf.attr_string(unit, entry.attr_value(gimli::DW_AT_name).ok()??);
                name.ok().map(|name| Box::from(name.slice()))
            };
            let is_main = entry.attr_value(gimli::DW_AT_main_subprogram)?;
            if is_main == Some(AttributeValue::Flag(true)) {
                self.program = self.program.take().or_else(name);
            }
            if dialect == Dialect::ObjectiveC {
                let name = name().filter(|name| name.starts_with(b"+[") || name.starts_with(b"-["));
                self.names.extend(name.map(|name| (FilePc(range.begin), name)));
            }
        }
        Ok(())
    }
}

/// A language in question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// A language whose linker names can be read.
    Known(Language),
    /// A language whose linker names lose what its methods are called.
    ObjectiveC,
}

impl Dialect {
    fn of(language: DwLang) -> Option<Self> {
        Some(match language {
            dw::DW_LANG_Ada83 | dw::DW_LANG_Ada95 | dw::DW_LANG_Ada2005 | dw::DW_LANG_Ada2012 => {
                Self::Known(Language::Ada)
            }
            dw::DW_LANG_Fortran77
            | dw::DW_LANG_Fortran90
            | dw::DW_LANG_Fortran95
            | dw::DW_LANG_Fortran03
            | dw::DW_LANG_Fortran08
            | dw::DW_LANG_Fortran18 => Self::Known(Language::Fortran),
            dw::DW_LANG_ObjC | dw::DW_LANG_ObjC_plus_plus => Self::ObjectiveC,
            _ => return None,
        })
    }
}
