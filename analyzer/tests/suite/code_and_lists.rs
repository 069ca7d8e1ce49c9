//! What must hold of any machine code and of any list beside the executable. The fuzz targets check
//! the same.

use std::path::Path;

use gmon_analyzer::image::{FileMap, Image, SymbolList};
use gmon_analyzer::profile::StaticCalls;
use gmon_analyzer::records::{Loader, Records};
use gmon_analyzer::symbols::{Admission, SymbolTable};
use gmon_format::Encoding;

use super::data::{Data, Histogram};
use super::elf::{self, Elf};

const TEXT: u64 = 0x40_1000;
const FUNCTIONS: u64 = 8;

/// All machines that have a decoder, and one that has none.
const MACHINES: [(u16, Encoding); 14] = [
    (3, elf::LITTLE_32),
    (62, elf::LITTLE_64),
    (62, elf::LITTLE_32),
    (183, elf::LITTLE_64),
    (40, elf::LITTLE_32),
    (40, elf::BIG_32),
    (8, elf::BIG_32),
    (8, elf::LITTLE_64),
    (2, elf::BIG_32),
    (43, elf::BIG_64),
    (243, elf::LITTLE_64),
    (243, elf::LITTLE_32),
    (0x9026, elf::LITTLE_64),
    (75, elf::LITTLE_32),
];

/// A program with some bytes for its code, opened from a file in `folder`.
fn open(folder: &Path, (machine, encoding): (u16, Encoding), code: &[u8]) -> Image {
    let size = (code.len() as u64).max(FUNCTIONS).next_multiple_of(8);
    let mut exe = Elf::new(TEXT, size);
    (exe.machine, exe.encoding) = (machine, encoding);
    exe.code.push((TEXT, code.to_vec()));
    for number in 0..FUNCTIONS {
        exe.function(&format!("f{number}"), TEXT + number * (size / FUNCTIONS));
    }
    if machine == 40 {
        exe.symbol("$t", TEXT + size / 2, elf::LOCAL, elf::NOTYPE, elf::TEXT);
    }
    let path = folder.join("exe");
    std::fs::write(&path, exe.bytes()).expect("a writable folder");
    Image::open(&path).expect("our own program")
}

/// Decodes bytes as the code of the machine that the first of them chooses: whatever they are, there
/// is at most one call for each.
pub(crate) fn finds_calls(folder: &Path, input: &[u8]) {
    let Some((&first, code)) = input.split_first() else { return };
    let (machine, encoding) = MACHINES[usize::from(first) % MACHINES.len()];
    let image = open(folder, (machine, encoding), code);
    let symbols = SymbolTable::new(&image).expect("its functions");
    let text = image.text();
    let bins = vec![1; code.len() / 2 + 1];
    let data =
        Data { histograms: vec![Histogram::new(text.start.0, text.end.0, bins)], arcs: vec![] };
    let mut records = Records::default();
    let loader = Loader::for_program(&image);
    loader.add_bytes("data".as_ref(), &data.bytes(encoding), &mut records).expect("good data");
    let calls = StaticCalls::find(&image, &symbols, &records).expect("a decoder");
    assert!(calls.len() <= code.len());
}

/// Reads bytes as a list of symbols and as one of object files: there are no more than lines.
pub(crate) fn reads_lists(folder: &Path, text: &[u8]) {
    let image = open(folder, (62, elf::LITTLE_64), &[]);
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() + 1 + text.len() / 1000;
    let list = SymbolList::new("list".as_ref(), text.to_vec());
    if let Ok(symbols) = SymbolTable::listed(&list, &image) {
        assert!(symbols.len() <= lines);
        assert!(symbols.symbols().is_sorted_by(|symbol, next| symbol.address < next.address));
    }
    if let Ok(map) = FileMap::new("map".as_ref(), text.to_vec()) {
        let admission = Admission::default();
        if let Ok(symbols) = SymbolTable::by_file(&image, admission, &map) {
            assert!(symbols.len() as u64 <= FUNCTIONS);
        }
    }
}
