//! Places of the modules in one process.

use gmon_format::live::{self, Live};
use gmon_format::{FilePc, LoadedPc};

use super::made::{JIT, MadeCode, module_of};
use super::parts::{CodePlace, Module, ModuleId};
use super::total::FullRecords;

/// The modules of a process.
pub(super) struct Layout<'a> {
    /// Modules by their starts.
    modules: Vec<(live::Module<'a>, ModuleId)>,
    /// Code that is in no file, by its starts.
    made: Vec<Made>,
    /// Bytes of the longest code of it.
    longest_made: u64,
    /// True if code came in the place of other code.
    has_reused: bool,
}

/// Code that is in no file.
struct Made {
    start: LoadedPc,
    end: LoadedPc,
    from_ns: u64,
    to_ns: u64,
    module: ModuleId,
    place: FilePc,
}

/// No module has more code and data than this, in bytes.
const MOST_TEXT: u64 = 1 << 34;

impl<'a> Layout<'a> {
    /// Adds the modules of a file to the records.
    pub(super) fn new(records: &mut FullRecords, live: &'a Live<'_>) -> Self {
        let known = |module: live::Module<'a>| {
            // Code without a name has one address.
            let extent = match module.path {
                JIT => FilePc(0)..FilePc(1),
                _ => module.file_pc(module.start)..module.file_pc(module.end),
            };
            let (path, build_id) = (module.path.to_vec(), module.build_id.to_vec());
            let id = records.module(Module { path, build_id, extent });
            (module, id)
        };
        let mut modules: Vec<_> = live.modules().map(known).collect();
        modules.sort_by_cached_key(|(module, _)| module.start);
        let directory = live.facts().find_map(|facts| facts.get("directory"));
        let directory: Vec<u8> = directory.map_or_else(Vec::new, |it| it.bytes().collect());
        let code = live.code().map(|code| Made::new(records, &code, &directory));
        let mut made: Vec<_> = code.collect();
        made.sort_by_cached_key(|made| made.start);
        let longest_made = made.iter().map(|it| it.end.0.saturating_sub(it.start.0)).max();
        let mut end = LoadedPc(0);
        let has_reused = made.iter().any(|made| {
            let overlaps = made.start < end;
            end = end.max(made.end);
            overlaps
        });
        Self { modules, made, longest_made: longest_made.unwrap_or(0), has_reused }
    }

    /// Returns `true` if there are none: then addresses are of one process and add up with those of
    /// no other.
    pub(super) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// Place of an address of the process. Where several modules lay one after the other, that is known
    /// only if they are the same one.
    pub(super) fn place(&self, pc: LoadedPc) -> CodePlace {
        if let Some(place) = self.made_at(pc) {
            return place;
        }
        let after = self.modules.partition_point(|(module, _)| module.start <= pc);
        let mut places = self.modules[..after].iter().rev().take_while(|(module, _)| {
            // Modules of other times may begin here, but none is as long as this.
            pc.0 - module.start.0 < MOST_TEXT
        });
        let mut found = None;
        for (module, id) in places.by_ref().filter(|(module, _)| module.contains(pc)) {
            // Code of no name is all one, apart from that which has one.
            let in_file = if module.path == JIT { FilePc(0) } else { module.file_pc(pc) };
            let place = CodePlace::Module(*id, in_file);
            if found.is_some_and(|found| found != place) {
                return CodePlace::Process(pc);
            }
            found = Some(place);
        }
        found.unwrap_or(CodePlace::Process(pc))
    }

    /// Returns `true` if code came in the place of other code anywhere.
    pub(super) fn has_reused(&self) -> bool {
        self.has_reused
    }

    /// Returns `true` if an address belonged to one code after the other.
    pub(super) fn is_reused(&self, pc: LoadedPc) -> bool {
        self.made_around(pc).nth(1).is_some()
    }

    /// Place of an address at a time, in nanoseconds since the profile began.
    pub(super) fn place_at(&self, pc: LoadedPc, time: u64) -> CodePlace {
        let was_there =
            |made: &&Made| made.from_ns <= time && (made.to_ns == 0 || time < made.to_ns);
        let made = self.made_around(pc).filter(was_there).max_by_key(|made| made.from_ns);
        made.map_or_else(|| self.place(pc), |made| made.place_of(pc))
    }

    /// Place of an address in code that is in no file: the latest, where code came in the place of other code.
    fn made_at(&self, pc: LoadedPc) -> Option<CodePlace> {
        let made = self.made_around(pc).max_by_key(|made| made.from_ns)?;
        Some(made.place_of(pc))
    }

    /// All code that is in no file and that an address belonged to.
    fn made_around(&self, pc: LoadedPc) -> impl Iterator<Item = &Made> {
        let after = self.made.partition_point(|made| made.start <= pc);
        let near = self.made[..after].iter().rev();
        let near = near.take_while(move |made| pc.0 - made.start.0 < self.longest_made);
        near.filter(move |made| pc < made.end)
    }
}

impl Made {
    fn place_of(&self, pc: LoadedPc) -> CodePlace {
        CodePlace::Module(self.module, FilePc(self.place.0.wrapping_add(pc.0 - self.start.0)))
    }

    /// Adds code of a file to the records, whose process ran in a folder.
    fn new(records: &mut FullRecords, code: &live::Code<'_>, directory: &[u8]) -> Self {
        let made = MadeCode::of(code, directory);
        let (module, place) = records.made_place(made, module_of(code.kind));
        let live::Code { start, end, from_ns, to_ns, .. } = *code;
        Self { start, end, from_ns, to_ns, module, place }
    }
}
