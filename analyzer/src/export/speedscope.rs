//! The format of <https://www.speedscope.app>.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{self, Write};

use serde::Serialize;

use super::format::{Choice, FileNames, Format, Need, Threads, View, Writer};
use super::tracks::{Track, path, tracks};
use crate::model::{FrameId, Model, Moment, Stacks, ThreadId};

pub(super) const FORMAT: Format = Format {
    name: "speedscope",
    help: "call stacks, for speedscope.app",
    files: FileNames::ending(".speedscope.json"),
    needs: &[Need::Anything, Need::Stacks],
    choices: &[Choice::Threads],
    writer: Writer::OfModel(write),
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    exporter: String,
    name: String,
    active_profile_index: u32,
    shared: Shared<'a>,
    profiles: Vec<Profile>,
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<Frame<'a>>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    samples: Vec<Vec<FrameId>>,
    weights: Vec<u64>,
}

impl Profile {
    /// Stacks, each with its weight.
    fn new(model: &Model, name: String, stacks: Vec<(Vec<FrameId>, u64)>) -> Self {
        let unit = if model.sampling.is_time() { "nanoseconds" } else { "none" };
        let end_value = stacks.iter().fold(0, |sum: u64, (_, weight)| sum.saturating_add(*weight));
        let (samples, weights) = stacks.into_iter().unzip();
        Self { kind: "sampled", name, unit, start_value: 0, end_value, samples, weights }
    }
}

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let frames = model.functions.iter().map(|function| Frame {
        name: &function.display,
        file: model.path(function.file),
        line: function.line.filter(|_| function.file.is_some()),
    });
    let is_split = view.threads == Threads::Split;
    let program = model.program_name();
    // Where some samples have no time, the others alone would not be all.
    let has_order = model.timeline.as_ref().is_some_and(|it| it.weight() == model.sampling.samples);
    let profiles = match has_order {
        true => profiles_in_order(model, is_split, program),
        false => profiles(model, &model.stacks_by_function(is_split), is_split, program),
    };
    let document = Document {
        schema: "https://www.speedscope.app/file-format-schema.json",
        exporter: format!("gmon@{}", model.generator.version),
        // Its first view shows the order of the file.
        name: if has_order { program.to_owned() } else { format!("{program} (no time order)") },
        active_profile_index: 0,
        shared: Shared { frames: frames.collect() },
        profiles,
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

/// Profiles with the samples in the order in which they were taken; neighbours with one stack are one.
fn profiles_in_order(model: &Model, is_split: bool, program: &str) -> Vec<Profile> {
    let functions = model.functions_by_display();
    let all = tracks(model);
    let in_order = |tracks: &[Track]| {
        let samples = tracks.iter().flat_map(|track| track.samples.iter().map(|(_, it)| *it));
        let mut samples: Vec<Moment> = samples.collect();
        samples.sort_by_cached_key(|moment| moment.at_us);
        samples
    };
    let profile = |name: String, moments: Vec<Moment>| {
        let mut stacks: Vec<(Vec<FrameId>, u64)> = Vec::new();
        let mut last = None;
        for moment in moments {
            let weight = model.sampling.time(moment.samples.into());
            match stacks.last_mut().filter(|_| last == Some(moment.stack)) {
                Some((_, sum)) => *sum = sum.saturating_add(weight),
                None => {
                    let function = |frame: FrameId| {
                        FrameId(functions[model.frames[frame.index()].function.index()].0)
                    };
                    let path = path(model, moment.stack).into_iter().map(function);
                    stacks.push((path.collect(), weight));
                }
            }
            last = Some(moment.stack);
        }
        Profile::new(model, name, stacks)
    };
    if !is_split {
        return vec![profile(program.to_owned(), in_order(&all))];
    }
    let threads = model.thread_labels();
    let named = all.iter().map(|track| (threads[track.thread.index()].clone(), track));
    named.map(|(name, track)| profile(name, in_order(std::slice::from_ref(track)))).collect()
}

fn profiles(model: &Model, stacks: &Stacks, is_split: bool, program: &str) -> Vec<Profile> {
    let mut threads: BTreeMap<ThreadId, Vec<(Vec<FrameId>, u64)>> = BTreeMap::new();
    let Ok(()) = stacks.each(|stack| {
        let weight = model.sampling.time(stack.samples);
        threads.entry(stack.thread).or_default().push((stack.frames.to_vec(), weight));
        Ok::<(), Infallible>(())
    });
    let labels = model.thread_labels();
    let name = |thread: ThreadId| if is_split { &labels[thread.index()] } else { program };
    let profile = |(thread, stacks)| Profile::new(model, name(thread).to_owned(), stacks);
    threads.into_iter().map(profile).collect()
}
