//! What a full profile says about the stacks of a run, by the names of functions, read without any analyzer.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use gmon_format::live::{Label, Live, StackNode};
use gmon_format::{LoadedArc, LoadedPc, SelfPc};

use super::counts::FunctionNames;

/// The stacks of a run.
#[derive(Debug)]
pub struct FullProfile {
    /// Each with the names of its functions, the outermost first, and what it counts.
    pub stacks: Vec<(Vec<String>, u64)>,
    /// Calls by callee, in all modules.
    calls: BTreeMap<String, u64>,
    /// What the histogram counts, of the program alone.
    pub histogram: u64,
    /// Signals of all threads.
    pub signals: u64,
    /// Names of the threads.
    pub threads: Vec<String>,
    /// How many nanoseconds each thread lived and ran, by its name.
    pub times: Vec<(String, u64, u64)>,
    /// Keys and values.
    pub facts: BTreeMap<String, String>,
    /// Paths of the modules, and whether they were unloaded.
    pub modules: Vec<(String, bool)>,
}

impl FullProfile {
    /// Reads a live or finished full profile.
    ///
    /// # Panics
    ///
    /// If the file is missing or not whole.
    pub fn read(path: &Path) -> Self {
        Self::try_read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Reads a live or finished full profile; or says what is wrong with the file.
    pub fn try_read(path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        let live = Live::new(&bytes).map_err(|error| error.to_string())?;
        let modules: Vec<_> = live.modules().collect();
        let mut names: BTreeMap<&[u8], Option<FunctionNames>> = BTreeMap::new();
        for module in &modules {
            names.entry(module.path).or_insert_with(|| {
                let path = String::from_utf8_lossy(module.path).into_owned();
                Path::new(&path).is_file().then(|| FunctionNames::read(Path::new(&path)))
            });
        }
        let name = |pc: LoadedPc| {
            let found: Vec<_> = modules.iter().filter(|module| module.contains(pc)).collect();
            assert!(found.len() <= 1, "{pc:#x} is in {found:?}");
            let Some(module) = found.first() else { return format!("{pc:#x}") };
            match &names[module.path] {
                Some(names) => names.at(module.file_pc(pc)),
                // The kernel's own, `[vdso]`, has the brackets that labels have here.
                None => String::from_utf8_lossy(module.path).trim_matches(['[', ']']).to_owned(),
            }
        };
        let frame = |(depth, node): (usize, &StackNode)| match Label::of(node.pc) {
            _ if depth == 1 => format!("thread {}", node.pc.0),
            Some(Label::Waiting) => "[waiting]".to_owned(),
            Some(label) => format!("[{}]", label.reason().unwrap_or("threads")),
            None => name(node.pc),
        };
        let mut stacks = Vec::new();
        for forest in live.stacks() {
            for (position, node) in forest.iter().filter(|(_, node)| node.weight != 0) {
                let mut path: Vec<_> = forest.path(position).collect();
                path.reverse();
                stacks.push((path.iter().enumerate().map(frame).collect(), node.weight));
            }
        }
        let mut calls = BTreeMap::new();
        for LoadedArc { self_pc: SelfPc(callee), count, .. } in live.process_arcs() {
            *calls.entry(name(callee)).or_default() += count;
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let facts = live.facts().flat_map(|facts| facts.iter());
        let duration = live.facts().find_map(|facts| facts.get("duration_ns")?.number());
        let duration = duration.unwrap_or(0);
        Ok(Self {
            stacks,
            calls,
            histogram: live.histogram().map_or(0, |bins| bins.counts().map(|(_, n)| n).sum()),
            signals: live.threads().map(|(_, thread)| thread.signals).sum(),
            threads: live.threads().map(|(_, thread)| text(thread.name())).collect(),
            times: live
                .threads()
                .map(|(_, thread)| {
                    let ended = if thread.ended_ns == 0 { duration } else { thread.ended_ns };
                    (text(thread.name()), ended.saturating_sub(thread.begun_ns), thread.cpu_ns)
                })
                .collect(),
            facts: facts
                .map(|(key, value)| (text(key), text(&value.bytes().collect::<Vec<_>>())))
                .collect(),
            modules: modules
                .iter()
                .map(|module| (text(module.path), module.unloaded_ns != 0))
                .collect(),
        })
    }

    /// All stacks, one a line, each behind what it counts; for messages.
    pub fn listing(&self) -> String {
        let mut sums = BTreeMap::<_, u64>::new();
        for (path, weight) in &self.stacks {
            *sums.entry(path).or_default() += weight;
        }
        let line = |(path, weight): (&Vec<String>, u64)| format!("{weight:6} {}\n", path.join(" "));
        sums.into_iter().map(line).collect()
    }

    /// What all stacks count.
    pub fn total(&self) -> u64 {
        self.stacks.iter().map(|(_, weight)| weight).sum()
    }

    /// What the stacks count that hold a function directly called by another; an empty name is any.
    pub fn called(&self, caller: &str, function: &str) -> u64 {
        let has = |path: &&(Vec<String>, u64)| {
            path.0
                .windows(2)
                .any(|two| (caller.is_empty() || two[0] == caller) && two[1] == function)
        };
        self.stacks.iter().filter(has).map(|(_, weight)| weight).sum()
    }

    /// What the stacks count that hold a function.
    pub fn inclusive(&self, function: &str) -> u64 {
        self.called("", function)
    }

    /// The part of what all count that stacks have which were followed to their start.
    pub fn complete(&self) -> f64 {
        let is_complete =
            |path: &&(Vec<String>, u64)| !path.0.iter().skip(2).any(|f| f.starts_with('['));
        let complete: u64 = self.stacks.iter().filter(is_complete).map(|(_, weight)| weight).sum();
        complete as f64 / self.total().max(1) as f64
    }

    /// Calls of a function, in whatever module.
    pub fn calls(&self, function: &str) -> u64 {
        self.calls.get(function).copied().unwrap_or(0)
    }

    /// All functions, and labels of stacks that are not complete.
    pub fn functions(&self) -> BTreeSet<&str> {
        self.stacks.iter().flat_map(|(path, _)| path.iter().skip(2).map(String::as_str)).collect()
    }
}
