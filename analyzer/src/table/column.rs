//! Columns of tables.

/// A column: what programs and people call it, what its values are, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name for programs, without its unit.
    pub name: &'static str,
    /// Its heading for people. `{}` stands for the unit of times.
    pub heading: &'static str,
    /// The unit of its numbers.
    pub unit: Unit,
    /// Its place in a row for people.
    pub place: Placing,
    /// The least columns of a terminal that it takes.
    pub width: usize,
}

/// The unit of a column's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// None: text, or a number such as that of a line.
    None,
    /// Things that were counted.
    Count,
    /// Things that are counted in each second.
    PerSecond,
    /// Nanoseconds, which people read as seconds.
    Time,
    /// Hundredths.
    Percent,
}

/// The place of a column in a row for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// A column of its own, aligned to the left.
    Left,
    /// A column of its own, aligned to the right.
    Right,
    /// Directly behind the column before it, after this word, if there is a value.
    Joined(&'static str),
    /// At the end of the row, where it gives way to the width of a terminal.
    Last,
    /// Behind the last column, between these words, if there is a value.
    Behind(&'static str, &'static str),
    /// Behind it as well, but the first that is left out where the name would have to give way.
    Spare(&'static str, &'static str),
    /// In text in place of the last column, indented and behind this word, if there is a value. Elsewhere a column of
    /// its own.
    Under(&'static str),
    /// Nowhere: for programs only.
    Nowhere,
}

impl Column {
    /// A column of numbers, at least so wide.
    #[must_use]
    pub const fn number(name: &'static str, unit: Unit, width: usize) -> Self {
        Self { name, heading: name, unit, place: Placing::Right, width }
    }

    /// A column of text.
    #[must_use]
    pub const fn text(name: &'static str, place: Placing) -> Self {
        Self { name, heading: name, unit: Unit::None, place, width: 0 }
    }

    /// This column with another heading for people.
    #[must_use]
    pub const fn headed(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }

    /// This column, for programs only.
    #[must_use]
    pub const fn hidden(self) -> Self {
        Self { place: Placing::Nowhere, ..self }
    }

    /// The name for programs, with its unit.
    #[must_use]
    pub fn key(&self) -> String {
        let unit = match self.unit {
            Unit::None | Unit::Count => "",
            Unit::PerSecond => "_per_second",
            Unit::Time => "_ns",
            Unit::Percent => "_percent",
        };
        format!("{}{unit}", self.name)
    }

    /// True of columns that people see between others.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.place, Placing::Left | Placing::Right)
    }
}
