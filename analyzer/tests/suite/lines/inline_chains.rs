//! Which functions the code at an address is part of: the same as `addr2line -i -f` tells, at random
//! addresses of a program in C++ that is inlined everywhere; and the same wherever debug information lies.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use gmon_analyzer::Image;
use gmon_analyzer::image::Dialect;
use gmon_format::FilePc;

use super::compiled::tool;
use crate::gnu;
use crate::random::Random;
use crate::run::Case;

const PROGRAM: &[u8] = include_bytes!("programs/templates.cc");

/// How many addresses are asked for.
const ADDRESSES: usize = 10_000;

/// Functions from the innermost outwards; one at least.
type Chain = Vec<Frame>;

/// A function, and the place in it.
#[derive(Clone, Debug, PartialEq)]
struct Frame {
    function: Function,
    /// File and line; empty if they are not known.
    place: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Function {
    /// The linker's name.
    Linkage(String),
    /// The name in the source, of a function of which debug information has no other.
    Source(String),
    Unknown,
}

/// Random addresses of code.
fn addresses(exe: &Path) -> Vec<u64> {
    let image = Image::open(exe).unwrap();
    let mut random = Random::new(1);
    let code = image.code().iter().max_by_key(|code| code.end - code.start).unwrap();
    (0..ADDRESSES).map(|_| code.start.0 + random.below(code.end - code.start)).collect()
}

/// What we know of each address.
fn ours(exe: &Path, addresses: &[u64]) -> Vec<Chain> {
    chains(&Image::open(exe).unwrap(), addresses)
}

/// What an image knows of each address.
fn chains(image: &Image, addresses: &[u64]) -> Vec<Chain> {
    let lines = image.lines(Dialect::Standard);
    let functions = image.functions(Dialect::Standard);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // Code that is of no line in a file has the line 0.
    let place = |file: &[u8], line: u32| match line {
        0 => String::new(),
        _ => format!("{}:{line}", text(file)),
    };
    let chain = |&address: &u64| {
        let innermost = lines.locate(FilePc(address));
        let innermost = innermost.map(|it| place(lines.path(it.file), it.line.get()));
        let mut next = innermost.unwrap_or_default();
        let mut chain = Vec::new();
        for frame in functions.frames(FilePc(address)) {
            let function = match frame.function {
                Some(function) if function.is_linkage => Function::Linkage(text(function.name)),
                Some(function) => Function::Source(text(function.name)),
                None => Function::Unknown,
            };
            chain.push(Frame { function, place: next });
            next = frame.call.map(|call| place(call.file, call.line)).unwrap_or_default();
        }
        if chain.is_empty() {
            chain.push(Frame { function: Function::Unknown, place: next });
        }
        chain
    };
    addresses.iter().map(chain).collect()
}

/// The chains that a program like `addr2line` prints.
fn theirs(addr2line: &str, exe: &Path, addresses: &[u64]) -> Vec<Chain> {
    let mut command = Command::new(addr2line);
    command.args(["-a", "-i", "-f", "-e"]).arg(exe).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let list: String = addresses.iter().map(|address| format!("{address:#x}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(list.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut chains: Vec<Chain> = Vec::new();
    let mut rows = text.lines();
    while let Some(row) = rows.next() {
        if row.starts_with("0x") {
            chains.push(Vec::new());
            continue;
        }
        let place = rows.next().unwrap().split(" (discriminator").next().unwrap_or_default();
        let is_known = !place.ends_with('?') && !place.ends_with(":0");
        let place = if is_known { place } else { "" }.to_owned();
        let function = Function::Linkage(row.to_owned());
        chains.last_mut().unwrap().push(Frame { function, place });
    }
    chains
}

/// Whether both say the same. Where debug information does not say what the linker calls a function, the
/// tools may call it by the symbol that is there: that of GNU the innermost one, LLVM's the outermost one.
fn is_same(ours: &Chain, theirs: &Chain) -> bool {
    if let ([Frame { function: Function::Unknown, place }], [their]) = (&ours[..], &theirs[..]) {
        // Between functions LLVM's says nothing.
        return their.place == *place || their.place.is_empty();
    }
    let last = ours.len() - 1;
    let is_same = |(i, (ours, theirs)): (usize, (&Frame, &Frame))| {
        let is_name = match (&ours.function, &theirs.function) {
            (Function::Source(_) | Function::Unknown, Function::Linkage(theirs))
                if i == 0 || i == last || theirs.starts_with("_Z") =>
            {
                true
            }
            (Function::Source(ours) | Function::Linkage(ours), Function::Linkage(theirs)) => {
                ours == theirs || i == last && is_clone(theirs, ours)
            }
            _ => false,
        };
        is_name && ours.place == theirs.place
    };
    ours.len() == theirs.len() && ours.iter().zip(theirs).enumerate().all(is_same)
}

/// Whether a symbol is one that the compiler made of a function: a part or copy of it, or one of several
/// constructors or destructors that are the same code.
fn is_clone(symbol: &str, function: &str) -> bool {
    let without_kind = |name: &str| {
        let name = name.split('.').next().unwrap_or_default();
        name.replace("D1E", "D2E").replace("C1E", "C2E")
    };
    without_kind(symbol) == without_kind(function)
}

/// Compiles the program with one kind of debug information; compares with what `addr2line` tells; and
/// moves the debug information to all places where it can be, where it must tell the same.
fn check(compiler: &str, version: &str, addr2line: &str, packer: Option<&str>) {
    let test = format!("inline chains of {compiler} {version}");
    let tools = [compiler, addr2line, "objcopy"].into_iter().chain(packer);
    if tools.into_iter().any(|tool| !gnu::has(&test, tool)) {
        return;
    }
    let case = Case::new(b"", b"");
    case.file("program.cc", PROGRAM);
    let compile = |more: &[&str]| {
        let usual = ["-std=c++17", "-O2", version, "program.cc"];
        tool(&case, compiler, &[&usual, more].concat());
    };
    compile(&["-o", "exe"]);
    let addresses = addresses(&case.path("exe"));
    let expected = ours(&case.path("exe"), &addresses);
    let frames: usize = expected.iter().map(Vec::len).sum();
    assert!(frames > 2 * ADDRESSES, "{test}: only {frames} frames");
    let theirs = theirs(addr2line, &case.path("exe"), &addresses);
    assert_eq!(expected.len(), theirs.len(), "{test}");
    for ((address, ours), theirs) in addresses.iter().zip(&expected).zip(&theirs) {
        assert!(is_same(ours, theirs), "{test}, {address:#x}:\n{ours:#?}\n{theirs:#?}");
    }

    let is_unchanged = |exe: &str| ours(&case.path(exe), &addresses) == expected;
    for format in ["zlib", "zlib-gnu"] {
        let option = format!("--compress-debug-sections={format}");
        tool(&case, "objcopy", &[&option, "exe", "compressed"]);
        assert!(is_unchanged("compressed"), "{test}, compressed by {format}");
    }
    tool(&case, "objcopy", &["--only-keep-debug", "compressed", "debug"]);
    tool(&case, "objcopy", &["--strip-debug", "--add-gnu-debuglink=debug", "exe", "stripped"]);
    assert!(is_unchanged("stripped"), "{test}, in a separate file");

    compile(&["-gsplit-dwarf", "-c", "-o", "split.o"]);
    tool(&case, compiler, &["split.o", "-o", "split"]);
    assert!(is_unchanged("split"), "{test}, split");
    if let Some(packer) = packer {
        tool(&case, packer, &["split.dwo", "-o", "split.dwp"]);
        fs::remove_file(case.path("split.dwo")).unwrap();
        assert!(is_unchanged("split"), "{test}, split and packed");
        fs::remove_file(case.path("split.dwp")).unwrap();
    } else {
        fs::remove_file(case.path("split.dwo")).unwrap();
    }
    assert!(!is_unchanged("split"), "{test}, without half of its debug information");
}

/// Compiled apart, each type has a section of its own, and only the last one has the functions.
#[test]
fn units_of_types_hide_no_function() {
    if !gnu::has("units of types", "g++") {
        return;
    }
    let case = Case::new(b"", b"");
    case.file("program.cc", PROGRAM);
    let compile = |more: &[&str]| {
        let usual = ["-std=c++17", "-O2", "-gdwarf-5", "program.cc", "-o", "exe"];
        tool(&case, "g++", &[&usual, more].concat());
    };
    compile(&[]);
    let addresses = addresses(&case.path("exe"));
    let expected = ours(&case.path("exe"), &addresses);
    for more in [&["-fdebug-types-section"][..], &["-fdebug-types-section", "-gsplit-dwarf"]] {
        compile(more);
        assert!(ours(&case.path("exe"), &addresses) == expected, "{more:?}");
    }
}

/// Units of types refer to the lines of their functions, and do not say where these were compiled.
#[test]
fn headers_of_types_are_where_the_program_was_compiled() {
    if !gnu::has("headers of types", "g++") {
        return;
    }
    let case = Case::new(b"", b"");
    case.file("box.h", b"struct Box {\n    int n;\n    int twice() { return n * 2; }\n};\n");
    let main = b"#include \"box.h\"\nint main(int count, char **) { return Box{count}.twice(); }\n";
    case.file("program.cc", main);
    let usual = ["-gdwarf-5", "-fdebug-types-section", "-O0", "program.cc", "-o", "exe"];
    tool(&case, "g++", &usual);
    let image = Image::open(case.path("exe")).unwrap();
    let lines = image.lines(Dialect::Standard);
    let pieces = image.code().iter().flat_map(|code| lines.pieces(code.clone()));
    let paths: Vec<_> =
        pieces.map(|it| String::from_utf8_lossy(lines.path(it.location.file))).collect();
    let header = paths.iter().find(|path| path.ends_with("box.h")).unwrap();
    assert!(header.starts_with('/'), "{header}");
}

/// Units of compilation that nobody asks about are left alone, and of the others everything is known.
#[test]
fn only_units_with_code_in_question_are_decoded() {
    for (compiler, options) in [("g++", "-gdwarf-4"), ("g++", "-gdwarf-5")] {
        if !gnu::has("units in question", compiler) {
            continue;
        }
        let case = Case::new(b"", b"");
        case.file("program.cc", PROGRAM);
        case.file("other.cc", b"int other(int n)\n{\n    int sum = 0;\n    while (n-- > 0)\n        sum += n * n % 7;\n    return sum;\n}\n");
        let usual = ["-std=c++17", "-O2", options, "program.cc", "other.cc", "-o", "exe"];
        tool(&case, compiler, &usual);
        let exe = case.path("exe");
        let addresses = addresses(&exe);
        let all = ours(&exe, &addresses);
        let is_other = |chain: &&Chain| chain.iter().any(|frame| frame.place.contains("other.cc"));
        let (others, rest): (Vec<_>, Vec<_>) =
            addresses.into_iter().zip(&all).partition(|(_, chain)| is_other(chain));
        assert!(others.len() > 3 && rest.len() > others.len(), "{compiler} {options}");
        for (asked, not_asked) in [(&others, &rest), (&rest, &others)] {
            let places = |list: &[(u64, &Chain)]| list.iter().map(|it| it.0).collect::<Vec<u64>>();
            let image = places(asked).into_iter().map(FilePc).collect();
            let image = Image::open(&exe).unwrap().asked_about(image);
            let found = chains(&image, &places(asked));
            assert!(found.iter().eq(asked.iter().map(|it| it.1)), "{compiler} {options}");
            let found = chains(&image, &places(not_asked));
            let is_unknown = |chain: &Chain| {
                chain.iter().all(|it| it.place.is_empty() && it.function == Function::Unknown)
            };
            assert!(found.iter().all(is_unknown), "{compiler} {options}");
        }
    }
}

#[test]
fn chains_of_gcc_in_dwarf_4_are_those_of_the_gnu_tool() {
    check("g++", "-gdwarf-4", "addr2line", Some("dwp"));
}

#[test]
fn chains_of_clang_in_dwarf_4_are_those_of_the_gnu_tool() {
    check("clang++", "-gdwarf-4", "addr2line", Some("dwp"));
}

/// The GNU tool of binutils 2.40 takes some lines of DWARF 5 for those of another file. No packer of that
/// time can be relied on for what gcc makes of it.
#[test]
fn chains_of_gcc_in_dwarf_5_are_those_of_llvms_tool() {
    check("g++", "-gdwarf-5", "llvm-addr2line", None);
}

/// That of binutils 2.40 does not find ranges of code that are given by an index.
#[test]
fn chains_of_clang_in_dwarf_5_are_those_of_llvms_tool() {
    check("clang++", "-gdwarf-5", "llvm-addr2line", Some("llvm-dwp"));
}
