//! Values of tables, and their words for people.

use anstyle::Style;

use super::{Table, Unit};
use crate::numbers::grouped;

/// A row of a table.
#[derive(Clone, Debug)]
pub enum Row {
    /// A value for each column.
    Cells {
        /// The values.
        cells: Vec<Cell>,
        /// Its style on a terminal.
        style: Style,
    },
    /// A row for people that stands for others which were left out.
    Rest(Vec<Cell>),
    /// A line for people, such as how many rows were left out.
    Remark {
        /// The line.
        text: String,
        /// Its style on a terminal.
        style: Style,
    },
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing is known, or nothing is there.
    Unknown,
    /// A path, a word, or any other text.
    Text(String),
    /// A function's name, from its fullest form to its shortest.
    Name(Vec<String>),
    /// A function's name that people see at this depth of a tree.
    Branch(usize, Vec<String>),
    /// A count, or a time.
    Number(u64),
    /// A number that need not be whole.
    Real(f64),
    /// A difference: the same with a sign.
    Change(f64),
    /// A number that people read in these words.
    Said(Option<f64>, String),
    /// A whole number, however large, that people read in these words.
    Exact(i128, String),
    /// A text in place of which people read these words.
    Worded(String, String),
}

impl Row {
    /// A row in no particular style.
    #[must_use]
    pub fn of(cells: Vec<Cell>) -> Self {
        Self::Cells { cells, style: Style::new() }
    }

    /// A line for people in no particular style.
    #[must_use]
    pub fn remark(text: String) -> Self {
        Self::Remark { text, style: Style::new() }
    }
}

impl From<Vec<Cell>> for Row {
    fn from(cells: Vec<Cell>) -> Self {
        Self::of(cells)
    }
}

impl Cell {
    /// A function's name in one form.
    #[must_use]
    pub fn name(name: &str) -> Self {
        Self::Name(vec![name.to_owned()])
    }

    /// A text, unless it is empty.
    #[must_use]
    pub fn text(text: &str) -> Self {
        if text.is_empty() { Self::Unknown } else { Self::Text(text.to_owned()) }
    }

    /// A number that people see as a dash where it is not known.
    #[must_use]
    pub fn or_dash(number: Option<u64>) -> Self {
        number.map_or_else(Self::dash, Self::Number)
    }

    /// A dash, for what cannot be known.
    #[must_use]
    pub fn dash() -> Self {
        Self::Said(None, "-".to_owned())
    }

    /// A number, if it is known.
    #[must_use]
    pub fn known<T: Into<u64>>(number: Option<T>) -> Self {
        number.map_or(Self::Unknown, |number| Self::Number(number.into()))
    }

    /// False of what nothing is known of.
    pub(super) fn is_known(&self) -> bool {
        ![Self::Unknown, Self::dash()].contains(self)
    }

    /// True of names of functions.
    pub(super) fn is_name(&self) -> bool {
        matches!(self, Self::Name(_) | Self::Branch(..))
    }

    /// The value in words for people.
    pub(super) fn words(&self, unit: Unit, table: &Table) -> String {
        let places = table.places;
        match self {
            Self::Unknown => String::new(),
            Self::Text(text)
            | Self::Said(_, text)
            | Self::Exact(_, text)
            | Self::Worded(_, text) => text.clone(),
            Self::Name(forms) | Self::Branch(_, forms) => {
                forms.first().cloned().unwrap_or_default()
            }
            Self::Number(number) => match unit {
                Unit::None => number.to_string(),
                Unit::Count | Unit::PerSecond => grouped(*number),
                Unit::Time => format!("{:.places$}", *number as f64 / 1e9),
                Unit::Percent => format!("{number}"),
            },
            Self::Real(number) => match unit {
                Unit::Time => format!("{:.places$}", number / 1e9),
                Unit::Percent => format!("{number:.1}"),
                Unit::Count | Unit::PerSecond => grouped(number.round() as u64),
                Unit::None => number.to_string(),
            },
            Self::Change(number) => match unit {
                Unit::Time => format!("{:+.places$}", number / 1e9),
                Unit::Percent => format!("{number:+.1}"),
                _ => {
                    let sign = if *number < 0.0 { '-' } else { '+' };
                    format!("{sign}{}", grouped(number.abs().round() as u64))
                }
            },
        }
    }

    /// The value for programs: text, or a number in JSON's form; none if it is unknown.
    pub(super) fn value(&self) -> Option<Value<'_>> {
        /// Whole numbers up to this are exact.
        const EXACT: f64 = (1_u64 << 53) as f64;
        let real = |number: f64| match number {
            _ if number.fract() == 0.0 && number.abs() <= EXACT => {
                Some(Value::Number((number as i64).into()))
            }
            _ => serde_json::Number::from_f64(number).map(Value::Number),
        };
        match self {
            Self::Unknown => None,
            Self::Text(text) | Self::Worded(text, _) => Some(Value::Text(text)),
            Self::Name(forms) | Self::Branch(_, forms) => {
                forms.first().map(|form| Value::Text(form))
            }
            Self::Number(number) => Some(Value::Number((*number).into())),
            Self::Real(number) | Self::Change(number) => real(*number),
            Self::Said(number, _) => number.and_then(real),
            Self::Exact(number, _) => match serde_json::Number::from_i128(*number) {
                Some(exact) => Some(Value::Number(exact)),
                None => real(*number as f64),
            },
        }
    }
}

/// A value for programs.
pub(super) enum Value<'a> {
    Text(&'a str),
    Number(serde_json::Number),
}
