//! Counts of a process that has a live file of ours: those that it counted while it was looked at.

use std::collections::HashMap;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use gmon_analyzer::records::LiveFile;
use gmon_format::live::Count;
use gmon_format::{Block, LoadedArc, LoadedPc, ReturnPc, SelfPc};

use crate::attached;

/// The live file of a process, and what it had counted when somebody began to look.
#[derive(Debug)]
pub(super) struct Counted {
    file: File,
    before: HashMap<Counter, u64>,
}

/// Thing that is counted: a call, from where and of what, or a basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Counter {
    Calls(u64, u64),
    Executions(u64),
}

impl Counted {
    /// The live file of a process. One that `is_new` has counted all of it since somebody looks.
    pub(super) fn of(process: u32, is_new: bool) -> Option<Self> {
        let file = attached::by_process(process).ok()?.file;
        let mut counted = Self { file, before: HashMap::new() };
        if !is_new {
            counted.before = counted.read()?;
        }
        Some(counted)
    }

    /// Everything that was counted since, in the order of addresses.
    pub(super) fn since(&self) -> Vec<Count> {
        let mut now: Vec<_> = self.read().unwrap_or_default().into_iter().collect();
        now.sort_unstable();
        let since = |(counter, count): (Counter, u64)| {
            let before = self.before.get(&counter).copied().unwrap_or(0);
            // Smaller counts were set to zero meanwhile.
            let count = count.checked_sub(before).unwrap_or(count);
            (count > 0).then_some(match counter {
                Counter::Calls(from, to) => Count::Calls(LoadedArc {
                    return_pc: ReturnPc(LoadedPc(from)),
                    self_pc: SelfPc(LoadedPc(to)),
                    count,
                }),
                Counter::Executions(pc) => Count::Executions(Block { pc: LoadedPc(pc), count }),
            })
        };
        now.into_iter().filter_map(since).collect()
    }

    /// The counts until now. The file may have no name any more.
    fn read(&self) -> Option<HashMap<Counter, u64>> {
        let path = PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        let file = LiveFile::open(path).ok()?;
        let live = file.live().ok()?;
        let mut counts: HashMap<Counter, u64> = HashMap::new();
        let calls = live.process_arcs().map(|LoadedArc { return_pc, self_pc, count }| {
            (Counter::Calls(return_pc.0.0, self_pc.0.0), count)
        });
        let blocks = live.process_blocks().map(|it| (Counter::Executions(it.pc.0), it.count));
        for (counter, count) in calls.chain(blocks) {
            let sum = counts.entry(counter).or_default();
            *sum = sum.saturating_add(count);
        }
        Some(counts)
    }
}
