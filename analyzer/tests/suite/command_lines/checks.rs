//! What must hold of any command line and any symspecs. The fuzz targets check the same.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use gmon_analyzer::selection::{Choice, Choices, Part, Selector, Symspec, Verdict};
use gmon_analyzer::symbols::{Sources, Symbol, SymbolTable};
use gmon_analyzer::{Image, Selections};
use gmon_format::FilePc;

use crate::elf::Elf;

/// Reads a command line of words that end with a NUL. Without an executable there is nothing but
/// help or an error.
pub(crate) fn answers(words: &[u8]) {
    let words = words.split(|&byte| byte == 0).map(word);
    let words: Vec<_> = ["/no such file".into()].into_iter().chain(words).collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = gmon_analyzer::gprof::main("gprof", &words, &mut stdout, &mut stderr);
    assert_eq!(status, u8::from(stdout.is_empty()), "{words:?}");
    assert_eq!(stderr.is_empty(), status == 0, "{words:?}");
}

fn word(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).to_owned()
}

/// Selects symbols with a text whose lines begin with a letter that says for what.
pub(crate) fn selects(text: &[u8]) {
    let choices = choices(text);
    let image = Image::open(program()).expect("our own program");
    let symbols = SymbolTable::new(&image).expect("its symbols");
    let selections = Selections::new(&choices, &symbols, &Sources::default());
    let list: Vec<Symbol<'_>> = symbols.symbols().collect();
    for (choice, filter) in [
        (&choices.flat_profile, &selections.flat),
        (&choices.graph, &selections.graph),
        (&choices.time, &selections.time),
    ] {
        let expected = verdicts(choice, &list);
        let verdicts: Vec<_> = symbols.ids().map(|id| filter.verdict(id)).collect();
        assert_eq!(verdicts, expected, "{choice:?}");
    }
    for (caller, number) in symbols.ids().zip(0..) {
        let callees: Vec<_> =
            symbols.ids().map(|callee| selections.arcs.accepts(caller, callee)).collect();
        assert_eq!(callees, callees_of(number, &choices.arcs, &list), "{choices:?}");
    }
}

fn choices(text: &[u8]) -> Choices {
    let mut choices = Choices::default();
    for line in text.split(|&byte| byte == b'\n') {
        let Some((letter, selector)) = line.split_first() else { continue };
        let choice = match letter.to_ascii_lowercase() {
            b'p' => &mut choices.flat_profile,
            b'q' => &mut choices.graph,
            b'n' => &mut choices.time,
            _ => &mut choices.arcs,
        };
        let excluded = letter.is_ascii_uppercase();
        let list = if excluded { &mut choice.exclude } else { &mut choice.include };
        list.push(Selector::parse(selector));
    }
    choices
}

/// A small program: symbols side by side, and one beyond the end of the code.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        const TEXT: u64 = 0x1000;
        let mut exe = Elf::new(TEXT, 0x100);
        for (name, number) in ["a", "b", "c", "d", "e", "f", "g", "h", "i"].into_iter().zip(0..) {
            exe.function(name, TEXT + number * 0x18);
        }
        exe.function("beyond", TEXT + 0x200);
        let path = std::env::temp_dir().join(format!("gmon-symspecs.{}", std::process::id()));
        fs::write(&path, exe.bytes()).expect("a place for our program");
        path
    })
}

/// First and last address of what a symspec selects together.
type Range = (FilePc, FilePc);

/// What GNU gprof does, said as plainly as possible: each symspec is compared with each symbol.
fn ranges(spec: &Symspec, symbols: &[Symbol<'_>]) -> Vec<Range> {
    // There are no sources here.
    let matches = |symbol: &Symbol<'_>| match (&spec.file, &spec.part) {
        (None, Part::All) => true,
        (None, Part::Function(name)) => symbol.name == &name[..],
        _ => false,
    };
    let runs = symbols.chunk_by(|a, b| matches(a) == matches(b)).filter(|run| matches(&run[0]));
    let range = |run: &[Symbol<'_>]| (run[0].address, run[run.len() - 1].end);
    runs.map(range).filter(|(start, end)| start <= end).collect()
}

/// The ranges of several symspecs, and the place of each one's among them: the last one wins.
fn all_ranges(selectors: &[Selector], symbols: &[Symbol<'_>]) -> Vec<(Range, usize)> {
    let mut all: Vec<_> = (0..selectors.len())
        .rev()
        .flat_map(|n| ranges(&selectors[n].symbols, symbols).into_iter().map(move |it| (it, n)))
        .collect();
    all.sort_by_key(|((start, _), _)| *start);
    all.dedup_by_key(|((start, _), _)| *start);
    all
}

fn verdicts(choice: &Choice, symbols: &[Symbol<'_>]) -> Vec<Verdict> {
    let include = all_ranges(&choice.include, symbols);
    let exclude = all_ranges(&choice.exclude, symbols);
    let has = |ranges: &[(Range, usize)], address| {
        let last = ranges.iter().rev().find(|((start, _), _)| *start <= address);
        last.is_some_and(|((_, end), _)| address <= *end)
    };
    let verdict = |symbol: &Symbol<'_>| match (
        has(&include, symbol.address),
        has(&exclude, symbol.address),
    ) {
        (true, _) => Verdict::Accepted,
        (false, true) => Verdict::Rejected,
        (false, false) if include.is_empty() => Verdict::Accepted,
        (false, false) => Verdict::Passed,
    };
    symbols.iter().map(verdict).collect()
}

/// Which callees a caller may have.
fn callees_of(caller: usize, choice: &Choice, symbols: &[Symbol<'_>]) -> Vec<bool> {
    let contains =
        |(start, end): Range, symbol: &Symbol<'_>| start <= symbol.address && symbol.address <= end;
    let include = all_ranges(&choice.include, symbols);
    let exclude = all_ranges(&choice.exclude, symbols);
    let has = |callers: &[(Range, usize)], list: &[Selector], callee: &Symbol<'_>| {
        callers.iter().any(|&(range, place)| {
            let callees = list[place].callees.as_ref();
            let callees = callees.map_or(vec![], |callees| ranges(callees, symbols));
            contains(range, &symbols[caller]) && callees.iter().any(|&it| contains(it, callee))
        })
    };
    let accepts = |callee: &Symbol<'_>| {
        if include.is_empty() {
            !has(&exclude, &choice.exclude, callee)
        } else {
            has(&include, &choice.include, callee)
        }
    };
    symbols.iter().map(accepts).collect()
}
