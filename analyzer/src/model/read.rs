//! Reads `gmon-profile/2` and the version before it, and refuses what no export of ours can be.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;

use super::document::{FIRST_SCHEMA, Kind, Model, Paths, SCHEMA};
use super::parallel::with_parallel;
use super::rows;
use super::timeline::Timeline;
use crate::error::{Error, ErrorKind};
use crate::files::unpacked;
use crate::positions::Position;
use crate::records::Looks;

/// Bytes that one byte may stand for in a large compressed profile. Those of programs get three to twenty times smaller.
const MOST_PER_BYTE: u64 = 100;
/// Up to this size, in bytes, a profile is not large.
const SMALL: u64 = 64 << 20;

impl Model {
    /// Returns `true` if a file looks like an exported profile in JSON, which may be compressed: by its first
    /// character.
    #[must_use]
    pub fn is_in(path: &Path) -> bool {
        // A pipe could be read only once.
        let text = || path.is_file().then(|| unpacked(path).ok()).flatten();
        let start = text().into_iter().flat_map(|text| text.take(64).bytes());
        start.map_while(Result::ok).find(|byte| !byte.is_ascii_whitespace()) == Some(b'{')
    }

    /// Reads the exported profile at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or is not a whole one of this format.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let refuse = |kind| Error::new(path, kind);
        let bytes = contents(path).map_err(|error| refuse(ErrorKind::Unreadable(error)))?;
        let model: Self = serde_json::from_slice(&bytes)
            .map_err(|error| refuse(ErrorKind::NoModel(why_not(&bytes, &error))))?;
        match model.fault() {
            None if model.schema == FIRST_SCHEMA => Ok(model.of_this_version()),
            None => Ok(model),
            Some(fault) => Err(refuse(ErrorKind::NoModel(fault))),
        }
    }

    /// Adds what the first version of the format says only by the names of functions.
    fn of_this_version(mut self) -> Self {
        SCHEMA.clone_into(&mut self.schema);
        self.is_first_version = true;
        let hooks = self.functions.iter().filter(|function| function.kind == Kind::Hooks);
        self.sampling.hooks = hooks.map(|function| function.samples).sum();
        with_parallel(self)
    }

    /// Contradiction in the model.
    fn fault(&self) -> Option<String> {
        if !is_known(&self.schema) {
            return Some(other_schema(&self.schema));
        }
        self.loose_end().map(|what| format!("not a whole {}: {what}", self.schema))
    }

    /// The first number that refers to nothing, or sum that is wrong.
    fn loose_end(&self) -> Option<String> {
        let (files, modules) = (self.files.len(), self.modules.len());
        let (functions, cycles) = (self.functions.len(), self.cycles.len());
        let threads = self.threads.len();
        fn is_in(id: impl Position, len: usize) -> bool {
            (id.into() as usize) < len
        }
        fn may(id: Option<impl Position>, len: usize) -> bool {
            id.is_none_or(|id| is_in(id, len))
        }
        fn ids(list: &str, ids: impl Iterator<Item = u32>) -> Option<String> {
            let (expected, id) = (0..).zip(ids).find(|(expected, id)| expected != id)?;
            Some(format!("{list}[{expected}] has the id {id}"))
        }
        fn all<T>(name: &str, list: &[T], is_right: impl Fn(&T) -> bool) -> Option<String> {
            let wrong = list.iter().position(|it| !is_right(it));
            wrong.map(|index| format!("{name}[{index}] refers to something that is not there"))
        }
        let timeline = || {
            let stacks = self.stacks.nodes().iter();
            let stacks = stacks.filter(|node| node.own != Looks::default()).count();
            let is_whole = |it: &Timeline| {
                it.is_whole(stacks, threads) && it.weight() <= self.sampling.samples
            };
            let is_wrong = self.timeline.as_ref().is_some_and(|it| !is_whole(it));
            is_wrong.then(|| "the timeline is not of these stacks".to_owned())
        };
        let wrong = [
            ids("modules", self.modules.iter().map(|it| it.id.0)),
            ids("functions", self.functions.iter().map(|it| it.id.0)),
            ids("cycles", self.cycles.iter().map(|it| it.id.0)),
            ids("threads", self.threads.iter().map(|it| it.id.0)),
            all("functions", &self.functions, |it| {
                may(it.module, modules) && may(it.file, files) && may(it.cycle, cycles)
            }),
            all("arcs", &self.arcs, |it| {
                let ends = [it.caller, Some(it.callee), it.within];
                ends.iter().all(|end| may(*end, functions)) && may(it.file, files)
            }),
            all("cycles", &self.cycles, |it| it.functions.iter().all(|id| is_in(*id, functions))),
            all("frames", &self.frames, |it| is_in(it.function, functions) && may(it.file, files)),
            all("stacks", self.stacks.nodes(), |it| {
                is_in(it.thread, threads) && is_in(it.frame, self.frames.len())
            }),
            all("regions", &self.regions, |it| {
                is_in(it.function, functions)
                    && it.threads.iter().all(|it| is_in(it.thread, threads))
            }),
            all("lines", &self.lines, |it| is_in(it.file, files)),
            all("places", &self.places, |it| is_in(it.function, functions) && may(it.file, files)),
            all("copies", &self.copies, |it| is_in(it.file, files) && may(it.call_file, files)),
            timeline(),
            all("call_times", &self.call_times, |it| it.is_whole(functions, threads)),
            all("long_calls", &self.long_calls, |it| it.is_whole(functions, threads)),
        ];
        wrong.into_iter().flatten().next().or_else(|| self.wrong_sum())
    }

    /// A sum of samples that is not that of all.
    fn wrong_sum(&self) -> Option<String> {
        let all = u128::from(self.sampling.samples);
        let sum = |numbers: &mut dyn Iterator<Item = u64>| numbers.map(u128::from).sum::<u128>();
        let of_functions = sum(&mut self.functions.iter().map(|it| it.samples));
        let of_stacks = sum(&mut self.stacks.nodes().iter().map(|it| it.own.weight));
        let has_stacks = self.sampling.paths == Paths::Sampled;
        let wrong = match () {
            () if of_functions != all => Some(("functions", of_functions)),
            () if has_stacks && of_stacks != all => Some(("stacks", of_stacks)),
            () => None,
        };
        wrong.map(|(list, sum)| format!("the samples of {list} are {sum}, not {all}"))
    }
}

/// The text of a file, which may be compressed, if no more is in it than a profile can hold.
fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::metadata(path)?;
    let most = match file.is_file() {
        true => SMALL.max(file.len().saturating_mul(MOST_PER_BYTE)),
        false => u64::MAX - 1,
    };
    let mut text = Vec::new();
    unpacked(path)?.take(most + 1).read_to_end(&mut text)?;
    match text.len() as u64 > most {
        true => Err(io::Error::other("unpacks to more than any profile of its size holds")),
        false => Ok(text),
    }
}

/// Why a text is no model: because it is something else, or else because of what the reader met.
fn why_not(bytes: &[u8], error: &serde_json::Error) -> String {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<String>,
    }
    // Rows are many documents, of which the first says what they are.
    match serde_json::Deserializer::from_slice(bytes).into_iter().next() {
        Some(Ok(Head { schema: Some(schema) })) if !is_known(&schema) => other_schema(&schema),
        Some(Ok(Head { schema: None })) => format!("not {SCHEMA}: it has no schema"),
        _ => format!("not a whole {SCHEMA}: {error}"),
    }
}

/// Tells if profiles of a schema can be read.
fn is_known(schema: &str) -> bool {
    [SCHEMA, FIRST_SCHEMA].contains(&schema)
}

fn other_schema(schema: &str) -> String {
    match schema {
        rows::SCHEMA => {
            format!("{schema}: rows, which gmon merge -o FILE.json adds up to one profile")
        }
        _ => format!("{schema}, where {SCHEMA} is expected: gmon export --format json writes that"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn compressed_profiles_take_no_more_than_profiles_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("profile.json.gz");
        let pack = |len: u64| {
            let file = File::create(&path).expect("a file");
            let mut encoder = GzEncoder::new(file, Compression::fast());
            io::copy(&mut io::repeat(b' ').take(len), &mut encoder).expect("room");
            encoder.finish().expect("room");
            contents(&path)
        };
        assert_eq!(pack(SMALL).expect("a text").len() as u64, SMALL);
        let error = pack(SMALL + 1).expect_err("too much").to_string();
        assert!(error.contains("unpacks to more than any profile"), "{error}");
    }
}
