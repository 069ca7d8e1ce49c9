//! Hooks that are switched on and off under threads that call them all the time, by way of the program's live file.

use std::{
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader},
    os::unix::fs::FileExt,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use gmon_format::{
    Encoding,
    live::{Action, Control, Request},
};

use super::program::Program;

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
    let mut command = program.command();
    command.env("GMON_OPTIONS", format!("live={LIVE},hz=10000,hooks=always"));
    command.arg(CALLERS.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a program");
    let mut said = String::new();
    let out = child.stdout.as_mut().expect("a pipe");
    BufReader::new(out).read_line(&mut said).expect("a line");
    assert_eq!(said, "ready\n");

    let names: Vec<String> = (0..FUNCTIONS).map(|n| format!("switched_{n}")).collect();
    let addresses: Vec<u32> = names.iter().map(|name| program.address(name) as u32).collect();
    let file = OpenOptions::new().read(true).write(true).open(program.path(LIVE)).expect("a file");
    for number in 1..=times {
        let count = FUNCTIONS as u32;
        let action = if number % 2 == 1 { Action::Wake(count) } else { Action::Sleep(count) };
        request(&file, number, action, &addresses);
    }
    drop(child.stdin.take());
    assert!(child.wait().expect("an end").success());

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
