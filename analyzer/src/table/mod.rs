//! Tables: what every command prints in columns, and the formats that all of them can be had in.
//!
//! A command fills a [`Table`] with values, never with padded text. A column has one name for programs in every format,
//! and a writer decides how a value looks. A new format is a file here and a row of [`TABLE_FORMATS`].

mod cell;
mod column;
mod fitting;
mod format;
mod json;
mod markdown;
mod separated;
mod text;

use std::borrow::Cow;

pub use cell::{Cell, Row};
pub use column::{Column, Placing, Unit};
pub use fitting::{fitted, fitted_name, indentation, left, width};
pub use format::{TABLE_FORMATS, TableFormat};
pub use json::write_list;
pub use markdown::{markdown_code, markdown_text};

/// Rows under named columns.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A line above it, for people and for JSON; none if empty.
    pub title: String,
    /// The columns, in the order that programs read them.
    pub columns: Cow<'static, [Column]>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<Row>,
    /// The digits of a time behind its point.
    pub places: usize,
    /// The unit of times for people, such as `s`. It takes the place of `{}` in headings.
    pub unit: String,
    /// The heading of the column at the end for people; its own if empty.
    pub last: String,
}

impl Table {
    /// A table without rows, whose times are seconds with two digits behind their point.
    #[must_use]
    pub fn new(columns: impl Into<Cow<'static, [Column]>>) -> Self {
        Self { columns: columns.into(), places: 2, unit: "s".to_owned(), ..Self::default() }
    }

    /// This table with one more column before its others, which has this value in all rows.
    #[must_use]
    pub fn with(mut self, column: Column, value: &Cell) -> Self {
        self.columns.to_mut().insert(0, column);
        for row in &mut self.rows {
            if let Row::Cells { cells, .. } | Row::Rest(cells) = row {
                cells.insert(0, value.clone());
            }
        }
        self
    }

    /// A column's heading for people.
    fn heading(&self, column: &Column) -> String {
        match column.place {
            Placing::Last if !self.last.is_empty() => self.last.clone(),
            _ => column.heading.replace("{}", &self.unit),
        }
    }

    /// The words for people in a column, with those of the columns that are joined to it.
    fn words(&self, cells: &[Cell], at: usize) -> String {
        let mut words = match (&cells[at], self.columns[at].place) {
            // Room that nothing else needs is for the shortest form.
            (Cell::Name(forms), Placing::Spare(..)) => forms.last().cloned().unwrap_or_default(),
            (cell, _) => cell.words(self.columns[at].unit, self),
        };
        for (column, cell) in self.columns.iter().zip(cells).skip(at + 1) {
            let Placing::Joined(before) = column.place else { break };
            let behind = cell.words(column.unit, self);
            if !behind.is_empty() {
                words.extend([before, &behind]);
            }
        }
        words
    }

    /// Rows of values, without remarks to people.
    fn values(&self) -> impl Iterator<Item = &[Cell]> {
        self.rows.iter().filter_map(|row| match row {
            Row::Cells { cells, .. } => Some(&cells[..]),
            Row::Rest(_) | Row::Remark { .. } => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view that no command has: one list of columns and its rows are all that every format needs.
    const COLUMNS: &[Column] = &[
        Column::text("function", Placing::Last),
        Column::text("module", Placing::Behind("[", "]")),
        Column::text("caller", Placing::Under("by ")).headed("by"),
        Column::number("line", Unit::None, 0).hidden(),
        Column::number("calls", Unit::Count, 6),
        Column::number("self", Unit::Time, 7).headed("self {}"),
        Column::number("self", Unit::Percent, 5).headed("%"),
        Column::number("delta", Unit::Time, 0).headed("change"),
    ];

    fn table() -> Table {
        let row = |name: &str, numbers: [Cell; 3]| {
            let [line, calls, time] = numbers;
            let (part, delta) = (Cell::Real(12.345), Cell::Said(Some(5e8), "≈+0.5".to_owned()));
            let place = [Cell::name(name), Cell::text("lib|m"), Cell::Unknown];
            Row::of([&place[..], &[line, calls, time, part, delta]].concat())
        };
        let mut table = Table::new(COLUMNS);
        table.title = "Invented".to_owned();
        let numbers = [Cell::Number(12), Cell::Number(1_234_567), Cell::Number(1_500_000_000)];
        table.rows.push(row("=関数(int)", numbers));
        let [none, unknown] = [Cell::known::<u64>(None), Cell::Unknown];
        table.rows.push(row("a,\"b\"\u{202e}", [none, unknown, Cell::Number(5_000_000)]));
        let by = [Cell::name("f"), Cell::Unknown, Cell::text("main"), Cell::Unknown];
        let by = [&by[..], &[Cell::Number(1), Cell::Unknown, Cell::Unknown, Cell::Change(-1e7)]];
        table.rows.push(Row::of(by.concat()));
        table.rows.push(Row::remark("... and 3 more".to_owned()));
        table
    }

    #[track_caller]
    fn check(format: &str, columns: Option<usize>, expected: &str) {
        let mut out = Vec::new();
        let format = TableFormat::of(format).expect("a format");
        (format.write)(&[table()], columns, &mut out).expect("memory");
        let text = String::from_utf8(out).expect("text");
        let text = text.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
        assert_eq!(text, expected, "{} in {columns:?}", format.name);
    }

    #[test]
    fn every_format_has_the_same_columns() {
        check(
            "text",
            None,
            concat!(
                "Invented\n",
                "    calls  self s     % change  function\n",
                "1,234,567    1.50  12.3  ≈+0.5  =関数(int) [lib|m]\n",
                "             0.01  12.3  ≈+0.5  a,\"b\"\\u{202e} [lib|m]\n",
                "        1                -0.01    by main\n",
                "... and 3 more\n",
            ),
        );
        check(
            "markdown",
            None,
            "**Invented**\n\n| calls | self s | % | change | function | by |\n|---:|---:|---:|---:|---|---|\n\
             | 1,234,567 | 1.50 | 12.3 | ≈+0.5 | `=関数(int)` \\[lib\\|m\\] | |\n\
             | | 0.01 | 12.3 | ≈+0.5 | `a,\"b\" ` \\[lib\\|m\\] | |\n\
             | 1 | | | -0.01 | `f` | `main` |\n|||||| ... and 3 more |\n",
        );
        check(
            "csv",
            None,
            "function,module,caller,line,calls,self_ns,self_percent,delta_ns\n\
             '=関数(int),lib|m,,12,1234567,1500000000,12.345,500000000\n\
             \"a,\"\"b\"\"\u{202e}\",lib|m,,,,5000000,12.345,500000000\n\
             f,,main,,1,,,-10000000\n",
        );
        check(
            "json",
            None,
            concat!(
                r#"{"schema":"gmon-tables/1","tables":["#,
                "\n",
                r#"{"title":"Invented","columns":["function","module","caller","line","calls","self_ns","#,
                r#""self_percent","delta_ns"],"rows":["#,
                "\n",
                r#"{"function":"=関数(int)","module":"lib|m","caller":null,"line":12,"calls":1234567,"#,
                r#""self_ns":1500000000,"self_percent":12.345,"delta_ns":500000000},"#,
                "\n",
                r#"{"function":"a,\"b\""#,
                "\u{202e}",
                r#"","module":"lib|m","caller":null,"line":null,"calls":null,"#,
                r#""self_ns":5000000,"self_percent":12.345,"delta_ns":500000000},"#,
                "\n",
                r#"{"function":"f","module":null,"caller":"main","line":null,"calls":1,"#,
                r#""self_ns":null,"self_percent":null,"delta_ns":-10000000}]}]}"#,
                "\n",
            ),
        );
    }

    #[test]
    fn what_stands_behind_in_spare_room_is_short() {
        let columns = vec![
            Column::text("function", Placing::Last),
            Column::text("from", Placing::Spare("(from ", ")")),
            Column { place: Placing::Joined(" and "), ..Column::number("others", Unit::Count, 0) },
        ];
        let mut table = Table::new(columns);
        let from = Cell::Name(vec!["a::b<int>(int)".to_owned(), "a::b<_>".to_owned()]);
        for others in [Cell::Unknown, Cell::Said(Some(2.0), "2 others".to_owned())] {
            table.rows.push(Row::of(vec![Cell::name("f"), from.clone(), others]));
        }
        let text = |format: &str, columns| {
            let text =
                TableFormat::of(format).expect("a format").written(&[table.clone()], columns);
            text.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(text("csv", None), "f,a::b<int>(int),2");
        assert_eq!(text("text", None), "f (from a::b<_> and 2 others)");
        assert_eq!(text("text", Some(20)), "f");
        table.rows.pop();
        let text = TableFormat::PLAIN.written(&[table], Some(20));
        assert!(text.ends_with("\nf (from a::b<_>)\n"), "{text}");
    }

    #[test]
    fn columns_that_know_nothing_give_way_to_names() {
        let columns = vec![
            Column::number("self", Unit::Count, 9),
            Column::number("calls", Unit::Count, 9),
            Column::number("per call", Unit::Count, 9),
            Column::text("function", Placing::Last),
        ];
        let mut table = Table::new(columns);
        let row = |calls| {
            Row::of(vec![Cell::Number(7), Cell::or_dash(calls), Cell::dash(), Cell::name("f")])
        };
        table.rows = vec![row(None), row(None)];
        let text = |table: &Table, width| {
            let text = TableFormat::PLAIN.written(std::slice::from_ref(table), Some(width));
            text.lines().take(2).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(
            text(&table, 55),
            "     self     calls  per call  function\n        7         -         -  f"
        );
        assert_eq!(text(&table, 45), "self calls per call  function\n   7     -        -  f");
        assert_eq!(text(&table, 43), "self calls  function\n   7     -  f");
        assert_eq!(text(&table, 30), "self  function\n   7  f");
        table.rows.push(row(Some(3)));
        assert_eq!(text(&table, 30), "self calls  function\n   7     -  f");
    }

    #[test]
    fn names_give_way_to_the_terminal() {
        let mut out = Vec::new();
        (TABLE_FORMATS[0].write)(&[table()], Some(38), &mut out).expect("memory");
        let text = String::from_utf8(out).expect("text");
        assert!(text.contains("≈+0.5  =関数\n"), "{text}");
        assert!(text.lines().all(|line| width(line) <= 60), "{text}");
    }
}
