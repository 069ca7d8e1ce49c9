//! A program of many functions, of which a tenth run when it starts.

use std::fs;
use std::path::Path;

use support::tools;

use crate::launcher::Result;
use crate::{must, printed};

/// An order must save this share of the faults, in percent.
const LEAST: f64 = 25.0;

/// Linkers, each with its format and option.
const LINKERS: [(&str, &str, &str); 3] = [
    ("lld", "symbol-order", "-Wl,--symbol-ordering-file="),
    ("gold", "section-order", "-Wl,--section-ordering-file="),
    ("bfd", "script-order", "-Wl,-T,"),
];

/// Faults for pages of the program and of libraries, and kilobytes of files in memory.
#[derive(Clone, Copy)]
struct Costs {
    faults: u64,
    memory: u64,
}

/// Measures and prints; returns how many limits do not hold.
pub(crate) fn run(is_full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = folder.path();
    let functions = if is_full { 20_000 } else { 400 };
    let parts = write(folder, functions)?;
    let gmon = env!("CARGO_BIN_EXE_gmon");
    let flags = ["-O1", "-ffunction-sections", "-c"];
    for part in &parts {
        must(
            folder,
            &[&["gcc"], &flags[..], &[&format!("{part}.c"), "-o", &format!("{part}.o")]].concat(),
            &[],
        )?;
        must(
            folder,
            &[
                &[gmon, "cc", "gcc"],
                &flags[..],
                &[&format!("{part}.c"), "-o", &format!("{part}.measured.o")],
            ]
            .concat(),
            &[],
        )?;
    }
    let objects =
        |ending: &str| parts.iter().map(|part| format!("{part}{ending}")).collect::<Vec<_>>();
    let measured = objects(".measured.o");
    let words = [gmon, "cc", "gcc"].map(str::to_owned).into_iter().chain(measured);
    must(folder, &words.chain(["-o", "measured"].map(str::to_owned)).collect::<Vec<_>>(), &[])?;
    must(folder, &[gmon, "run", "--order", "./measured"], &[])?;
    println!(
        "\n{functions} functions, of which {} run: faults and files in memory (KiB) at the end",
        functions / 10
    );
    let mut over = 0;
    for (linker, format, option) in LINKERS {
        if tools::find(&format!("ld.{linker}")).is_none() {
            continue;
        }
        must(folder, &[gmon, "export", "--format", format, "./measured", "-o", format], &[])?;
        let mut costs = Vec::new();
        for (program, option) in [("plain", None), ("ordered", Some(format!("{option}{format}")))] {
            let words =
                ["gcc".to_owned(), format!("-fuse-ld={linker}")].into_iter().chain(objects(".o"));
            let words = words.chain(option).chain(["-o", program].map(str::to_owned));
            must(folder, &words.collect::<Vec<_>>(), &[])?;
            costs.push(least(folder, program)?);
        }
        let [plain, ordered] = costs[..] else { continue };
        let saved = |of: fn(Costs) -> u64| 100.0 - of(ordered) as f64 * 100.0 / of(plain) as f64;
        let (faults, memory) = (saved(|it| it.faults), saved(|it| it.memory));
        println!(
            "{linker:6} faults {:5} → {:5} ({faults:.0} % fewer)   memory {:6} → {:6} ({memory:.0} % less)   {}",
            plain.faults,
            ordered.faults,
            plain.memory,
            ordered.memory,
            places(folder, functions)?
        );
        over += usize::from(is_full && faults.min(memory) < LEAST);
    }
    Ok(over)
}

/// The least costs of some runs. The first brings the file into memory.
fn least(folder: &Path, program: &str) -> Result<Costs> {
    let mut least = Costs { faults: u64::MAX, memory: u64::MAX };
    for _ in 0..5 {
        let text = printed(folder, &[&format!("./{program}")])?;
        let numbers: Vec<u64> =
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [faults, memory, _] = numbers[..] else { return Err(format!("it printed {text}")) };
        least = Costs { faults: least.faults.min(faults), memory: least.memory.min(memory) };
    }
    Ok(least)
}

/// Looks with `nm -n` whether the functions that ran lie together.
fn places(folder: &Path, functions: usize) -> Result<String> {
    let text = printed(folder, &["nm", "-n", "ordered"])?;
    let names = text.lines().filter_map(|line| line.rsplit(' ').next());
    let numbers = names.filter_map(|name| name.strip_prefix("work_")?.parse::<usize>().ok());
    let ran: Vec<usize> = numbers
        .enumerate()
        .filter(|(_, number)| is_called(*number))
        .map(|(place, _)| place)
        .collect();
    let (first, last) = (ran.first().copied().unwrap_or(0), ran.last().copied().unwrap_or(0));
    let is_together = ran.len() == functions / 10 && last - first + 1 == ran.len();
    Ok(if is_together {
        "nm -n: all together".to_owned()
    } else {
        format!("nm -n: from {first} to {last}")
    })
}

fn is_called(number: usize) -> bool {
    number % 10 == 3
}

/// Writes the sources; gives their names without the ending. The order of calls is another than that of the source.
fn write(folder: &Path, functions: usize) -> Result<Vec<String>> {
    const PART: usize = 1000;
    let write = |name: &str, text: String| {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    let mut parts = Vec::new();
    for (part, start) in (0..functions).step_by(PART).enumerate() {
        let mut text = String::from("extern volatile unsigned sink;\n");
        for number in start..functions.min(start + PART) {
            // As long as functions are, and quickly compiled.
            text += &format!(
                "void work_{number}(unsigned x) {{\n    sink = sink * {}u + x;\n    if (!x) __asm__ volatile(\".skip 200\");\n}}\n",
                number * 2 + 3
            );
        }
        write(&format!("part{part}.c"), text)?;
        parts.push(format!("part{part}"));
    }
    let called: Vec<usize> = (0..functions).filter(|number| is_called(*number)).collect();
    // Both counts have no divisor in common, so all are met.
    let order: Vec<usize> =
        (0..called.len()).map(|place| called[place * 7919 % called.len()]).collect();
    let declared: String =
        (0..functions).map(|number| format!("void work_{number}(unsigned);\n")).collect();
    let calls: String =
        order.iter().map(|number| format!("    work_{number}({number});\n")).collect();
    let all: String = (0..functions).map(|number| format!("work_{number},")).collect();
    let main = format!(
        "#include <stdio.h>\n#include <sys/resource.h>\nvolatile unsigned sink;\n{declared}\
         void (*const all[])(unsigned) = {{{all}}};\n\
         int main(int argc, char **argv) {{\n{calls}    if (argc > 1) all[argc](argc);\n\
         struct rusage used;\n    getrusage(RUSAGE_SELF, &used);\n    long file = 0;\n    char line[256];\n\
         FILE *status = fopen(\"/proc/self/status\", \"r\");\n\
         while (status && fgets(line, sizeof line, status)) sscanf(line, \"RssFile: %ld\", &file);\n\
         printf(\"%ld %ld %u\\n\", used.ru_minflt, file, sink);\n    return 0;\n}}\n"
    );
    write("main.c", main)?;
    parts.push("main".to_owned());
    Ok(parts)
}
