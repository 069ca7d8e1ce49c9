//! The order of the symbols' names, found once for all reports that sort by it.

use super::table::SymbolId;

/// The symbols by name.
#[derive(Clone, Debug)]
pub struct NameOrder {
    ids: Vec<SymbolId>,
    ranks: Vec<u32>,
}

impl NameOrder {
    /// Orders so many symbols by the names that `name` tells.
    pub(super) fn new<'a>(symbols: usize, name: impl Fn(SymbolId) -> &'a [u8]) -> Self {
        // The start of a name, beside its number, decides most comparisons without a look at it.
        let ids = (0..symbols as u32).map(SymbolId);
        let mut by_name: Vec<_> = ids.map(|id| (start(name(id)), id)).collect();
        by_name.sort_unstable_by(|&(start_a, a), &(start_b, b)| {
            start_a.cmp(&start_b).then_with(|| name(a).cmp(name(b))).then(a.cmp(&b))
        });
        let mut ranks = vec![0; symbols];
        let (mut rank, mut last) = (0, None);
        for &(_, id) in &by_name {
            let name = Some(name(id));
            rank += u32::from(name != last);
            last = name;
            ranks[id.index()] = rank;
        }
        Self { ids: by_name.into_iter().map(|(_, id)| id).collect(), ranks }
    }

    /// All symbols by name; those of the same name in the order of the table.
    #[must_use]
    pub fn ids(&self) -> &[SymbolId] {
        &self.ids
    }

    /// The place of a symbol's name among all names; equal ones have the same.
    #[must_use]
    pub fn rank(&self, id: SymbolId) -> u32 {
        self.ranks[id.index()]
    }
}

/// The first bytes of a name as a number that is ordered like them. Those that a short name does not
/// have count as less than any.
fn start(name: &[u8]) -> u64 {
    let mut start = [0; 8];
    let len = name.len().min(8);
    start[..len].copy_from_slice(&name[..len]);
    u64::from_be_bytes(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_by_all_their_bytes() {
        let names: [&[u8]; 9] = [
            b"same_start_b",
            b"b",
            b"same_start_a",
            b"a\xff",
            b"a",
            b"",
            b"b",
            b"same_sta",
            b"a\x01",
        ];
        let order = NameOrder::new(names.len(), |id| names[id.index()]);
        let ids: Vec<_> = order.ids().iter().map(|id| id.0).collect();
        assert_eq!(ids, [5, 4, 8, 3, 1, 6, 7, 2, 0]);
        let ranks: Vec<_> = order.ids().iter().map(|&id| order.rank(id)).collect();
        assert_eq!(ranks, [1, 2, 3, 4, 5, 5, 6, 7, 8]);
    }
}
