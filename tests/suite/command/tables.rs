//! `--format`: each table that a command prints can be had in each format, with the same columns, rows and values.

use gmon_analyzer::Model;
use gmon_analyzer::export::{Choice, FORMATS, ModelTable, TABLES, View, Writer};
use gmon_analyzer::model::Module;
use gmon_analyzer::table::{Cell, Column, Placing, Row, TABLE_FORMATS, Unit};
use serde_json::Value;
use support::{
    command::{output_of, quiet, said, text_of},
    root, tools,
    workplace::Workplace,
};

/// The name of `main` cannot be mistaken for anything else in text; a call and a copy stand below lines. Most of the time is in
/// its own code, and not in what counts blocks.
const PROGRAM: &str = "\
#include <time.h>\n\
#define DIVIDE x = 1000003 / ((x & 7) + 8);\n\
static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }\n\
__attribute__((noinline)) int work(int x) { for (volatile int i = 0; i < 1000; i++) { DIVIDE DIVIDE DIVIDE DIVIDE } return twice(x); }\n\
int main(void) { while (clock() < CLOCKS_PER_SEC / 3) work(1); }\n";

/// A program that has run, and its profile twice, once with more calls.
fn place() -> Workplace {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    text_of(&mut place.gmon("cc --blocks gcc -g -O1 prog.c -o prog"));
    for options in ["hz=1000", "hz=1000,stacks,out=stacks.out"] {
        text_of(place.command(place.path("prog")).env("GMON_OPTIONS", options));
    }
    let mut run = place.gmon("run -d folder sh -c");
    assert!(output_of(run.arg("./prog; ./prog")).status.success());
    text_of(&mut place.gmon("export prog gmon.out --names linker -o base.json"));
    let mut profile: Value = serde_json::from_slice(&place.bytes("base.json")).expect("a profile");
    let functions = profile["functions"].as_array_mut().expect("functions");
    let work = functions.iter_mut().find(|it| it["name"] == "work").expect("work");
    let calls = work["calls"].as_u64().expect("a count");
    work["calls"] = (calls + 7).into();
    place.write("new.json", profile.to_string());
    place
}

/// The tables of a document in JSON.
fn tables(document: &Value) -> Vec<(Vec<String>, Vec<Vec<Value>>)> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let table = |table: &Value| {
        let word = |value: &Value| value.as_str().expect("a name").to_owned();
        let columns: Vec<String> = list(&table["columns"]).iter().map(word).collect();
        let row = |row: &Value| {
            let row = row.as_object().expect("a row");
            assert_eq!(row.len(), columns.len(), "{row:?}");
            columns.iter().map(|column| row[column].clone()).collect()
        };
        let rows = list(&table["rows"]).iter().map(row).collect();
        (columns, rows)
    };
    list(&document["tables"]).iter().map(table).collect()
}

/// The cells of values that are separated by tabs.
fn separated(text: &str) -> Vec<(Vec<String>, Vec<Vec<Value>>)> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let value = |cell: String| match cell.parse() {
        _ if cell.is_empty() => Value::Null,
        Ok(number) => Value::Number(number),
        Err(_) => cell.trim_start_matches('\'').into(),
    };
    let table = |table: &str| {
        let mut lines = table.lines().map(cells);
        let columns = lines.next().expect("a heading");
        (columns, lines.map(|row| row.into_iter().map(value).collect()).collect())
    };
    text.split("\n\n").filter(|it| !it.is_empty()).map(table).collect()
}

#[test]
fn every_table_of_every_command_has_every_format() {
    let place = place();
    let schema = tools::find("check-jsonschema");
    for (words, name) in [
        ("diff base.json new.json", "gmon-diff-1"),
        ("annotate prog", "gmon-tables-1"),
        ("annotate --function work prog", "gmon-tables-1"),
        ("annotate --line prog", "gmon-tables-1"),
        ("export prog --table functions", "gmon-tables-1"),
        ("export base.json --table arcs --top 3", "gmon-tables-1"),
        ("export base.json --table lines", "gmon-tables-1"),
        ("report prog", "gmon-tables-1"),
        ("report base.json --calls work", "gmon-tables-1"),
        ("report prog stacks.out --top 2", "gmon-tables-1"),
        ("report prog stacks.out --calls work", "gmon-tables-1"),
        ("report prog stacks.out --tree", "gmon-tables-1"),
        ("report prog stacks.out --threads", "gmon-tables-1"),
        ("report prog stacks.out --modules", "gmon-tables-1"),
        ("report prog stacks.out --by thread", "gmon-tables-1"),
        ("report prog stacks.out --by module", "gmon-tables-1"),
        ("report folder", "gmon-tables-1"),
    ] {
        let of = |format: &str| text_of(&mut place.gmon(&format!("{words} --format {format}")));
        let text = of("json");
        let known = tables(&serde_json::from_str(&text).expect("JSON"));
        assert!(known.iter().any(|(_, rows)| !rows.is_empty()), "{words}: {text}");
        // Several programs may have run.
        let has_program = known.iter().any(|(columns, _)| columns[0] == "program");
        assert_eq!(has_program, words.starts_with("report"), "{words}: {text}");
        if let Some(check) = &schema {
            let file = place.write("tables.json", &text);
            let schema = root().join(format!("docs/{name}.schema.json"));
            let mut check = quiet(check);
            let output = output_of(check.arg("--schemafile").arg(schema).arg(file));
            assert!(output.status.success(), "{words}: {output:?}");
        }
        assert_eq!(separated(&of("tsv")), known, "{words}");
        let csv = of("csv");
        let (text, markdown) = (of("text"), of("markdown"));
        for (columns, rows) in known {
            assert!(csv.contains(&(columns.join(",") + "\n")), "{words}: {csv}");
            // People see all names as well.
            let named = ["function", "caller", "callee", "inlined_into", "source"];
            let cells = rows.iter().flat_map(|row| columns.iter().zip(row));
            for (_, value) in cells.filter(|(column, _)| named.contains(&column.as_str())) {
                let Some(value) = value.as_str() else { continue };
                assert!(text.contains(value), "{words}: {value} in {text}");
                assert!(markdown.contains(value.trim()), "{words}: {value} in {markdown}");
            }
        }
    }
}

/// The schema holds for nothing broken.
#[test]
fn schema_refuses_what_is_no_table() {
    if tools::find("check-jsonschema").is_none() {
        return;
    }
    let place = Workplace::new();
    let good = r#"{"schema":"gmon-tables/1","tables":[{"title":"","columns":["calls"],"rows":[{"calls":1}]}]}"#;
    for (text, is_good) in [
        (good.to_owned(), true),
        (good.replace("/1", "/2"), false),
        (good.replace("\"title\":\"\",", ""), false),
        (good.replace("[\"calls\"]", "[]"), false),
        (good.replace(":1}", ":[1]}"), false),
        (good.replace("{\"calls\":1}", "1"), false),
    ] {
        let file = place.write("tables.json", &text);
        let schema = root().join("docs/gmon-tables-1.schema.json");
        let output = output_of(quiet("check-jsonschema").arg("--schemafile").arg(schema).arg(file));
        assert_eq!(output.status.success(), is_good, "{text}: {output:?} {}", said(&output));
    }
}

/// A table that no command has. In the analyzer these lines are a file, and `TABLES` has a row for it.
const INVENTED: ModelTable = ModelTable {
    name: "modules",
    columns: &[
        Column::text("module", Placing::Last),
        Column::number("functions", Unit::Count, 0),
        Column::number("self", Unit::Time, 0).headed("self {}"),
    ],
    rows: |model, _| {
        let row = |module: &Module| {
            let functions = model.functions.iter().filter(|it| it.module == Some(module.id));
            let times: Vec<u64> = functions.map(|function| function.self_ns).collect();
            let (number, sum) = (times.len() as u64, times.iter().sum());
            Row::of(vec![Cell::text(&module.path), Cell::Number(number), Cell::Number(sum)])
        };
        model.modules.iter().map(row).collect()
    },
};

/// A file and a row are all that a new table needs: nothing else names any of them.
#[test]
fn invented_table_has_every_format_of_export() {
    let model =
        Model::read(&root().join("tests/suite/export/profiles/cpu.1.json")).expect("a profile");
    for table in TABLES.iter().chain([&INVENTED]) {
        let view = View { table: Some(table), top: Some(1000), ..View::default() };
        let written = |name: &str| {
            let format = FORMATS.iter().find(|format| format.name == name).expect(name);
            assert!(format.choices.contains(&Choice::Table), "{name}");
            let Writer::OfModel(write) = format.writer else { panic!("{name}") };
            let mut out = Vec::new();
            write(&model, &view, &mut out).expect("memory");
            String::from_utf8(out).expect("text")
        };
        let known = tables(&serde_json::from_str(&written("json")).expect("JSON"));
        let keys: Vec<String> = table.columns.iter().map(Column::key).collect();
        assert_eq!(known[0].0, keys);
        assert!(!known[0].1.is_empty() || table.name == "lines", "{}", table.name);
        assert_eq!(separated(&written("tsv")), known);
        for format in TABLE_FORMATS {
            let text = written(format.name);
            assert!(!text.contains('\x1b'), "{text}");
            for column in table.columns.iter().filter(|it| it.place != Placing::Nowhere) {
                let names = [column.key(), column.heading.replace("{}", "s")];
                assert!(names.iter().any(|name| text.contains(name)), "{}: {text}", column.name);
            }
        }
    }
}
