//! The matrix of the profile's life: what each part of the runtime does at every event, read from the table itself.

use std::fmt::Write;

use crate::read;

/// The table.
const TABLE: &str = "runtime/src/linux/life/parts.rs";
/// The page that shows it.
const PAGE: &str = "docs/design/life.md";

/// A row of the table.
struct Row {
    name: String,
    /// Reason for its place.
    reason: String,
    /// Each event, and whether the part does something then.
    acts: Vec<(String, bool)>,
}

#[test]
fn the_page_shows_the_life_as_it_is() {
    let table = read(TABLE);
    let verbs = table.lines().filter_map(|line| line.strip_prefix("//! |"));
    let verbs = verbs.fold(String::new(), |verbs, line| verbs + "|" + line + "\n");
    let shown = verbs + "\n" + &matrix(&rows(&table));
    assert!(read(PAGE).contains(&shown), "{PAGE} is to have this:\n\n{shown}");
}

/// Every event is some part's, and every part has some event.
#[test]
fn no_row_and_no_column_is_empty() {
    let text = read(TABLE);
    let rows = rows(&text);
    let events = rows[0].acts.len();
    for row in &rows {
        assert_eq!(row.acts.len(), events, "{}", row.name);
        assert!(row.acts.iter().any(|(_, acts)| *acts), "{} does nothing", row.name);
        assert!(!row.reason.is_empty(), "{} does not say why it stands there", row.name);
    }
    for event in 0..events {
        let (name, _) = &rows[0].acts[event];
        assert!(rows.iter().any(|row| row.acts[event].1), "nobody does anything at {name}");
    }
}

/// The rows, in the order in which they stand: names in capital letters, each with what its part does.
fn rows(text: &str) -> Vec<Row> {
    let (_, fields) = text.split_once("struct Part {").expect("the columns");
    let (fields, _) = fields.split_once('}').expect("their end");
    let events: Vec<_> = fields.lines().filter_map(|line| line.trim().split_once(": ")).collect();
    let mut rows = Vec::new();
    let mut reason = Vec::new();
    let (_, table) = text.split_once("\nparts! {\n").expect("the table");
    let (table, _) = table.split_once("\n}\n").expect("its end");
    let mut lines = table.lines();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("    /// ") {
            reason.push(text);
            continue;
        }
        if let Some(name) = line.strip_suffix(" {").and_then(|line| line.strip_prefix("    ")) {
            // What a part does may take several lines, further in.
            let body = lines.by_ref().take_while(|line| *line != "    }");
            let body = body.filter_map(|line| line.strip_prefix("        ")?.split_once(": "));
            let acting: Vec<_> = body.map(|(event, _)| event).collect();
            let acts =
                events.iter().map(|(event, _)| ((*event).to_owned(), acting.contains(event)));
            let name = name.to_owned();
            rows.push(Row { name, reason: reason.join(" "), acts: acts.collect() });
        }
        reason.clear();
    }
    rows
}

/// The table as a page has it.
fn matrix(rows: &[Row]) -> String {
    let events = rows[0].acts.iter().map(|(event, _)| format!(" `{event}` |"));
    let mut matrix = format!("| part |{}\n|---|", events.collect::<String>());
    matrix += &"---|".repeat(rows[0].acts.len());
    matrix += "\n";
    for row in rows {
        let acts = row.acts.iter().map(|(_, acts)| if *acts { " ● |" } else { " |" });
        let name = row.name.to_lowercase().replace('_', " ");
        writeln!(matrix, "| {name} |{}", acts.collect::<String>()).expect("a string");
    }
    matrix += "\n| part | what it is, and why it stands there |\n|---|---|\n";
    for row in rows {
        let name = row.name.to_lowercase().replace('_', " ");
        writeln!(matrix, "| {name} | {} |", row.reason).expect("a string");
    }
    matrix
}
