//! Executions of source lines.
//!
//! A line is executed as often as the most executed of its blocks: the others are ways through it, or
//! run once before a loop. Where its code was made more than once (inlined into several places,
//! instantiated for several types) each copy counts by itself.

use std::collections::{BTreeMap, HashMap};

use gmon_format::FilePc;

use crate::image::{Declaration, FileId, FunctionTable, Inlining, Lines, Location, Piece};
use crate::profile::{Executions, Stretch};
use crate::symbols::SymbolId;

/// The code of a line in one function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LineCopy<'l> {
    pub(super) file: FileId,
    pub(super) line: u32,
    /// The function that has the code.
    pub(super) function: SymbolId,
    /// Places where the source's function was inlined, the innermost first.
    pub(super) inlinings: Vec<Inlining<'l>>,
}

/// The executions of all lines in counted blocks.
pub(super) fn line_executions<'l>(
    lines: Lines<'_>,
    functions: &'l FunctionTable,
    declarations: &HashMap<FilePc, Declaration>,
    executions: &Executions,
) -> BTreeMap<LineCopy<'l>, u64> {
    let mut copies: BTreeMap<LineCopy<'_>, u64> = BTreeMap::new();
    // The hooks' calls have the line of what follows, or of nothing: then it has no other code.
    let mut of_hooks = Vec::new();
    // Code that never ran, or of which nobody knows it: that may be all of its line that did run.
    let (mut never, mut unknown) = (Vec::new(), BTreeMap::<_, u64>::new());
    let copy = |piece: &Piece, line, stretch: &Stretch| {
        let inlinings = functions.inlinings(piece.code.start).collect();
        LineCopy { file: piece.location.file, line, function: stretch.function, inlinings }
    };
    for function in executions.stretches().chunk_by(|a, b| a.symbol == b.symbol) {
        let start = function.first().map_or(FilePc::MIN, |stretch| stretch.code.start);
        let declaration = declarations.get(&start).copied().unwrap_or_default();
        for (piece, stretch, line) in pieces(lines, function, declaration) {
            let copy = copy(&piece, line, stretch);
            if piece.code.end <= stretch.own_code {
                of_hooks.push((copy, stretch.count));
            } else if stretch.count == 0 {
                never.push((copy, 0));
            } else {
                let most = copies.entry(copy).or_default();
                *most = stretch.count.max(*most);
            }
        }
        for pair in function.windows(2).filter(|pair| pair[0].code.end < pair[1].code.start) {
            let pieces = lines.pieces(pair[0].code.end..pair[1].code.start);
            for piece in pieces {
                *unknown.entry(copy(&piece, piece.location.line.get(), &pair[0])).or_default() = 0;
            }
        }
    }
    for (copy, count) in never.into_iter().chain(of_hooks) {
        if !unknown.contains_key(&copy) {
            copies.entry(copy).or_insert(count);
        }
    }
    copies
}

/// The pieces of a function's stretches, each with its line. That of the opening brace is the
/// declaration's, where readers look for the calls.
fn pieces<'a>(
    lines: Lines<'a>,
    function: &'a [Stretch],
    declaration: Declaration,
) -> impl Iterator<Item = (Piece, &'a Stretch, u32)> {
    /// Lines before the first hook, and behind it.
    const FIRST: usize = 2;
    let brace = function.first().and_then(|first| lines.locate(first.code.start));
    let brace = brace.map(|place| place.line);
    let len = function.len();
    function.iter().enumerate().flat_map(move |(i, stretch)| {
        let mut pieces: Vec<Piece> = lines.pieces(stretch.code.clone()).collect();
        if i > 0 && i + 1 == len && declaration.returns_value && only_returns(stretch, &pieces) {
            pieces.clear();
        }
        pieces.into_iter().map(move |piece| {
            let line = piece.location.line;
            let is_brace = i < FIRST && brace == Some(line) && declaration.line != 0;
            let line = if is_brace { declaration.line.min(line.get()) } else { line.get() };
            (piece, stretch, line)
        })
    })
}

/// Returns `true` if the last block of a function does nothing but return a value that another one has
/// computed: gcc ends all functions so when it does not optimise. It has the line of the last
/// `return`, however many there are, and that of the closing brace, which is no statement.
fn only_returns(stretch: &Stretch, pieces: &[Piece]) -> bool {
    let has_hook = stretch.own_code != stretch.code.start;
    let places: Vec<_> = pieces.iter().map(|piece| piece.location).collect();
    let is_return =
        |value: Location, brace: Location| value.file == brace.file && value.line < brace.line;
    has_hook && matches!(places[..], [value, brace] if is_return(value, brace))
}
