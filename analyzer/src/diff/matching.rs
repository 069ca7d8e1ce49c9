//! Matching of the functions of both sides.

use std::collections::HashMap;
use std::hash::Hash;

use super::identity::without_suffixes;
use super::side::Entity;

/// The positions of functions that are the same on both sides, by position on the base's. Each pass takes what the
/// one before left, and only what is unambiguous, except that copies and parts of a function are paired in their
/// order.
pub(super) fn matches(base: &[Entity], new: &[Entity]) -> Vec<Option<u32>> {
    let mut matching =
        Matching { base, new, of_base: vec![None; base.len()], is_taken: vec![false; new.len()] };
    matching.pass(true, |it| Some((&*it.module, &*it.name, it.file.as_deref()?)));
    let file_name = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
    matching.pass(true, |it| Some((&*it.module, &*it.name, file_name(it.file.as_deref()?))));
    matching.pass(true, |it| Some((&*it.module, &*it.name)));
    matching.pass(false, |it| Some((&*it.module, without_suffixes(&it.name))));
    matching.of_base
}

struct Matching<'e> {
    base: &'e [Entity],
    new: &'e [Entity],
    of_base: Vec<Option<u32>>,
    is_taken: Vec<bool>,
}

impl<'e> Matching<'e> {
    /// Matches what has equal keys.
    fn pass<K: Eq + Hash>(&mut self, needs_one: bool, key: impl Fn(&'e Entity) -> Option<K>) {
        let mut groups: HashMap<K, [Vec<u32>; 2]> = HashMap::new();
        let is_free = |side, position: u32| match side {
            0 => self.of_base[position as usize].is_none(),
            _ => !self.is_taken[position as usize],
        };
        for (side, entities) in [self.base, self.new].into_iter().enumerate() {
            for (position, entity) in (0..).zip(entities).filter(|(at, _)| is_free(side, *at)) {
                if let Some(key) = key(entity) {
                    groups.entry(key).or_default()[side].push(position);
                }
            }
        }
        for [old, new] in groups.into_values() {
            if needs_one && (old.len() != 1 || new.len() != 1) {
                continue;
            }
            for (old, new) in old.into_iter().zip(new) {
                // Several of one whole name cannot be told apart.
                if needs_one || self.base[old as usize].name != self.new[new as usize].name {
                    self.of_base[old as usize] = Some(new);
                    self.is_taken[new as usize] = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entities(list: &[(&str, &str, &str)]) -> Vec<Entity> {
        let entity = |(module, name, file): &(&str, &str, &str)| Entity {
            module: (*module).to_owned(),
            name: (*name).to_owned(),
            file: (!file.is_empty()).then(|| (*file).to_owned()),
            linker_name: String::new(),
            display: String::new(),
            calls: Vec::new(),
            samples: Vec::new(),
            waiting: Vec::new(),
            inclusive: Vec::new(),
        };
        list.iter().map(entity).collect()
    }

    #[track_caller]
    fn check(base: &[(&str, &str, &str)], new: &[(&str, &str, &str)], expected: &[Option<u32>]) {
        assert_eq!(matches(&entities(base), &entities(new)), expected);
    }

    #[test]
    fn functions_match_by_module_and_name_wherever_they_move() {
        check(
            &[("", "a", "x.c"), ("", "b", "")],
            &[("", "b", "y.c"), ("", "a", "z.c")],
            &[Some(1), Some(0)],
        );
        check(&[("", "a", "")], &[("libm.so.6", "a", "")], &[None]);
    }

    #[test]
    fn local_functions_of_one_name_match_by_file() {
        let base =
            [("", "init", "/old/one.c"), ("", "init", "/old/two.c"), ("", "init", "/old/three.c")];
        let new = [("", "init", "/new/two.c"), ("", "init", "/new/one.c")];
        check(&base, &new, &[Some(1), Some(0), None]);
        // The full path decides first.
        let base = [("", "f", "/a/u.c"), ("", "f", "/b/u.c")];
        check(&base, &[("", "f", "/b/u.c"), ("", "f", "/a/u.c")], &[Some(1), Some(0)]);
        // Which is which cannot be told.
        check(
            &[("", "f", "/a/u.c"), ("", "f", "/b/u.c")],
            &[("", "f", "/c/v.c"), ("", "f", "")],
            &[None, None],
        );
    }

    #[test]
    fn copies_match_by_the_name_of_their_function() {
        check(
            &[("", "f.constprop.0", ""), ("", "g", "")],
            &[("", "g.part.1", ""), ("", "f.isra.0", "")],
            &[Some(1), Some(0)],
        );
        check(&[("", "f", ""), ("", "f.part.0", "")], &[("", "f.part.0", "")], &[None, Some(0)]);
    }
}
