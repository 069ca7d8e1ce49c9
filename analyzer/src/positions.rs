//! Positions in lists, each of a type of its own.

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
