//! Code cut into pieces, each of which comes from one source line.

use std::ops::Range;

use super::lazy::Lines;
use super::table::Location;

/// Code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its addresses.
    pub code: Range<u64>,
    /// The line.
    pub location: Location,
}

impl<'image> Lines<'image> {
    /// The pieces in a range of code, in the order of their addresses. Code without a line is left out.
    pub fn pieces(self, range: Range<u64>) -> impl Iterator<Item = Piece> + use<'image> {
        let rows = self.table().rows_in(&range);
        let ends = rows.iter().skip(1).map(|row| row.address).chain([range.end]);
        rows.iter().zip(ends).filter_map(move |(row, end)| {
            let code = row.address.max(range.start)..end.min(range.end);
            let location = row.location.filter(|_| !code.is_empty())?;
            Some(Piece { code, location })
        })
    }
}
