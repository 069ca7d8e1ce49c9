//! Numbers for byte strings: equal strings have equal numbers.

use std::collections::HashMap;

/// The number of a string in one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringId(u32);

/// Different strings, numbered in the order of their first appearance.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    ids: HashMap<Box<[u8]>, StringId>,
}

impl Strings {
    /// The number of a string.
    pub(super) fn id(&mut self, string: &[u8]) -> StringId {
        if let Some(&id) = self.ids.get(string) {
            return id;
        }
        let id = StringId(self.ids.len() as u32);
        self.ids.insert(string.into(), id);
        id
    }

    /// All strings, by number.
    pub(super) fn into_list(self) -> StringList {
        let mut list = vec![Box::default(); self.ids.len()];
        for (string, id) in self.ids {
            list[id.0 as usize] = string;
        }
        StringList(list)
    }
}

/// Strings by number.
#[derive(Clone, Debug, Default)]
pub(super) struct StringList(Vec<Box<[u8]>>);

impl StringList {
    pub(super) const EMPTY: Self = Self(Vec::new());

    pub(super) fn get(&self, id: StringId) -> &[u8] {
        &self.0[id.0 as usize]
    }
}
