//! Which lines are a function's.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use gmon_analyzer::Names;
use gmon_analyzer::symbols::SymbolId;

use crate::source_profile::SourceProfile;

/// The source of a function.
pub(super) struct Function {
    pub(super) name: String,
    /// Path of its file as the compiler recorded it.
    pub(super) file: Vec<u8>,
    pub(super) lines: RangeInclusive<u32>,
}

/// The functions of a name: the linker's, the source's, or that without its arguments.
///
/// # Errors
///
/// There is none, or none whose lines are known.
pub(super) fn find(
    profile: &SourceProfile<'_>,
    names: &Names<'_>,
    name: &str,
) -> Result<Vec<Function>> {
    let program = profile.image.path().display();
    let is_named = |id: &SymbolId| {
        let plain = String::from_utf8_lossy(names.plain(*id));
        let bare = plain.split('(').next().unwrap_or_default();
        names.raw(*id) == name.as_bytes() || plain == name || bare == name
    };
    let named: Vec<SymbolId> = profile.symbols.ids().filter(is_named).collect();
    if named.is_empty() {
        bail!("{program} has no function {name}; gmon gprof -p -z lists all of them");
    }
    let functions: Vec<Function> =
        named.iter().filter_map(|&id| source(profile, names, id)).collect();
    if functions.is_empty() {
        bail!("{program}: the lines of {name} are not known; compile with -g");
    }
    Ok(functions)
}

/// From the line where it begins to the last that is its own and not of a function inlined into it.
fn source(profile: &SourceProfile<'_>, names: &Names<'_>, id: SymbolId) -> Option<Function> {
    let symbol = profile.symbols.get(id);
    let code = symbol.address..symbol.end.saturating_add(1);
    let start = profile.lines.locate(symbol.address)?;
    let own = profile.lines.pieces(code).filter(|piece| {
        let is_own = profile.functions.inlinings(piece.code.start).next().is_none();
        is_own && piece.location.file == start.file
    });
    let last = own.map(|piece| piece.location.line).max().unwrap_or(start.line).max(start.line);
    let path = profile.lines.path(start.file);
    let file = profile.costs.files().get(path);
    let declared = file.and_then(|file| file.functions.iter().find(|known| known.function == id));
    Some(Function {
        name: String::from_utf8_lossy(names.plain(id)).into_owned(),
        lines: declared.map_or(start.line.get(), |known| known.line)..=last.get(),
        file: path.to_owned(),
    })
}
