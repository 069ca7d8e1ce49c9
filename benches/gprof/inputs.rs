//! Executables with their data files: a real one, and made ones of many sizes and shapes.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmon_format::{Arc, ByteOrder, Encoding, FilePc, HistogramHeader, Sink, WordSize, Writer};

use crate::launcher::{Launcher, Result, compile};

/// An executable with its data, and the reports to make of them.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) reports: Vec<Report>,
    program: Program,
}

/// Options, and what is asked of them.
pub(crate) struct Report {
    pub(crate) options: &'static str,
    /// How many times as fast as GNU gprof it is at least; none if that one cannot make it at all, or
    /// not today.
    pub(crate) faster: Option<f64>,
    pub(crate) rounds: u32,
}

enum Program {
    /// SQLite, with debug information, as it ran.
    Sqlite,
    /// Functions of one size, each with so many rows in the table of lines, and calls between them.
    Made { functions: u64, rows: u64, calls: fn(u64) -> Calls },
}

/// Caller, callee and count of calls.
type Calls = Box<dyn Iterator<Item = (u64, u64, u64)>>;

const START: u64 = 0x40_0000;
const FUNCTION_SIZE: u64 = 16;

/// All inputs; small ones only show that everything works.
pub(crate) fn all(is_full: bool) -> Vec<Input> {
    let thousand = if is_full { 1000 } else { 1 };
    let report = |options, faster, rounds| Report { options, faster, rounds };
    let made = |name: String, functions, calls: fn(u64) -> Calls, reports| {
        let program = Program::Made { functions, rows: 0, calls };
        Input { name, reports, program }
    };
    let brief = |faster, rounds| vec![report("-b", Some(faster), rounds)];
    // A list of symbols spares GNU gprof the search for the source of every function.
    let listed = |faster, rounds| vec![report("-b -S symbols", Some(faster), rounds)];
    let alone = || vec![report("-b", None, 5)];
    let some = |count: u64| match count / 1000 {
        count @ ..1000 => format!("{count},000"),
        count => format!("{},{:03},000", count / 1000, count % 1000),
    };
    let mut inputs = vec![
        made("10 functions".into(), 10, tree, brief(1.0, 50)),
        Input {
            name: "SQLite".into(),
            reports: vec![report("-b", Some(1.0), 10), report("-b -l", Some(5.0), 1)],
            program: Program::Sqlite,
        },
    ];
    for (count, faster, rounds) in [(10, 1.0, 3), (50, 50.0, 1)] {
        let count = count * thousand;
        inputs.push(made(
            format!("{} functions, tree", some(count)),
            count,
            tree,
            brief(faster, rounds),
        ));
    }
    let count = 50 * thousand;
    inputs.extend([
        made(format!("{} callers", some(count)), count, callers, listed(1.0, 1)),
        made(format!("{} callees", some(count)), count, callees, listed(1.0, 1)),
        made(format!("{} in a chain", some(count)), count, chain, listed(1.0, 3)),
        made(format!("{} in a cycle", some(count / 5)), count / 5, cycle, listed(1.0, 1)),
        made(format!("{} with 10 calls each", some(count)), count, many, listed(1.0, 1)),
    ]);
    let count = 100 * thousand;
    inputs.extend([
        made(format!("{} with 10 calls each", some(count)), count, many, alone()),
        made(format!("{} callers", some(count)), count, callers, alone()),
        made(format!("{} callees", some(count)), count, callees, alone()),
        made(format!("{} in a cycle", some(count)), count, cycle, alone()),
        made(format!("{} in a chain", some(10 * count)), 10 * count, chain, alone()),
    ]);
    inputs.extend([1, 10].map(|part| {
        let (functions, rows) = (part * count / 10, 10);
        Input {
            name: format!("{} rows of lines", some(rows * functions)),
            reports: vec![report("-b -l", None, 5)],
            program: Program::Made { functions, rows, calls: tree },
        }
    }));
    inputs
}

fn tree(functions: u64) -> Calls {
    Box::new((1..functions).map(|function| ((function - 1) / 2, function, 1)))
}

fn callers(functions: u64) -> Calls {
    Box::new((1..functions).map(|function| (function, 0, function)))
}

fn callees(functions: u64) -> Calls {
    Box::new((1..functions).map(|function| (0, function, 1)))
}

fn chain(functions: u64) -> Calls {
    Box::new((1..functions).map(|function| (function - 1, function, 1)))
}

fn cycle(functions: u64) -> Calls {
    let ring = (0..functions).map(move |function| (function, (function + 1) % functions, 2));
    Box::new(ring.chain((1..functions).map(|function| (function, function - 1, 1))))
}

/// Ten calls of each function but the last ones, all of functions behind it.
fn many(functions: u64) -> Calls {
    let callees = move |caller: u64| {
        let behind = functions - caller - 1;
        (0..10.min(behind)).map(move |call| {
            // Numbers that look random (splitmix64, by Vigna).
            let mut number = (10 * caller + call).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (caller, caller + 1 + (number ^ (number >> 31)) % behind, 1)
        })
    };
    Box::new((0..functions).flat_map(callees))
}

impl Input {
    /// Makes the executable and its data in the launcher's folder, where also lies `symbols`, the
    /// list of its symbols. Returns the names of the two.
    pub(crate) fn build(&self, launcher: &Launcher<'_>) -> Result<[OsString; 2]> {
        let folder = launcher.folder();
        match &self.program {
            Program::Sqlite => build_sqlite(folder)?,
            &Program::Made { functions, rows, calls } => {
                build_made(folder, functions, rows, calls(functions))?;
            }
        }
        Ok(["exe", "data"].map(Into::into))
    }
}

/// Compiles SQLite with the C library's runtime and lets it work.
fn build_sqlite(folder: &Path) -> Result<()> {
    let source = sources_of("libsqlite3-sys")?.join("sqlite3");
    let driver =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/conformance/programs/sqlite.c");
    let include = format!("-I{}", source.display());
    let inputs = [driver, source.join("sqlite3.c")];
    let flags = ["-g", "-pg", "-DSQLITE_OMIT_LOAD_EXTENSION", "-pthread", "-lm", &include];
    let exe = folder.join("exe");
    compile(inputs.iter().map(|input| input.as_os_str()), &flags, &exe)?;
    let status =
        Command::new(&exe).current_dir(folder).stdout(std::process::Stdio::null()).status();
    let status = status.map_err(|error| format!("SQLite: {error}"))?;
    if !status.success() {
        return Err(format!("SQLite: {status}"));
    }
    fs::rename(folder.join("gmon.out"), folder.join("data")).map_err(|error| error.to_string())
}

/// The folder of a crate that carries sources.
fn sources_of(name: &str) -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--quiet", "--format-version=1", "--manifest-path"]).arg(manifest);
    let metadata = cargo.output().map_err(|error| format!("cargo: {error}"))?.stdout;
    let metadata: serde_json::Value =
        serde_json::from_slice(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let path = packages
        .filter(|package| package["name"] == name)
        .find_map(|package| Path::new(package["manifest_path"].as_str()?).parent());
    Ok(path.ok_or_else(|| format!("cargo knows no package {name}"))?.to_owned())
}

/// A unit of debug information, which all code is of and which has nothing but lines.
const UNIT: &str = "
.file 1 \"source.c\"
.section .debug_line, \"\", %progbits
lines:
.section .debug_abbrev, \"\", %progbits
.uleb128 1, 0x11        # DW_TAG_compile_unit
.byte 0
.uleb128 0x10, 0x17     # DW_AT_stmt_list: DW_FORM_sec_offset
.uleb128 0x11, 0x01     # DW_AT_low_pc: DW_FORM_addr
.uleb128 0x12, 0x01     # DW_AT_high_pc: DW_FORM_addr
.uleb128 0, 0, 0
.section .debug_info, \"\", %progbits
.long 2f - 1f
1:
.value 4                # version of DWARF
.long 0                 # offset in .debug_abbrev
.byte 8                 # size of an address
.uleb128 1
.long lines
.quad _start, end
2:
";

/// Assembles functions, each sampled once, and writes the calls between them.
fn build_made(folder: &Path, functions: u64, rows: u64, calls: Calls) -> Result<()> {
    let mut source = String::from(".text\n.globl _start\n_start:\n");
    if rows > 0 {
        source = format!("{UNIT}{source}");
    }
    let mut list = String::new();
    // One more behind the last, as GNU gprof gives the very last symbol no time.
    for function in 0..=functions {
        let _ = writeln!(
            source,
            ".globl f{function}\n.type f{function}, %function\n\
             f{function}:"
        );
        for row in 0..rows {
            let line = rows * function + row + 1;
            let _ = writeln!(source, ".loc 1 {line}\n.skip 1, 0x90");
        }
        let _ = writeln!(source, ".skip {}, 0x90", FUNCTION_SIZE - rows);
        let _ = writeln!(list, "{:x} T f{function}", START + FUNCTION_SIZE * function);
    }
    source.push_str("end:\n");
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(path)
    };
    let source = write("source.s", source.as_bytes())?;
    let text = format!("-Wl,-Ttext={START:#x}");
    let flags = ["-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none", &text];
    compile([source.as_os_str()], &flags, &folder.join("exe"))?;
    write("symbols", list.as_bytes())?;
    write("data", &data(functions, calls))?;
    Ok(())
}

struct Bytes(Vec<u8>);

impl Sink for Bytes {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> std::result::Result<(), Infallible> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// A data file with a tick in each function.
fn data(functions: u64, calls: Calls) -> Vec<u8> {
    let at = |function: u64| START + FUNCTION_SIZE * function;
    let header = HistogramHeader {
        low_pc: FilePc(START),
        high_pc: FilePc(at(functions)),
        bins: functions as u32,
        rate: 100,
        dimension: HistogramHeader::SECONDS,
        abbreviation: b's',
    };
    let encoding = Encoding { word: WordSize::Eight, order: ByteOrder::Little };
    let mut buffer = [0; 4096];
    let Ok(mut writer) = Writer::new(Bytes(Vec::new()), encoding, &mut buffer);
    let Ok(()) = writer.histogram(&header, (0..header.bins).map(|bin| (bin, 1)));
    for (caller, callee, count) in calls {
        let Ok(()) = writer.arc(Arc::new(at(caller) + 8, at(callee), count));
    }
    let Ok(bytes) = writer.finish();
    bytes.0
}
