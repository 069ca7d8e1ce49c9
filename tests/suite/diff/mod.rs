//! `gmon diff`: differences are those of the programs, statistics those of the samples, and no limit holds by
//! accident.

mod call_times;
mod design;
mod documents;
mod gate;
mod jobs;
mod limits;
mod page;
mod programs;
mod series;
mod times;
mod waits;

use std::process::Output;

use support::{command::said, workplace::Workplace};

/// `gmon diff` with words, and its exit status, output and complaints.
#[track_caller]
fn diff(place: &Workplace, words: &str) -> (Option<i32>, String, String) {
    let output: Output = place.gmon("diff").args(words.split_whitespace()).output().expect("gmon");
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    (output.status.code(), text, said(&output))
}
