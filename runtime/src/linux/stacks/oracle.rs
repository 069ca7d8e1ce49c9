//! Compares the rules that are found here with those that `gimli` finds, in the libraries of this machine,
//! and lets nonsense loose on everything that reads what a program has in its memory.

use std::path::{Path, PathBuf};
use std::vec::Vec;
use std::{fs, println};

use fastrand::Rng;
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, NativeEndian, RegisterRule, UnwindContext,
    UnwindSection,
};
use object::{Object, ObjectSection, ObjectSegment, SegmentFlags};

use super::cfi::Tables;
use super::frames::Frames;
use super::memory::Memory;
use super::processor::{Native, Processor};
use super::rules::{Cfa, Row, Rule, Saved};
use super::walk::walk;

type Reader = gimli::EndianSlice<'static, NativeEndian>;

/// Where libraries of this processor lie: of the system, or of Debian's compilers for others.
const FOLDER: &str = match () {
    () if cfg!(target_arch = "x86_64") => "/usr/lib/x86_64-linux-gnu",
    () if cfg!(target_arch = "x86") => "/usr/i686-linux-gnu/lib",
    () if cfg!(target_arch = "aarch64") => "/usr/aarch64-linux-gnu/lib",
    () if cfg!(target_arch = "mips64") => "/usr/mips64el-linux-gnuabi64/lib",
    () if cfg!(target_arch = "powerpc64") => "/usr/powerpc64le-linux-gnu/lib",
    () if cfg!(target_arch = "riscv64") => "/usr/riscv64-linux-gnu/lib",
    () if cfg!(target_arch = "s390x") => "/usr/s390x-linux-gnu/lib",
    () => "/usr/lib",
};

const ARCHITECTURE: object::Architecture = match () {
    () if cfg!(target_arch = "x86_64") => object::Architecture::X86_64,
    () if cfg!(target_arch = "x86") => object::Architecture::I386,
    () if cfg!(target_arch = "aarch64") => object::Architecture::Aarch64,
    () if cfg!(target_arch = "mips64") => object::Architecture::Mips64,
    () if cfg!(target_arch = "powerpc64") => object::Architecture::PowerPc64,
    () if cfg!(target_arch = "riscv64") => object::Architecture::Riscv64,
    () if cfg!(target_arch = "s390x") => object::Architecture::S390x,
    () => object::Architecture::Unknown,
};

/// Descriptions of one library that are compared at most.
const MOST: usize = 500;

/// A segment with unwind rules, and where the file says that it is.
struct Library {
    segment: &'static [u8],
    segment_address: u64,
    header_address: u64,
    header_len: usize,
    rules: &'static [u8],
    rules_address: u64,
}

impl Library {
    fn read(path: &Path) -> Option<Self> {
        let bytes = Vec::leak(fs::read(path).ok()?);
        let file = object::File::parse(&*bytes).ok()?;
        if file.architecture() != ARCHITECTURE {
            return None;
        }
        let header = file.section_by_name(".eh_frame_hdr")?;
        let (header_address, header_len) = (header.address(), header.size() as usize);
        let rules = file.section_by_name(".eh_frame")?;
        let holds = |segment: &object::Segment<'static, '_>| {
            let range = segment.address()..segment.address() + segment.file_range().1;
            let is_readable = !matches!(segment.flags(), SegmentFlags::None);
            is_readable && range.contains(&header_address) && range.contains(&rules.address())
        };
        let segment = file.segments().find(holds)?;
        Some(Self {
            segment: segment.data().ok()?,
            segment_address: segment.address(),
            header_address,
            header_len,
            rules: rules.data().ok()?,
            rules_address: rules.address(),
        })
    }

    /// The difference between an address here and one of the file.
    fn bias(&self) -> u64 {
        (self.segment.as_ptr() as u64).wrapping_sub(self.segment_address)
    }

    fn tables(&self) -> Tables {
        let header = self.header_address.wrapping_add(self.bias()) as usize;
        Tables { segment: self.segment, header, header_len: self.header_len }
    }
}

fn saved(rule: Option<RegisterRule<usize>>, rules: &'static [u8]) -> Saved {
    let bytes = |expression: gimli::UnwindExpression<usize>| {
        &rules[expression.offset..expression.offset + expression.length]
    };
    match rule {
        None | Some(RegisterRule::SameValue | RegisterRule::Undefined) => Saved::Unchanged,
        Some(RegisterRule::Offset(offset)) => Saved::Offset(offset as isize),
        Some(RegisterRule::ValOffset(offset)) => Saved::Value(offset as isize),
        Some(RegisterRule::Register(register)) => Saved::Register(Native::index(register.0.into())),
        Some(RegisterRule::Expression(expression)) => Saved::Expression(bytes(expression)),
        Some(RegisterRule::ValExpression(expression)) => Saved::ValueExpression(bytes(expression)),
        Some(other) => panic!("{other:?}"),
    }
}

/// A row as it is here.
fn row_of(
    row: &gimli::UnwindTableRow<usize>,
    description: &gimli::FrameDescriptionEntry<Reader>,
    library: &Library,
) -> Row {
    let cfa = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            Cfa::Register(register.0.into(), *offset as isize)
        }
        CfaRule::Expression(expression) => Cfa::Expression(
            &library.rules[expression.offset..expression.offset + expression.length],
        ),
    };
    let rule = |index| {
        let is_it = |number: &u16| Native::index((*number).into()) == index;
        let register = match index {
            Native::RETURN_ADDRESS => description.cie().return_address_register(),
            _ => gimli::Register((0..).find(is_it).expect("a number")),
        };
        let found = row.registers().find(|(number, _)| *number == register);
        saved(found.map(|(_, rule)| rule.clone()), library.rules)
    };
    let is_signal = description.is_signal_trampoline();
    Row { cfa, saved: core::array::from_fn(rule), is_signal }
}

/// The section as `gimli` reads it.
fn section_of(library: &Library) -> (EhFrame<Reader>, BaseAddresses) {
    let mut section = EhFrame::new(library.rules, NativeEndian);
    section.set_address_size(size_of::<usize>() as u8);
    if cfg!(target_arch = "aarch64") {
        section.set_vendor(gimli::Vendor::AArch64);
    }
    let bases = BaseAddresses::default()
        .set_eh_frame(library.rules_address)
        .set_eh_frame_hdr(library.header_address);
    (section, bases)
}

/// All descriptions of stretches of code.
fn descriptions_of(
    section: &EhFrame<Reader>,
    bases: &BaseAddresses,
) -> Vec<gimli::FrameDescriptionEntry<Reader>> {
    let mut descriptions = Vec::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        if let CieOrFde::Fde(partial) = entry {
            descriptions.extend(partial.parse(EhFrame::<Reader>::cie_from_offset));
        }
    }
    descriptions
}

/// Compares every row of a library's descriptions, or of many of them; how many rows there were.
fn compare(path: &Path, library: &Library) -> usize {
    let (section, bases) = section_of(library);
    let descriptions = descriptions_of(&section, &bases);
    let stride = descriptions.len().div_ceil(MOST).max(1);
    let (tables, bias) = (library.tables(), library.bias());
    let mut context = UnwindContext::new();
    let mut count = 0;
    for description in descriptions.iter().step_by(stride).filter(|fde| fde.len() != 0) {
        let Ok(mut table) = description.rows(&section, &bases, &mut context) else { continue };
        while let Ok(Some(row)) = table.next_row() {
            if row.start_address() >= row.end_address() {
                continue;
            }
            let expected = row_of(row, description, library);
            for pc in [row.start_address(), row.end_address() - 1] {
                let found = tables.find(pc.wrapping_add(bias) as usize);
                let found = found.unwrap_or_else(|| panic!("{}: {pc:#x}", path.display()));
                let found = found.unwrap_or_else(|| panic!("{}: no {pc:#x}", path.display()));
                check_packed(&found);
                assert_eq!(comparable(found), expected, "{}: {pc:#x}", path.display());
            }
            count += 1;
        }
    }
    count
}

/// A row as `gimli` gives it, which does not distinguish a lost register from one that no rule mentions.
fn comparable(mut row: Row) -> Row {
    let lost = row.saved.iter_mut().filter(|saved| **saved == Saved::Undefined);
    lost.for_each(|saved| *saved = Saved::Unchanged);
    row
}

/// What the packed form says is what the row says.
fn check_packed(row: &Row) {
    let rule = Rule::of(row);
    assert_eq!(rule.pack().unpack(), rule);
    let Rule::Frame { by_frame_pointer, size, frame_pointer, return_address } = rule else {
        return;
    };
    let Cfa::Register(register, offset) = row.cfa else { panic!("{row:?}") };
    assert_eq!((register == Native::STACK_POINTER, offset), (!by_frame_pointer, size as isize));
    let below = |offset: Option<usize>, top: usize| {
        offset.map_or(Saved::Unchanged, |offset| Saved::Offset(top as isize - offset as isize))
    };
    assert_eq!(row.saved(Native::FRAME_POINTER), below(frame_pointer, 0));
    assert_eq!(row.saved(Native::RETURN_ADDRESS), below(return_address, Native::LINKAGE));
}

#[test]
fn rows_are_those_that_gimli_finds() {
    let folder = fs::read_dir(FOLDER).expect("the folder of libraries");
    let paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    let is_library = |path: &&PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let small =
            path.symlink_metadata().is_ok_and(|file| file.is_file() && file.len() < 8 << 20);
        name.contains(".so") && small
    };
    let (mut libraries, mut rows) = (0, 0);
    for path in paths.iter().filter(is_library).take(200) {
        if let Some(library) = Library::read(path) {
            rows += compare(path, &library);
            libraries += 1;
        }
    }
    println!("{rows} rows of {libraries} libraries");
    assert!(libraries > 2 && rows > 5_000, "{rows} rows of {libraries} libraries");
}

/// Damages the rules of a library: whatever is found, nothing panics and everything ends.
#[test]
fn damaged_rules_do_no_harm() {
    let library = Library::read(&Path::new(FOLDER).join("libc.so.6")).expect("libc");
    let mut random = Rng::with_seed(3);
    let header = (library.header_address - library.segment_address) as usize;
    let start = header.min((library.rules_address - library.segment_address) as usize);
    for _ in 0..60 {
        let mut copy = library.segment.to_vec();
        let damage = 1 + random.usize(..2000);
        for _ in 0..damage {
            let at = start + random.usize(..copy.len() - start);
            copy[at] = random.u8(..);
        }
        let segment: &'static [u8] = Vec::leak(copy);
        let tables = Tables {
            segment,
            header: segment.as_ptr() as usize + header,
            header_len: library.header_len,
        };
        for _ in 0..200 {
            let pc = (segment.as_ptr() as usize).wrapping_add(random.usize(..4 << 20));
            if let Some(Some(row)) = tables.find(pc) {
                check_packed(&row);
            }
        }
        // SAFETY: the tables, which alone know of it, are not used any more.
        drop(unsafe { std::boxed::Box::from_raw(core::ptr::from_ref(segment).cast_mut()) });
    }
}

/// Damages the instructions of one description after the other: where both find a rule, it is the same one.
#[test]
fn damaged_rules_are_what_gimli_makes_of_them() {
    const ROUNDS: usize = 5000;
    /// What comes before the instructions: length, place of what is shared, start and length of the code, and the
    /// length of what is added.
    const HEAD: usize = 17;
    let whole = Library::read(&Path::new(FOLDER).join("libc.so.6")).expect("libc");
    let (section, bases) = section_of(&whole);
    let descriptions = descriptions_of(&section, &bases);
    let at = (whole.rules_address - whole.segment_address) as usize;
    let mut random = Rng::with_seed(5);
    let (mut equal, mut neither, mut one) = (0, 0, 0);
    for _ in 0..ROUNDS {
        let description = &descriptions[random.usize(..descriptions.len())];
        let (offset, len) = (description.offset(), description.entry_len());
        let places = offset + HEAD..offset + 4 + len;
        if places.is_empty() || description.len() == 0 {
            continue;
        }
        let mut copy = whole.segment.to_vec();
        for _ in 0..1 + random.usize(..3) {
            copy[at + random.usize(places.clone())] = random.u8(..);
        }
        let segment: &'static [u8] = Vec::leak(copy);
        let rules = &segment[at..at + whole.rules.len()];
        let library = Library { segment, rules, ..whole };
        let (section, bases) = section_of(&library);
        let pc = description.initial_address() + random.u64(..description.len());
        let damaged = section.fde_from_offset(&bases, offset.into(), EhFrame::cie_from_offset);
        let mut context = UnwindContext::new();
        let expected = damaged.ok().and_then(|damaged| {
            let row = damaged.unwind_info_for_address(&section, &bases, &mut context, pc);
            row.ok().map(|row| row_of(row, &damaged, &library))
        });
        let found = library.tables().find(pc.wrapping_add(library.bias()) as usize).flatten();
        match (found, expected) {
            (Some(found), Some(expected)) => {
                check_packed(&found);
                assert_eq!(comparable(found), expected, "{offset:#x}: {pc:#x}");
                equal += 1;
            }
            (None, None) => neither += 1,
            // There are instructions that only one of both knows, and registers that only one has room for.
            (Some(_), None) | (None, Some(_)) => one += 1,
        }
        // SAFETY: what knows of the copy is not used any more.
        drop(unsafe { std::boxed::Box::from_raw(core::ptr::from_ref(segment).cast_mut()) });
    }
    println!("{equal} equal, {neither} refused by both, {one} by one");
    assert!(equal > ROUNDS / 4 && neither > ROUNDS / 50, "{equal}, {neither}, {one}");
    assert!(one < ROUNDS / 5, "{one} by one of both only");
}

/// Registers and stacks that mean nothing, in real code and elsewhere.
#[test]
fn senseless_stacks_are_left_again() {
    let mut random = Rng::with_seed(4);
    let mut memory = Memory::new();
    let mut frames = Frames::boxed();
    let code = [
        walk as *const () as usize,
        Frames::push as *const () as usize,
        fs::read::<PathBuf> as *const () as usize,
        libc::malloc as *const () as usize,
    ];
    let mut stack: Vec<usize> = std::vec![0; 4096];
    let base = stack.as_ptr() as usize;
    for _ in 0..20_000 {
        let any = |random: &mut Rng| match random.u8(..6) {
            0 => random.usize(..),
            1 => random.usize(..4096),
            2 => code[random.usize(..code.len())].wrapping_add(random.usize(..4000)),
            3 | 4 => base + 8 * random.usize(..4096),
            _ => base.wrapping_add(random.usize(..40_000)),
        };
        for _ in 0..200 {
            let at = random.usize(..stack.len());
            stack[at] = any(&mut random);
        }
        let mut registers = [0; Native::REGISTERS];
        registers.iter_mut().for_each(|register| *register = any(&mut random));
        frames.clear();
        _ = walk(&mut memory, &registers, &mut frames);
        assert!(frames.as_slice().len() <= 1024);
    }
}
