//! Hooks that are switched on and off under threads that call them all the time, by way of the program's live file.

use std::{
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader},
    os::unix::fs::FileExt,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use gmon_format::{
    Encoding,
    live::{Action, Control, Request},
};

use super::{call_times::times_of, program::Program};

const LIVE: &str = "profile.live";

/// Functions of `dormant.c` that are switched.
const FUNCTIONS: usize = 10;

/// Threads that call them.
const CALLERS: usize = 8;

/// Switches hooks of `dormant.c` so many times, and checks that nothing is lost of what was awake for all of it.
///
/// # Panics
///
/// If something is.
pub fn check(program: &Program, times: u32) {
    let steered = Steered::start(program, "hz=10000,hooks=always");
    let names: Vec<String> = (0..FUNCTIONS).map(|n| format!("switched_{n}")).collect();
    let addresses: Vec<u32> = names.iter().map(|name| program.address(name) as u32).collect();
    for number in 1..=times {
        let count = FUNCTIONS as u32;
        let action = if number % 2 == 1 { Action::Wake(count) } else { Action::Sleep(count) };
        request(&steered.file, number, action, &addresses);
    }
    steered.end();

    let own = fs::read(program.path("own")).expect("a file");
    let own = |function: usize| -> u64 {
        let calls = own.chunks(128).map(|own| &own[8 * function..]);
        calls.map(|calls| u64::from_ne_bytes(*calls.first_chunk().expect("8 bytes"))).sum()
    };
    let counts = program.counts("gmon.out");
    assert_eq!(counts.calls("always"), own(0));
    for (function, name) in names.iter().enumerate() {
        let (counted, own) = (counts.calls(name), own(function + 1));
        assert!(counted > 0 && counted < own, "{name}: {counted} of {own}");
    }
}

/// Functions of `times_switched.c`, in the order of its own numbers.
const TIMED: [&str; 6] = ["quick", "is_long", "loops", "leaves", "leads", "last"];

/// Switches times of calls of `times_switched.c` so many times. Some functions stay on while others go. Checks that no call
/// that is timed seems to take longer than the program has measured around it.
///
/// # Panics
///
/// If one does.
pub fn check_times(program: &Program, rounds: u32) {
    let steered = Steered::start(program, "stacks,hz=10000");
    let list_of = |skipped: Option<usize>| -> Vec<u32> {
        let some = TIMED.iter().enumerate().filter(|(at, _)| skipped != Some(at % 3));
        let addresses = some.map(|(_, name)| program.addresses(name));
        addresses.flat_map(|it| [it.start as u32, it.end as u32]).collect()
    };
    for number in 1..=rounds {
        let list = list_of(Some(number as usize % 3));
        let action = if number % 2 == 1 { Action::Time } else { Action::Untime };
        request(&steered.file, number, action(list.len() as u32), &list);
    }
    let all = list_of(None);
    request(&steered.file, rounds + 1, Action::Time(all.len() as u32), &all);
    request(&steered.file, rounds + 2, Action::Untime(all.len() as u32), &all);
    steered.end();

    let times = times_of(program, &TIMED);
    let counts = program.counts("gmon.out");
    for (function, name) in TIMED.iter().enumerate() {
        let (calls, longest) = own(program, function);
        let it = times.get(name).unwrap_or_else(|| panic!("no {name}"));
        let counted = counts.calls(name);
        assert!(counted <= calls, "{name}: {counted} of {calls}");
        assert!(it.timed > 0, "{name}");
        // The two clocks differ by 1 part in 2,000.
        let most = longest + longest / 500 + 300;
        assert!(it.longest_ns <= most, "{name}: {} of {longest}", it.longest_ns);
        if it.every == 1 {
            let seen = it.timed + it.without_end;
            assert!(seen <= counted, "{name}: {} + {} of {counted}", it.timed, it.without_end);
        }
        println!(
            "{name}: {calls} calls, {counted} counted, {} timed, {} without end, {} of {longest} ns",
            it.timed, it.without_end, it.longest_ns
        );
    }
}

/// Calls of a function as `times_switched.c` itself counts them, and nanoseconds of the longest.
fn own(program: &Program, function: usize) -> (u64, u64) {
    let bytes = fs::read(program.path("own")).expect("a file");
    let word =
        |own: &[u8], at: usize| u64::from_ne_bytes(*own[at..].first_chunk().expect("8 bytes"));
    let own = bytes.chunks(128).take(CALLERS);
    own.fold((0, 0), |(calls, longest), own| {
        (calls + word(own, 16 * function), longest.max(word(own, 16 * function + 8)))
    })
}

/// A running program, whose threads call functions until its standard input ends.
struct Steered {
    child: Child,
    /// Its live file.
    file: File,
}

impl Steered {
    fn start(program: &Program, options: &str) -> Self {
        program.clear();
        let mut command = program.command();
        command.env("GMON_OPTIONS", format!("live={LIVE},{options}"));
        command.arg(CALLERS.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a program");
        let mut said = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut said).expect("a line");
        assert_eq!(said, "ready\n");
        let file = OpenOptions::new().read(true).write(true).open(program.path(LIVE));
        Self { child, file: file.expect("a file") }
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("an end").success());
    }
}

/// Asks for something by way of a live file, and waits until it is done.
///
/// # Panics
///
/// If it is not done.
pub fn request(file: &File, number: u32, action: Action, list: &[u32]) {
    let list: Vec<u8> = list.iter().flat_map(|address| address.to_ne_bytes()).collect();
    file.write_all_at(&list, Control::LIST_AT as u64).expect("a file");
    let word = Request { number, action }.word().to_ne_bytes();
    file.write_all_at(&word, Control::REQUEST_AT as u64).expect("a file");
    let begun = Instant::now();
    loop {
        let mut start = [0; Control::END];
        file.read_exact_at(&mut start, 0).expect("a file");
        let answer = Control::decode(&start, Encoding::NATIVE).expect("an answer").answer;
        if answer.number == number {
            return assert!(!answer.is_refused);
        }
        assert!(begun.elapsed() < Duration::from_secs(100), "no answer to {number}");
        thread::sleep(Duration::from_micros(200));
    }
}
