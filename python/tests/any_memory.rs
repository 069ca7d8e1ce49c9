//! Memory with anything at all in it: nothing panics, and everything ends.

use std::collections::HashMap;

use fastrand::Rng;
use gmon_python::{Chain, Layout, ThreadId, Version};
use gmon_unwind::Memory;

/// Memory that is made up when it is read: numbers, addresses of other such memory, and what cannot be read.
struct Any {
    rng: Rng,
    words: HashMap<u64, u64>,
    reads: u64,
}

const BASE: u64 = 0x10_0000;
const LEN: u64 = 0x800;

impl Any {
    fn new(seed: u64) -> Self {
        Self { rng: Rng::with_seed(seed), words: HashMap::new(), reads: 0 }
    }

    fn address(&mut self) -> u64 {
        BASE + self.rng.u64(..LEN) / 8 * 8
    }

    /// Makes what lies there a list of offsets, as an interpreter has one that describes itself.
    fn describe(&mut self, at: u64, minor: u64) {
        self.words.insert(at, u64::from_ne_bytes(*b"xdebugpy"));
        self.words.insert(at + 8, 3 << 24 | minor << 16);
        self.words.insert(at + 16, 0);
        for number in 3..100 {
            let offset = 16 + self.rng.u64(..256);
            self.words.insert(at + 8 * number, offset);
        }
    }

    fn word(&mut self, at: u64) -> Option<u64> {
        if !(BASE..BASE + 2 * LEN).contains(&at) {
            return None;
        }
        let made = match self.rng.u8(..10) {
            0 => 0,
            1 => self.rng.u64(..),
            2 => self.rng.u64(..300),
            3 => u64::from_ne_bytes(*b"code\0\0\0\0"),
            4 => 0x0303_0303_0303_0303,
            _ => self.address(),
        };
        Some(*self.words.entry(at).or_insert(made))
    }
}

impl Memory for Any {
    fn bytes<const N: usize>(&mut self, address: u64) -> Option<[u8; N]> {
        self.reads += 1;
        let mut bytes = [0; N];
        for (at, byte) in (address..).zip(&mut bytes) {
            let word = self.word(at / 8 * 8)?;
            *byte = word.to_ne_bytes()[at as usize % 8];
        }
        Some(bytes)
    }
}

/// Reads all that there is to read of a thread.
fn read(memory: &mut Any, layout: &Layout) -> usize {
    let id = ThreadId { native: memory.address(), library: memory.address() };
    let found = layout.thread(memory, id, &[]);
    let thread = found.unwrap_or_else(|| memory.address());
    layout.is_thread(memory, thread, id);
    let mut chain: Option<Chain> = layout.chain(memory, thread);
    let mut seen = 0;
    for _ in 0..50 {
        let Some(group) = chain.and_then(|chain| layout.group(memory, chain)) else { break };
        let mut at = group.first;
        for _ in 0..group.frames.min(50) {
            let Some((frame, next)) = layout.frame(memory, at) else { break };
            layout.line(memory, frame.code, frame.offset);
            layout.mark(memory, frame.code);
            layout.first_visible(memory, frame.code);
            if let Some(code) = layout.code(memory, frame.code) {
                let mut place = [0; 40];
                for text in [code.name, code.file] {
                    let len = layout.text(memory, text, &mut place);
                    assert!(len.is_none_or(|len| std::str::from_utf8(&place[..len]).is_ok()));
                }
            }
            at = next;
            seen += 1;
        }
        chain = Some(group.next);
    }
    seen
}

#[test]
fn anything_can_be_read_and_everything_ends() {
    let mut seen = 0;
    for seed in 0..4000 {
        let mut memory = Any::new(seed);
        let minor = 8 + seed % 7;
        if minor >= 13 {
            memory.describe(BASE, minor);
        }
        let layout = Layout::new(&mut memory, BASE, Version::of_minor(minor));
        let layout = layout.expect("a layout");
        assert_eq!(u64::from(layout.version().minor()), minor);
        seen += read(&mut memory, &layout);
        assert!(memory.reads < 40_000_000, "seed {seed}: {} reads", memory.reads);
    }
    assert!(seen > 1_000, "{seen} frames");
}

#[test]
fn a_version_that_nobody_knows_has_no_layout() {
    let mut memory = Any::new(1);
    memory.describe(BASE, 15);
    assert_eq!(Layout::new(&mut memory, BASE, None), None);
    // Without the global lock.
    memory.describe(BASE, 13);
    memory.words.insert(BASE + 16, 1);
    assert_eq!(Layout::new(&mut memory, BASE, None), None);
    assert_eq!(Layout::new(&mut memory, 0, None), None);
    assert_eq!(Layout::new(&mut memory, u64::MAX - 3, Version::of_minor(13)), None);
}
