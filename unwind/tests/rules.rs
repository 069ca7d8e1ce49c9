//! Compares the rules that are found with those that `gimli` finds, for every processor: at each instruction of some
//! hundred functions as compilers make them, and where bytes of these rules are damaged.

mod fixture;

use fastrand::Rng;
use fixture::{Fixture, Reader};
use gimli::{BaseAddresses, CieOrFde, EhFrame, UnwindContext, UnwindSection};
use gmon_unwind::{
    Aarch64, Arm, Cfa, Memory, Mips64, PowerPc64, Processor, RiscV64, Row, Rule, S390x, Saved,
    Sparc, Sparc64, Word, X86, X86_64,
};

type Description<'f> = gimli::FrameDescriptionEntry<Reader<'f>>;

/// A row in a form that both sides can have: offsets as addresses have them, and what is lost as unchanged, which
/// `gimli` does not tell apart where no rule mentions the register.
#[derive(Debug, PartialEq, Eq)]
struct Comparable<'t> {
    cfa: Option<(usize, u64)>,
    cfa_expression: &'t [u8],
    saved: Vec<Saved<'t>>,
    is_signal: bool,
}

fn wrapped<P: Processor>(offset: i64) -> isize {
    P::Word::of(offset as u64).signed() as isize
}

/// A row as it was found.
fn found<'t, P: Processor>(row: &Row<'t, P>) -> Comparable<'t> {
    let (cfa, cfa_expression) = match row.cfa {
        Cfa::Register(register, offset) => {
            (Some((register, wrapped::<P>(offset as i64) as u64)), &[][..])
        }
        Cfa::Expression(expression) => (None, expression),
    };
    let saved = row.saved.as_ref().iter().map(|saved| match *saved {
        Saved::Undefined => Saved::Unchanged,
        Saved::Offset(offset) => Saved::Offset(wrapped::<P>(offset as i64)),
        Saved::Value(offset) => Saved::Value(wrapped::<P>(offset as i64)),
        other => other,
    });
    Comparable { cfa, cfa_expression, saved: saved.collect(), is_signal: row.is_signal }
}

/// A row as `gimli` has it.
fn expected<'t, P: Processor>(
    row: &gimli::UnwindTableRow<usize>,
    description: &Description<'t>,
    rules: &'t [u8],
) -> Comparable<'t> {
    use gimli::RegisterRule;
    let bytes = |expression: gimli::UnwindExpression<usize>| {
        &rules[expression.offset..expression.offset + expression.length]
    };
    let (cfa, cfa_expression) = match row.cfa() {
        gimli::CfaRule::RegisterAndOffset { register, offset } => {
            (Some((register.0.into(), wrapped::<P>(*offset) as u64)), &[][..])
        }
        gimli::CfaRule::Expression(expression) => (None, bytes(*expression)),
    };
    let saved = |index: usize| {
        let is_it = |number: &u16| P::index((*number).into()) == index;
        let register = match index {
            _ if index == P::RETURN_ADDRESS => description.cie().return_address_register(),
            _ => gimli::Register((0..=u16::MAX).find(is_it).expect("a number")),
        };
        match row.registers().find(|(number, _)| *number == register).map(|(_, rule)| rule.clone())
        {
            None | Some(RegisterRule::SameValue | RegisterRule::Undefined) => Saved::Unchanged,
            Some(RegisterRule::Offset(offset)) => Saved::Offset(wrapped::<P>(offset)),
            Some(RegisterRule::ValOffset(offset)) => Saved::Value(wrapped::<P>(offset)),
            Some(RegisterRule::Register(other)) => Saved::Register(P::index(other.0.into())),
            Some(RegisterRule::Expression(expression)) => Saved::Expression(bytes(expression)),
            Some(RegisterRule::ValExpression(expression)) => {
                Saved::ValueExpression(bytes(expression))
            }
            Some(other) => panic!("{other:?}"),
        }
    };
    let is_signal = description.is_signal_trampoline();
    Comparable { cfa, cfa_expression, saved: (0..P::REGISTERS).map(saved).collect(), is_signal }
}

/// What the packed form says is what the row says.
fn check_packed<P: Processor>(row: &Row<'_, P>) {
    let rule = Rule::of(row);
    assert_eq!(rule.pack::<P>().unpack::<P>(), rule);
    let Rule::Frame { by_frame_pointer, size, frame_pointer, return_address } = rule else {
        return;
    };
    let Cfa::Register(register, offset) = row.cfa else { panic!("{:?}", row.cfa) };
    assert_eq!((register == P::STACK_POINTER, offset), (!by_frame_pointer, size as isize));
    let below = |offset: Option<usize>, top: usize| {
        offset.map_or(Saved::Unchanged, |offset| Saved::Offset(top as isize - offset as isize))
    };
    assert_eq!(row.saved(P::FRAME_POINTER), below(frame_pointer, 0));
    assert_eq!(row.saved(P::RETURN_ADDRESS), below(return_address, P::LINKAGE));
}

/// The section as `gimli` reads it.
fn section_of<'f, P: Processor>(fixture: &'f Fixture) -> (EhFrame<Reader<'f>>, BaseAddresses) {
    let endian =
        if P::IS_BIG_ENDIAN { gimli::RunTimeEndian::Big } else { gimli::RunTimeEndian::Little };
    let mut section = EhFrame::new(fixture.rules(), endian);
    section.set_address_size(P::Word::SIZE as u8);
    section.set_vendor(gimli::Vendor::AArch64);
    let bases = BaseAddresses::default()
        .set_eh_frame(fixture.rules_address)
        .set_eh_frame_hdr(fixture.header_address);
    (section, bases)
}

/// All descriptions of stretches of code.
fn descriptions_of<'f>(
    section: &EhFrame<Reader<'f>>,
    bases: &BaseAddresses,
) -> Vec<Description<'f>> {
    let mut descriptions = Vec::new();
    let mut entries = section.entries(bases);
    while let Some(entry) = entries.next().expect("sound rules") {
        if let CieOrFde::Fde(partial) = entry {
            descriptions
                .push(partial.parse(EhFrame::cie_from_offset).expect("a sound description"));
        }
    }
    descriptions
}

/// Compares the rules of every instruction, of which none is shorter than `shortest`.
fn compare<P: Processor>(name: &str, shortest: usize) {
    let fixture = Fixture::read::<P>(name);
    let (section, bases) = section_of::<P>(&fixture);
    let tables = fixture.tables::<P>();
    let mut context = UnwindContext::new();
    let (mut functions, mut instructions) = (0, 0);
    for description in descriptions_of(&section, &bases) {
        let mut table = description.rows(&section, &bases, &mut context).expect("rows");
        while let Some(row) = table.next_row().expect("a sound row") {
            let expected = expected::<P>(row, &description, fixture.rules());
            for pc in (row.start_address()..row.end_address()).step_by(shortest) {
                let row = tables.find(P::Word::of(pc)).and_then(|row| row);
                let row = row.unwrap_or_else(|| panic!("{name}: no rules for {pc:#x}"));
                assert_eq!(found(&row), expected, "{name}: {pc:#x}");
                check_packed(&row);
                instructions += 1;
            }
        }
        let function = tables.function(P::Word::of(description.initial_address()));
        let function = function.expect("a function");
        assert_eq!(function.start.get(), description.initial_address(), "{name}");
        assert_eq!(function.end.get(), description.end_address(), "{name}");
        functions += 1;
    }
    println!("{name}: {instructions} places in {functions} functions");
    assert!(functions > 200 && instructions > 3_000, "{name}: {functions}, {instructions}");
}

#[test]
fn every_instruction_has_the_rules_that_gimli_finds() {
    compare::<X86_64>("x86_64", 1);
    compare::<X86>("x86", 1);
    compare::<Aarch64>("aarch64", 4);
    compare::<Mips64>("mips64", 4);
    compare::<PowerPc64>("powerpc64", 4);
    compare::<RiscV64>("riscv64", 2);
    compare::<S390x>("s390x", 2);
    compare::<Sparc>("sparc", 4);
    compare::<Sparc64>("sparc64", 4);
}

/// Rules of 32-bit ARM hold behind calls. There they have to say where the frame ends, and where the registers are, as
/// the debug information of the same code does.
#[test]
fn every_call_of_arm_returns_to_the_rules_that_gimli_finds() {
    let fixture = Fixture::read::<Arm>("arm");
    let section = fixture.debug_frame();
    let bases = BaseAddresses::default();
    let tables = fixture.tables::<Arm>();
    let mut context = UnwindContext::new();
    let (mut calls, mut functions) = (0, 0);
    let mut entries = section.entries(&bases);
    while let Some(entry) = entries.next().expect("sound rules") {
        let CieOrFde::Fde(partial) = entry else { continue };
        let description = partial.parse(gimli::DebugFrame::cie_from_offset).expect("a description");
        functions += 1;
        let range = description.initial_address()..description.end_address();
        for pc in range.skip(4).step_by(2) {
            let address = pc as u32;
            // Compilers make Thumb code, of which some looks like calls of the other kind.
            let mut memory = &fixture.pieces()[..];
            let is_thumb = memory
                .bytes(pc - 4)
                .is_some_and(|[_, a, _, b]: [u8; 4]| a >> 3 == 0b1_1110 && b >> 6 == 0b11);
            if !is_thumb || Arm::call_before(&mut memory, address).is_none() {
                continue;
            }
            // A walk looks up the call itself.
            let row = description.unwind_info_for_address(&section, &bases, &mut context, pc - 1);
            let row = row.expect("a row");
            let found = tables.find(address - 1).expect("a sound index");
            // Functions that cannot be left have no rules of their own there.
            let Some(found) = found.filter(|row| row.saved(15) != Saved::Undefined) else {
                continue;
            };
            let gimli::CfaRule::RegisterAndOffset { register, offset } = row.cfa() else {
                panic!("{row:?}")
            };
            // Both may take another register, and then say nothing about each other.
            if found.cfa == Cfa::Register(register.0.into(), *offset as isize) {
                for (register, rule) in row.registers().filter(|(register, _)| register.0 < 15) {
                    let gimli::RegisterRule::Offset(offset) = rule else { continue };
                    let saved = Saved::Offset(*offset as isize);
                    assert_eq!(found.saved(register.0.into()), saved, "{pc:#x}: {register:?}");
                }
                calls += 1;
            } else {
                let Cfa::Register(other, _) = found.cfa else { panic!("{:?}", found.cfa) };
                assert_ne!(other, usize::from(register.0), "{pc:#x}: {:?}", found.cfa);
            }
        }
    }
    println!("arm: {calls} calls in {functions} functions");
    assert!(functions > 200 && calls > 300, "{functions}, {calls}");
}

/// Damages the instructions of one description after the other: where both find a rule, it is the same one.
fn damage<P: Processor>(name: &str) {
    const ROUNDS: usize = 2000;
    /// What comes before the instructions: length, place of what is shared, start and length of the code, and the
    /// length of what is added.
    const HEAD: usize = 17;
    let whole = Fixture::read::<P>(name);
    let (section, bases) = section_of::<P>(&whole);
    let descriptions: Vec<_> = descriptions_of(&section, &bases)
        .iter()
        .map(|fde| (fde.offset(), fde.entry_len(), fde.initial_address(), fde.len()))
        .collect();
    let mut random = Rng::with_seed(5);
    let (mut equal, mut neither, mut one) = (0, 0, 0);
    for _ in 0..ROUNDS {
        let (offset, len, start, code) = descriptions[random.usize(..descriptions.len())];
        let places = offset + HEAD..offset + 4 + len;
        if places.is_empty() || code == 0 {
            continue;
        }
        let mut damaged = whole.clone();
        for _ in 0..1 + random.usize(..3) {
            damaged.rules_mut()[random.usize(places.clone())] = random.u8(..);
        }
        let (section, bases) = section_of::<P>(&damaged);
        let pc = start + random.u64(..code);
        let description = section.fde_from_offset(&bases, offset.into(), EhFrame::cie_from_offset);
        let mut context = UnwindContext::new();
        let expected = description.ok().and_then(|description| {
            let row = description.unwind_info_for_address(&section, &bases, &mut context, pc);
            row.ok().map(|row| expected::<P>(row, &description, damaged.rules()))
        });
        let row = damaged.tables::<P>().find(P::Word::of(pc)).flatten();
        match (row, expected) {
            (Some(row), Some(expected)) => {
                check_packed(&row);
                assert_eq!(found(&row), expected, "{name}, {offset:#x}: {pc:#x}");
                equal += 1;
            }
            (None, None) => neither += 1,
            // There are instructions that only one of both knows, and registers that only one has room for.
            (Some(_), None) | (None, Some(_)) => one += 1,
        }
    }
    println!("{name}: {equal} equal, {neither} refused by both, {one} by one");
    assert!(equal > ROUNDS / 5 && one < ROUNDS / 3, "{name}: {equal}, {neither}, {one}");
}

#[test]
fn damaged_rules_are_what_gimli_makes_of_them() {
    damage::<X86_64>("x86_64");
    damage::<X86>("x86");
    damage::<Aarch64>("aarch64");
    damage::<Mips64>("mips64");
    damage::<PowerPc64>("powerpc64");
    damage::<RiscV64>("riscv64");
    damage::<S390x>("s390x");
    damage::<Sparc>("sparc");
    damage::<Sparc64>("sparc64");
}
