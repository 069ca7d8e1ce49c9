//! A debugger: runs a program instruction by instruction, in the emulator of its machine, by the protocol that
//! emulators have for GDB.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::Duration,
};

use gmon_format::FilePc;

use super::{command::quiet, exclusive::Exclusive, program::Program};

/// A program that stands still, but for what is asked of it. It ends with this value.
pub struct Debugger {
    emulator: Child,
    connection: UnixStream,
    program_counter: Register,
    exclusive: Option<Exclusive>,
}

/// Where the program counter lies among the bytes of all registers.
struct Register {
    at: usize,
    len: usize,
    is_big_endian: bool,
}

/// What a program did when it was let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It stands before this instruction.
    At(FilePc),
    /// It has ended, with this status.
    Ended(u8),
}

/// GDB's numbers of signals, which are those of no system.
const TRAP: u8 = 5;
/// SIGPROF.
pub const PROFILING_TIMER: u8 = 27;

/// Seconds after which something is wrong: an answer takes as long as the program needs to get to where it stops.
const PATIENCE: u64 = 600;

impl Register {
    /// That of a processor, by rustc's name.
    fn of(architecture: &str) -> Self {
        // General registers come first; on SPARC those for floating-point numbers do, too.
        let (at, len) = match architecture {
            "x86" => (8 * 4, 4),
            "arm" => (15 * 4, 4),
            "x86_64" => (16 * 8, 8),
            "aarch64" | "powerpc64" | "riscv64" => (32 * 8, 8),
            "sparc" => (68 * 4, 4),
            "sparc64" => (64 * 8, 8),
            "mips64" => (37 * 8, 8),
            "s390x" => (8, 8),
            _ => panic!("a program counter on {architecture}"),
        };
        let is_big_endian = ["s390x", "sparc", "sparc64"].contains(&architecture);
        Self { at, len, is_big_endian }
    }
}

impl Debugger {
    /// Starts a program that lies where it was linked with these arguments and this `GMON_OPTIONS`, and stops it before its first instruction.
    ///
    /// # Panics
    ///
    /// If the emulator does not start.
    pub fn start(emulator: &Path, program: &Program, arguments: &[&str], options: &str) -> Self {
        let socket = program.path("debugger");
        let mut command = quiet(emulator);
        command
            .arg("-g")
            .arg(&socket)
            .args(program.target.libraries())
            .arg(&program.executable)
            .args(arguments);
        command.current_dir(program.path("")).env("GMON_OPTIONS", options).stdout(Stdio::null());
        let mut emulator = command.spawn().expect("an emulator");
        let connection = loop {
            if let Ok(connection) = UnixStream::connect(&socket) {
                break connection;
            }
            let ended = emulator.try_wait().expect("a process");
            assert!(ended.is_none(), "{command:?}: {ended:?}");
            thread::sleep(Duration::from_millis(5));
        };
        let patience = Some(Duration::from_secs(PATIENCE));
        connection.set_read_timeout(patience).expect("a time that is not zero");
        let architecture = program.target.architecture;
        let program_counter = Register::of(architecture);
        let exclusive = Exclusive::of(architecture);
        let mut debugger = Self { emulator, connection, program_counter, exclusive };
        if architecture == "powerpc64" {
            // Before it is asked for their description, qemu 7.2 fails to tell the registers.
            debugger.ask("qXfer:features:read:target.xml:0,ffb");
        }
        debugger
    }

    /// Has the program stop before an instruction.
    pub fn break_at(&mut self, FilePc(pc): FilePc) {
        assert_eq!(self.ask(&format!("Z0,{pc:x},4")), "OK");
    }

    /// Takes back [`break_at`](Self::break_at).
    pub fn remove(&mut self, FilePc(pc): FilePc) {
        assert_eq!(self.ask(&format!("z0,{pc:x},4")), "OK");
    }

    /// Goes on to where the program is to stop.
    pub fn go(&mut self) -> Stop {
        let answer = self.ask("c");
        self.pass_signals(answer)
    }

    /// Goes on from an instruction that the program stopped before, and is to stop before again.
    pub fn go_past(&mut self, pc: FilePc) -> Stop {
        self.remove(pc);
        let stop = self.step(pc);
        self.break_at(pc);
        if stop == Stop::At(pc) { stop } else { self.go() }
    }

    /// Goes on with a signal, whose handler runs first.
    pub fn go_with(&mut self, signal: u8) -> Stop {
        let answer = self.ask(&format!("C{signal:02x}"));
        self.pass_signals(answer)
    }

    /// Goes on by one instruction, this one.
    fn step(&mut self, from: FilePc) -> Stop {
        loop {
            let answer = self.ask("s");
            let Some(signal) = signal_of_others(&answer) else { return self.pass_signals(answer) };
            // Emulators do not step with a signal: its handler runs to its end, and after it the instruction, if it has not yet.
            let at = self.program_counter();
            self.break_at(at);
            let stop = self.go_with(signal);
            self.remove(at);
            if at != from || stop != Stop::At(at) {
                return stop;
            }
        }
    }

    /// Goes on by one instruction, or by several that only succeed together, and notes them.
    pub fn step_noting(&mut self, passed: &mut BTreeSet<FilePc>) -> Stop {
        let pc = self.program_counter();
        passed.insert(pc);
        let exclusive = self.exclusive;
        match exclusive {
            Some(exclusive) if (exclusive.is_load)(self.word(pc)) => {
                self.run_exclusive(exclusive, pc, passed)
            }
            _ => self.step(pc),
        }
    }

    /// Runs instructions from a load whose store fails if the program stops between the two, to behind that
    /// store or to where they are left before it.
    fn run_exclusive(
        &mut self,
        exclusive: Exclusive,
        FilePc(load): FilePc,
        passed: &mut BTreeSet<FilePc>,
    ) -> Stop {
        const MOST: u64 = 16;
        let place = |n| FilePc(load + 4 * n);
        let words: Vec<u32> = (0..MOST).map(|n| self.word(place(n))).collect();
        let store = words.iter().position(|word| (exclusive.is_store)(*word));
        let store = store.unwrap_or_else(|| panic!("no store after {load:x}: {words:x?}")) as u64;
        passed.extend((0..=store).map(place));
        let inside = load..=load + 4 * store;
        let mut stops = BTreeSet::from([place(store + 1)]);
        for (n, word) in (0..store).zip(words) {
            let target = (exclusive.branch)(place(n), word);
            stops.extend(target.filter(|target| !inside.contains(&target.0)));
        }
        stops.iter().for_each(|stop| self.break_at(*stop));
        let stop = self.go();
        stops.iter().for_each(|stop| self.remove(*stop));
        stop
    }

    /// An instruction of four bytes, the lowest first.
    fn word(&mut self, FilePc(pc): FilePc) -> u32 {
        let text = self.ask(&format!("m{pc:x},4"));
        let word = u32::from_str_radix(&text, 16);
        word.unwrap_or_else(|_| panic!("no bytes at {pc:x}: {text}")).swap_bytes()
    }

    /// Gives the program the signals of others.
    fn pass_signals(&mut self, mut answer: String) -> Stop {
        while let Some(signal) = signal_of_others(&answer) {
            answer = self.ask(&format!("C{signal:02x}"));
        }
        match told(&answer) {
            (b'W', status) => Stop::Ended(status),
            (b'T' | b'S', _) => Stop::At(self.program_counter()),
            _ => panic!("the program ended by {answer}"),
        }
    }

    fn program_counter(&mut self) -> FilePc {
        let text = self.ask("g");
        let Register { at, len, is_big_endian } = self.program_counter;
        let digits = text.as_bytes().chunks(2).skip(at).take(len);
        let byte = |digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = digits.map(byte).collect();
        let mut bytes = bytes.unwrap_or_else(|| panic!("no bytes: {text}"));
        assert_eq!(bytes.len(), len, "{text}");
        if is_big_endian {
            bytes.reverse();
        }
        FilePc(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    fn ask(&mut self, request: &str) -> String {
        let sum = request.bytes().fold(0, u8::wrapping_add);
        write!(self.connection, "${request}#{sum:02x}").expect("an emulator that listens");
        self.answer()
    }

    /// The next packet: `$TEXT#SUM`, behind the emulator's `+` for the request.
    fn answer(&mut self) -> String {
        const SUM: usize = 2;
        while self.byte() != b'$' {}
        let mut text = Vec::new();
        loop {
            match self.byte() {
                b'#' => break,
                byte => text.push(byte),
            }
        }
        for _ in 0..SUM {
            self.byte();
        }
        _ = self.connection.write_all(b"+");
        String::from_utf8(text).expect("text")
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.connection.read_exact(&mut byte).expect("an answer of the emulator");
        byte[0]
    }
}

/// The kind of an answer to a request to go on, and its number.
fn told(answer: &str) -> (u8, u8) {
    let number = answer.get(1..3).and_then(|text| u8::from_str_radix(text, 16).ok());
    let told = answer.bytes().next().zip(number);
    told.unwrap_or_else(|| panic!("a number in {answer:?}"))
}

/// The signal that the program has stopped for, if it is no breakpoint's or step's.
fn signal_of_others(answer: &str) -> Option<u8> {
    let (kind, number) = told(answer);
    (matches!(kind, b'T' | b'S') && number != TRAP).then_some(number)
}

impl Drop for Debugger {
    fn drop(&mut self) {
        _ = self.emulator.kill();
        _ = self.emulator.wait();
    }
}
