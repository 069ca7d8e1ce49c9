//! Checks of any bytes as unwind rules and expressions, for tests and fuzz targets: nothing panics, and nothing outside of
//! the given memory is asked for.

use gmon_unwind::{
    Aarch64, Arm, Bytes, Memory, Mips64, PowerPc64, Processor, RiscV64, Rule, S390x, Sparc,
    Sparc64, Tables, Word, X86, X86_64, evaluate,
};

/// The address that the bytes have.
const START: u64 = 0x1_0000;

/// Calls a check of a processor's rules, chosen by the first byte.
macro_rules! any_processor {
    ($input:expr, $check:ident) => {
        if let Some((choice, input)) = $input.split_first() {
            match choice % 9 {
                0 => $check::<X86_64>(input),
                1 => $check::<X86>(input),
                2 => $check::<Aarch64>(input),
                3 => $check::<Mips64>(input),
                4 => $check::<PowerPc64>(input),
                5 => $check::<RiscV64>(input),
                6 => $check::<S390x>(input),
                7 => $check::<Sparc>(input),
                _ => $check::<Sparc64>(input),
            }
        }
    };
}

/// Instructions of unwind rules, behind a head that makes them those of a function.
pub(crate) fn cfi(input: &[u8]) {
    any_processor!(input, cfi_of);
}

/// An expression of unwind rules.
pub(crate) fn expression(input: &[u8]) {
    any_processor!(input, expression_of);
}

/// An index of 32-bit ARM, and what it points to.
pub(crate) fn exidx(input: &[u8]) {
    const INDEX: usize = 16;
    find::<Arm>(input, START, INDEX.min(input.len()));
    // An index of one function, whose rules are all the rest.
    let bytes = [&[0x80, 0, 0, 0, 4, 0, 0, 0], input].concat();
    find::<Arm>(&bytes, START, 8);
}

fn cfi_of<P: Processor>(input: &[u8]) {
    let number = |number: u32| {
        let bytes = number.to_le_bytes();
        if P::IS_BIG_ENDIAN { number.to_be_bytes() } else { bytes }
    };
    // A table of one function of 64 KB, right at the bytes; what several share; its own description.
    let common: &[u8] = &[1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0];
    let mut bytes = vec![1, 0x1b, 3, 0x3b];
    bytes.extend([number(0), number(1), number(0), number(36)].concat());
    bytes.extend([number(common.len() as u32 + 4), number(0)].concat());
    bytes.truncate(20);
    bytes.extend([number(common.len() as u32 + 4), number(0)].concat());
    bytes.extend(common);
    let description = bytes.len() as u32;
    bytes[16..20].copy_from_slice(&number(description));
    bytes.extend(number(input.len() as u32 + 13));
    bytes.extend(number(bytes.len() as u32 - 20));
    bytes.extend(number((bytes.len() as u32).wrapping_neg()));
    bytes.extend(number(0x1_0000));
    bytes.push(0);
    bytes.extend(input);
    assert!(find::<P>(&bytes, START + 7, 20) || !input.is_empty());
    find::<P>(input, START, input.len().min(100));
}

/// Looks for rules; whether there are some.
fn find<P: Processor>(bytes: &[u8], pc: u64, header_len: usize) -> bool {
    let start = P::Word::of(START);
    let tables = Tables::<P> { segment: Bytes::of(start, bytes), header: start, header_len };
    _ = tables.function(P::Word::of(pc));
    let found = tables.find(P::Word::of(pc)).flatten();
    if let Some(row) = &found {
        let rule = Rule::of(row);
        assert_eq!(rule.pack::<P>().unpack::<P>(), rule);
    }
    found.is_some()
}

/// Memory that is all there, and knows that reads are small.
struct Everything;

impl Memory for Everything {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        assert!(LEN <= 8);
        Some([address as u8; LEN])
    }
}

fn expression_of<P: Processor>(input: &[u8]) {
    let register = |number: usize| (number < 40).then(|| P::Word::of(number as u64 * 0x1_0101));
    _ = evaluate::<P>(input, Some(P::Word::of(START)), register, &mut Everything);
}
