//! Counts only a part of what it does: `work` while the profile is on, and not `prepare`.

use std::hint::black_box;

use counted::Counter;

static PREPARE: Counter = Counter::new("control::prepare");
static WORK: Counter = Counter::new("control::work");

#[inline(never)]
fn prepare(n: u32) -> u32 {
    black_box(n)
}

#[inline(never)]
fn work(n: u32) -> u32 {
    black_box(n) + 1
}

fn main() {
    gmon_control::stop();
    let prepared: u32 = (0..1000).map(prepare).sum();
    gmon_control::start();
    let thrown_away: u32 = (0..50).map(work).sum();
    gmon_control::reset();
    let mut kept = 0;
    for n in 0..70 {
        WORK.add();
        kept += work(n);
    }
    let is_written = gmon_control::snapshot();
    println!("{prepared} {thrown_away} {kept} snapshot {is_written}");
    println!("{PREPARE}\n{WORK}");
}
