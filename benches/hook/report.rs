//! The tables, and the limits that the project has set itself.

use std::fs;

use crate::sides::{Form, Hook, Side};
use crate::storm::Storm;
use crate::timing::{Costs, SHAPES};

/// The most that our hook may cost in each shape, in units of the C library's. That one keeps the
/// callees of a call site in a list, and in the third shape each comes up when it is the last.
const LIMITS_TO_GLIBC: [f64; SHAPES.len()] = [0.25, 0.25, 0.02, 0.25];

/// The most that our hook may cost, in units of one that only returns.
const LIMIT_TO_RETURNS_ONLY: f64 = 1.5;

/// The most nanoseconds that a hook may cost that sleeps.
const LIMIT_ASLEEP: f64 = 0.3;

/// The most that it may cost awake, in units of one of -mfentry.
const LIMIT_AWAKE: f64 = 1.2;

/// Says on what all this was measured.
pub(crate) fn machine(compiler: &str) {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown processor", |(_, name)| name);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{processor}, {processors} processors; {compiler}");
}

/// Prints the cost of each hook and judges ours; returns how many limits do not hold.
pub(crate) fn costs(costs: &Costs) -> usize {
    println!("\nns per call without a hook, and what each hook adds\n");
    print!("{:30}", "");
    for shape in SHAPES {
        print!("{:>15}", shape.title);
    }
    println!();
    for side in Side::ALL {
        print!("{:14}{:16}", side.form.title(), side.hook.name());
        for shape in 0..SHAPES.len() {
            let time = match side {
                Side::PLAIN => costs.of_call(side, shape),
                _ => costs.of_hook(side, shape),
            };
            print!("{time:>15.3}");
        }
        println!();
    }
    let spread = Side::ALL
        .iter()
        .flat_map(|&side| (0..SHAPES.len()).map(move |shape| costs.spread(side, shape)))
        .fold(0.0, f64::max);
    println!("\nThe median process was at most {:.0} % slower than the fastest.", 100.0 * spread);

    println!("\nour cost as a part of the others'\n");
    let over: usize =
        [Form::Mcount, Form::Fentry].into_iter().map(|form| ratios(costs, form)).sum();
    over + dormant(costs)
}

/// Judges our hook where it sleeps unless it is woken.
fn dormant(costs: &Costs) -> usize {
    println!("\nour hook asleep, in ns, and awake, as a part of that of -mfentry\n");
    let side = |hook| Side { form: Form::Dormant, hook };
    let fentry = Side { form: Form::Fentry, hook: Hook::Ours };
    let mut over = 0;
    for (shape, row) in SHAPES.iter().enumerate() {
        let asleep = costs.of_hook(side(Hook::Asleep), shape);
        let awake = costs.of_hook(side(Hook::Ours), shape) / costs.of_hook(fentry, shape);
        let label = |state| format!("{:14}{:15}", state, row.title);
        over += judge(&label("asleep"), Hook::None, asleep, LIMIT_ASLEEP);
        over += judge(&label("awake"), Hook::Ours, awake, LIMIT_AWAKE);
    }
    over
}

/// Judges our hook in one form of call.
fn ratios(costs: &Costs, form: Form) -> usize {
    let ours = Side { form, hook: Hook::Ours };
    let to = |hook, shape| costs.of_hook(ours, shape) / costs.of_hook(ours.with(hook), shape);
    let mut over = 0;
    let mut product = 1.0;
    for (shape, (row, limit_to_glibc)) in SHAPES.iter().zip(LIMITS_TO_GLIBC).enumerate() {
        let to_glibc = to(Hook::Glibc, shape);
        let to_returns_only = to(Hook::ReturnsOnly, shape);
        let label = format!("{:14}{:15}", form.flags(), row.title);
        over += judge(&label, Hook::Glibc, to_glibc, limit_to_glibc);
        over += judge(&label, Hook::ReturnsOnly, to_returns_only, LIMIT_TO_RETURNS_ONLY);
        product *= to_returns_only;
    }
    let mean = f64::powf(product, 1.0 / SHAPES.len() as f64);
    let label = format!("{:14}{:15}", form.flags(), "geometric mean");
    over + judge(&label, Hook::ReturnsOnly, mean, LIMIT_TO_RETURNS_ONLY)
}

/// Prints one line; returns 1 if its limit does not hold.
fn judge(label: &str, reference: Hook, ratio: f64, limit: f64) -> usize {
    let holds = ratio <= limit;
    let verdict = if holds { "PASS" } else { "over" };
    println!("{label} / {:13}{ratio:>8.3}  <= {limit:<5} {verdict}", reference.name());
    usize::from(!holds)
}

/// Prints what the threads did; returns in how many rows we lost a call.
pub(crate) fn storms(storms: &[Storm]) -> usize {
    println!("\nthreads that call shared functions\n");
    println!("{:30}{:>8}{:>18}{:>14}", "", "threads", "calls per second", "calls kept");
    let mut over = 0;
    for storm in storms {
        let ours = storm.side.hook == Hook::Ours;
        // Ours must keep every call and, its counts being exact, invent none.
        let exact = storm.kept == Some(1.0);
        over += usize::from(ours && !exact);
        let kept = storm.kept.map_or(String::new(), |kept| format!("{:.3} %", 100.0 * kept));
        let verdict = match (ours, exact) {
            (false, _) => "",
            (true, true) => "PASS",
            (true, false) => "over",
        };
        println!(
            "{:14}{:16}{:>8}{:>16.0} M{kept:>14}  {verdict}",
            storm.side.form.flags(),
            storm.side.hook.name(),
            storm.threads,
            storm.calls_per_second / 1e6
        );
    }
    over
}
