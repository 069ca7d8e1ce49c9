//! A program without a system: it looks for the longest of Collatz's sequences, and profiles itself.

#![no_std]
#![no_main]

mod board;

use core::hint::black_box;

const STARTS: u64 = 3000;

#[inline(never)]
fn next(n: u64) -> u64 {
    if n % 2 == 0 { n / 2 } else { 3 * n + 1 }
}

#[inline(never)]
fn length(start: u64) -> u32 {
    let mut n = start;
    let mut length = 1;
    while n != 1 {
        n = next(n);
        length += 1;
    }
    length
}

#[inline(never)]
fn longest() -> u64 {
    (1..STARTS).max_by_key(|start| length(*start)).unwrap_or(0)
}

/// What the start code calls.
#[unsafe(no_mangle)]
extern "C" fn main() {
    gmon_control::start();
    board::start_timer();
    black_box(longest());
    gmon_control::stop();
    let is_written = board::write_profile();
    board::print(if is_written { "gmon.out is written\n" } else { "gmon.out is not written\n" });
}
