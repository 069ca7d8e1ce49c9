//! Rust that calls C that calls Rust: SQLite evaluates a function of ours for each row.

use counted::Counter;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Result};

static TWICE: Counter = Counter::new("sqlite::twice");
static ROW: Counter = Counter::new("sqlite::row");
/// Each statement that is run to its end is stepped once for each row, and once more.
static STEP: Counter = Counter::new("sqlite3_step");

#[inline(never)]
fn twice(n: i64) -> i64 {
    TWICE.add();
    n * 2
}

#[inline(never)]
fn row(n: i64) -> i64 {
    ROW.add();
    STEP.add();
    n
}

fn main() -> Result<()> {
    let database = Connection::open_in_memory()?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    database.create_scalar_function("twice", 1, flags, |context| Ok(twice(context.get(0)?)))?;
    let mut statement = database.prepare(
        "WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999) \
         SELECT twice(n) FROM numbers",
    )?;
    let rows = statement.query_map([], |found| found.get(0))?;
    let mut sum = 0;
    for n in rows {
        sum += row(n?);
    }
    STEP.add();
    println!("sum {sum}");
    println!("{TWICE}\n{ROW}\n{STEP}");
    Ok(())
}
