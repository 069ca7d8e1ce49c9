//! Positions in lists, each of a type of its own, and lists of different things.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Different things, each with its position.
#[derive(Clone, Debug)]
pub(crate) struct Distinct<T> {
    list: Vec<T>,
    positions: HashMap<T, u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self { list: Vec::new(), positions: HashMap::new() }
    }
}

impl<T: Eq + Hash> Distinct<T> {
    /// The position of a thing, which is added if it is new.
    pub(crate) fn position<Q>(&mut self, thing: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = T> + ?Sized,
    {
        if let Some(known) = self.positions.get(thing) {
            return *known;
        }
        let position = self.list.len() as u32;
        self.list.push(thing.to_owned());
        self.positions.insert(thing.to_owned(), position);
        position
    }

    /// The things in the order of their positions.
    pub(crate) fn list(&self) -> &[T] {
        &self.list
    }

    /// The things alone.
    pub(crate) fn into_list(self) -> Vec<T> {
        self.list
    }
}

/// A position by its number.
pub(crate) trait Position: Copy + Into<u32> {
    /// The position with this number.
    fn at(number: u32) -> Self;
}

/// Makes types of positions.
macro_rules! positions {
    ($($(#[$meta:meta])* $name:ident($vis:vis u32),)*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($vis u32);

        impl $name {
            /// The position as an index.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::positions::Position for $name {
            fn at(number: u32) -> Self {
                Self(number)
            }
        }

        impl From<$name> for u32 {
            fn from(position: $name) -> Self {
                position.0
            }
        })*
    };
}

pub(crate) use positions;
