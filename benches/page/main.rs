//! The page of a long run: `cargo bench --bench page [-- --check]`.
//!
//! The run is made: ten threads for ten minutes at 1,000 samples a second, with phases, states and marks. Shown are the
//! size of its page, how long Chromium takes until it has drawn that, and the pictures that it draws while a mouse drags
//! an interval over the threads. With `--check` a limit that does not hold fails the run. Without `--bench`, which cargo
//! passes when benchmarking, the run is short, to show that this still works.

#[path = "../launcher/mod.rs"]
mod launcher;
#[path = "../made/mod.rs"]
mod made;

use std::process::{Command, ExitCode};
use std::{env, fs};

use launcher::Result;
use support::browser::Browser;

const THREADS: u64 = 10;
/// From one sample to the next of any thread, in microseconds.
const STEP_US: u64 = 1000 / THREADS;
/// Different frames of each thread.
const FRAMES: u64 = 5000;
/// Microseconds of a phase; in each a thread is in other stacks.
const PHASE_US: u64 = 5_000_000;
/// Microseconds from one wait of a thread to the next, and how long it waits.
const WAITS_US: (u64, u64) = (19_000, 1000);

/// Tells when each page was drawn, in milliseconds from the start of loading it: when the picture after it was to be made.
const DRAWN: &str = "addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => \
                     (window.drawn = performance.now()))))";
/// Notes when the page drew a picture, and how long its own work for that took.
const PICTURES: &str = "window.pictures = []; const next = requestAnimationFrame; \
                        window.requestAnimationFrame = (draw) => next((at) => { \
                        const start = performance.now(); draw(at); document.body.offsetHeight; \
                        pictures.push([start, performance.now() - start]); })";

fn main() -> ExitCode {
    launcher::bench("page", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let [profile, page] = ["made.json", "page.html"].map(|name| folder.path().join(name));
    let seconds = if full { 600 } else { 6 };
    fs::write(&profile, long_run(seconds)).map_err(|error| error.to_string())?;
    let mut report = Command::new(env!("CARGO_BIN_EXE_gmon"));
    report.arg("report").arg(&profile).arg("--html").arg(&page);
    let status = report.status().map_err(|error| format!("{report:?}: {error}"))?;
    if !status.success() {
        return Err(format!("{report:?}: {status}"));
    }
    let size = fs::metadata(&page).map_err(|error| error.to_string())?.len() as f64 / 1e6;
    println!("{THREADS} threads, {seconds} s at 1,000 Hz: a page of {size:.1} MB (at most 10)");
    let mut over = usize::from(size > 10.0);

    let Some(browser) = Browser::open(1400, 900) else { return Ok(over) };
    browser.run_first(DRAWN);
    let mut drawn: Vec<f64> = (0..if full { 5 } else { 1 })
        .map(|_| {
            browser.show(&page, "#v=time");
            browser.wait_for("return window.drawn > 0");
            browser.run("return window.drawn").as_f64().unwrap_or(f64::MAX)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    println!(
        "drawn after {:.0} ms at best, {:.0} in the middle (at most 2000)",
        drawn[0],
        drawn[drawn.len() / 2]
    );
    over += usize::from(drawn[0] > 2000.0);

    browser.run(PICTURES);
    browser.drag("#time .lanes", (0.2, 0.9), if full { 300 } else { 30 });
    let pictures = browser.run("return window.pictures");
    let pictures: Vec<[f64; 2]> = serde_json::from_value(pictures).map_err(|it| it.to_string())?;
    let [Some(first), Some(last)] = [pictures.first(), pictures.last()] else {
        return Err("dragging drew nothing".to_owned());
    };
    let rate = (pictures.len() - 1) as f64 * 1e3 / (last[0] - first[0]).max(1.0);
    let mut works: Vec<f64> = pictures.iter().map(|it| it[1]).collect();
    works.sort_by(f64::total_cmp);
    let middle = works[works.len() / 2];
    println!(
        "dragged over the run: {} pictures, {rate:.0} a second (at least 30), for each {middle:.1} ms of work in the middle, {:.1} at most",
        works.len(),
        works[works.len() - 1]
    );
    over += usize::from(rate < 30.0);
    match browser.log().into_iter().next() {
        Some(line) => Err(line),
        None => Ok(over),
    }
}

/// A run of so many seconds, as an exported profile.
fn long_run(seconds: u64) -> String {
    let mut random = fastrand::Rng::with_seed(7);
    let mut stacks = Vec::new();
    let mut ranges = Vec::new();
    for thread in 0..THREADS {
        let start = stacks.len();
        stacks.extend(made::stacks(&mut random, thread, FRAMES));
        ranges.push(start..stacks.len());
    }
    stacks.iter_mut().for_each(|stack| stack.samples = 0);
    let number = seconds * 1000 * THREADS;
    let mut places = Vec::with_capacity(number as usize);
    for sample in 0..number {
        let range = &ranges[random.usize(..ranges.len())];
        // A few stacks have most of the time, in each phase others.
        let rare = random.f64().powi(4) * range.len() as f64;
        let turn = (sample * STEP_US / PHASE_US) as usize * 97;
        let stack = range.start + (rare as usize + turn) % range.len();
        stacks[stack].samples += 1;
        places.push(stack);
    }
    // What no sample found is no stack of a profile.
    let mut found = 0;
    let numbers: Vec<usize> = stacks
        .iter()
        .map(|stack| {
            let number = found;
            found += usize::from(stack.samples > 0);
            number
        })
        .collect();
    stacks.retain(|stack| stack.samples > 0);
    let places = made::list(number, |sample| numbers[places[sample as usize]].to_string());
    let [steps, samples] = [STEP_US, 1].map(|item| made::list(number, |_| item.to_string()));
    let system = made::list(number / 12, |sample| (12 * sample).to_string());
    let phases = made::list(seconds * 1_000_000 / PHASE_US, |phase| {
        let (at, thread) = (phase * PHASE_US * 1000, phase % THREADS);
        format!(
            "{{\"name\":\"phase {phase}\",\"thread\":{thread},\"at_ns\":{at},\"length_ns\":{}}}",
            PHASE_US * 900
        )
    });
    let states = made::list(THREADS, |thread| {
        let (ran, waited) = WAITS_US;
        let number = (seconds * 1_000_000 / (ran + waited)) as usize;
        let [steps, lengths] = [ran, waited].map(|us| vec![us.to_string(); number].join(","));
        format!(
            "{{\"thread\":{thread},\"from_us\":0,\"to_us\":{},\"steps_us\":[{steps}],\"lengths_us\":[{lengths}]}}",
            seconds * 1_000_000
        )
    });
    let timeline = format!(
        "\"timeline\":{{\"steps_us\":[{steps}],\"stacks\":[{places}],\"samples\":[{samples}],\"found_later\":[],\
         \"system\":[{system}],\"marks\":[{phases}],\"states\":[{states}]}},"
    );
    made::profile(THREADS, &stacks, &timeline)
}
