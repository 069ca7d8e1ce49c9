//! Threads over time, for formats that show these.

use std::ops::Range;

use crate::model::{FrameId, Mark, Model, Moment, ThreadId};

/// The samples of a thread, by their times.
pub(super) struct Track {
    pub(super) thread: ThreadId,
    /// Its samples, each with the time that it stands for, in microseconds: none reaches into the one before it.
    pub(super) samples: Vec<(Range<u64>, Moment)>,
}

/// The tracks of the threads that have samples or marks, with the positions of nodes as the stacks of the moments.
pub(super) fn tracks(model: &Model) -> Vec<Track> {
    let nodes = model.stacks.nodes();
    let mut tracks: Vec<Option<Track>> = model.threads.iter().map(|_| None).collect();
    for moment in model.timeline.iter().flat_map(|it| it.at_nodes(&model.stacks)) {
        let thread = nodes[moment.stack as usize].thread;
        let track = tracks[thread.index()].get_or_insert(Track { thread, samples: Vec::new() });
        let before = track.samples.last().map_or(0, |(time, _)| time.end);
        let end = moment.at_us.max(before);
        let len = model.sampling.time(moment.samples.into()) / 1000;
        let time = end.saturating_sub(len).max(before)..end;
        track.samples.push((time, moment));
    }
    for mark in model.timeline.iter().flat_map(|it| &it.marks) {
        let track = &mut tracks[mark.thread.index()];
        track.get_or_insert(Track { thread: mark.thread, samples: Vec::new() });
    }
    tracks.into_iter().flatten().collect()
}

/// The marks of a thread.
pub(super) fn marks(model: &Model, thread: ThreadId) -> impl Iterator<Item = &Mark> {
    let marks = model.timeline.iter().flat_map(|it| &it.marks);
    marks.filter(move |mark| mark.thread == thread)
}

/// Microseconds between two samples that are no pause of a thread: two periods, since signals come late.
pub(super) fn longest_gap(model: &Model) -> u64 {
    2 * model.sampling.period_ns.div_ceil(1000)
}

/// The frames of a stack, the outermost first.
pub(super) fn path(model: &Model, stack: u32) -> Vec<FrameId> {
    let nodes = model.stacks.nodes();
    let path = std::iter::successors(Some(stack), |node| nodes[*node as usize].parent);
    let mut path: Vec<FrameId> = path.map(|node| nodes[node as usize].frame).collect();
    path.reverse();
    path
}
