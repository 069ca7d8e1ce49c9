//! Lets nonsense loose on everything that reads what a program has in its memory: whatever it is, nothing panics and
//! everything ends.

mod checks;
mod fixture;

use std::collections::HashMap;
use std::convert::Infallible;

use fastrand::Rng;
use fixture::Fixture;
use gmon_unwind::{
    Aarch64, Array, Backtrace, Frame, Frames, Memory, Mips64, Packed, Piece, PowerPc64, Processor,
    Program, Registers, RiscV64, Rule, S390x, Sparc, Sparc64, Tables, Word, X86, X86_64,
};

/// Damages the rules of a module.
fn damage<P: Processor>(name: &str) {
    let whole = Fixture::read::<P>(name);
    let mut random = Rng::with_seed(3);
    for _ in 0..40 {
        let mut damaged = whole.clone();
        for _ in 0..1 + random.usize(..2000) {
            let bytes = damaged.bytes_mut();
            bytes[random.usize(..bytes.len())] = random.u8(..);
        }
        let tables = damaged.tables::<P>();
        for _ in 0..200 {
            let pc = P::Word::of(random.u64(..4 << 20));
            if let Some(Some(row)) = tables.find(pc) {
                let rule = Rule::of(&row);
                assert_eq!(rule.pack::<P>().unpack::<P>(), rule);
            }
            _ = tables.function(pc);
        }
    }
}

/// A program that consists of a module, with a cache of rules that never ends.
struct Module<'t, P: Processor> {
    tables: Tables<'t, P>,
    kept: HashMap<u64, Packed>,
}

impl<'t, P: Processor> Program<'t, P> for Module<'t, P> {
    type Unsure = Infallible;

    fn tables(&mut self, _pc: u64) -> Result<Option<Tables<'t, P>>, Infallible> {
        Ok(Some(self.tables))
    }

    fn is_code(&mut self, address: u64) -> bool {
        address < 4 << 20
    }

    fn is_made(&mut self, address: u64) -> bool {
        (1 << 20..2 << 20).contains(&address)
    }

    fn kept(&mut self, pc: u64) -> Option<Packed> {
        self.kept.get(&pc).copied()
    }

    fn keep(&mut self, pc: u64, rule: Packed) {
        self.kept.insert(pc, rule);
    }
}

/// What counts how often it is asked.
struct Counted<M>(M, usize);

impl<M: Memory> Memory for Counted<M> {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        self.1 += 1;
        self.0.bytes(address)
    }
}

/// Frames that nobody keeps.
struct Count(usize);

impl Frames for Count {
    fn clear(&mut self) {
        self.0 = 0;
    }

    fn push(&mut self, _frame: Frame) -> bool {
        self.0 += 1;
        true
    }
}

/// Walks stacks with registers that mean nothing.
fn stray<P: Processor>(name: &str) {
    const STACK: u64 = 0x4000_0000;
    let fixture = Fixture::read::<P>(name);
    let mut program = Module { tables: fixture.tables::<P>(), kept: HashMap::new() };
    let mut random = Rng::with_seed(4);
    let mut stack = vec![0; 32 << 10];
    for _ in 0..2_000 {
        let any = |random: &mut Rng| match random.u8(..6) {
            0 => random.u64(..),
            1 => random.u64(..4096),
            2 => random.u64(..4 << 20),
            3 | 4 => STACK + 8 * random.u64(..4096),
            _ => STACK + random.u64(..40_000),
        };
        for _ in 0..200 {
            let at = 8 * random.usize(..stack.len() / 8);
            stack[at..at + 8].copy_from_slice(&any(&mut random).to_ne_bytes());
        }
        let registers = Registers::<P>::from_fn(|_| P::Word::of(any(&mut random)));
        let [code] = fixture.pieces();
        let pieces = [Piece { address: STACK, bytes: &stack }, code];
        let mut memory = Counted(&pieces[..], 0);
        let mut frames = Count(0);
        _ = gmon_unwind::walk::<P, _>(&mut memory, &mut program, &registers, &mut frames);
        assert!((1..=16_384).contains(&frames.0), "{name}: {} frames", frames.0);
        // Each step looks at some hundred places at most, and SPARC's at the code of a function.
        assert!(memory.1 <= frames.0 * 40_000, "{name}: {} reads", memory.1);
        let mut few = Backtrace::<2>::new();
        _ = gmon_unwind::walk::<P, _>(&mut &pieces[..], &mut program, &registers, &mut few);
        assert!((1..=2).contains(&few.len()));
    }
}

macro_rules! processors {
    ($($name:ident: $processor:ty, $rules:literal;)*) => {$(
        #[test]
        fn $name() {
            damage::<$processor>($rules);
            stray::<$processor>($rules);
        }
    )*};
}

processors! {
    x86_64: X86_64, "x86_64";
    x86: X86, "x86";
    aarch64: Aarch64, "aarch64";
    arm: gmon_unwind::Arm, "arm";
    mips64: Mips64, "mips64";
    powerpc64: PowerPc64, "powerpc64";
    riscv64: RiscV64, "riscv64";
    s390x: S390x, "s390x";
    sparc: Sparc, "sparc";
    sparc64: Sparc64, "sparc64";
}

/// Any bytes, of which most are instructions. `ROUNDS` says how many times.
#[test]
fn any_bytes_are_read_to_their_end() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let mut random = Rng::with_seed(6);
    let mut bytes = [0; 48];
    for _ in 0..rounds.unwrap_or(20_000_u64) {
        let input = &mut bytes[..random.usize(..48)];
        input
            .iter_mut()
            .for_each(|byte| *byte = random.u8(..) & [0xff, 0x3f, 0x0f][random.usize(..3)]);
        checks::cfi(input);
        checks::exidx(input);
        checks::expression(input);
    }
}
