//! Places of the modules in one process.

use gmon_format::LoadedPc;
use gmon_format::live::{self, Live};

use super::parts::{CodePlace, Module, ModuleId};
use super::total::FullRecords;

/// The modules of a process.
pub(super) struct Layout<'a> {
    /// Modules by their starts.
    modules: Vec<(live::Module<'a>, ModuleId)>,
}

/// No module has more code and data than this, in bytes.
const MOST_TEXT: u64 = 1 << 34;

impl<'a> Layout<'a> {
    /// Adds the modules of a file to the records.
    pub(super) fn new(records: &mut FullRecords, live: &'a Live<'_>) -> Self {
        let known = |module: live::Module<'a>| {
            let id = records.module(Module {
                path: module.path.to_vec(),
                build_id: module.build_id.to_vec(),
                extent: module.file_pc(module.start)..module.file_pc(module.end),
            });
            (module, id)
        };
        let mut modules: Vec<_> = live.modules().map(known).collect();
        modules.sort_by_key(|(module, _)| module.start);
        Self { modules }
    }

    /// Returns `true` if there are none: then addresses are of one process and add up with those of
    /// no other.
    pub(super) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// Place of an address of the process. Where several modules lay one after the other, that is known
    /// only if they are the same one.
    pub(super) fn place(&self, pc: LoadedPc) -> CodePlace {
        let after = self.modules.partition_point(|(module, _)| module.start <= pc);
        let mut places = self.modules[..after].iter().rev().take_while(|(module, _)| {
            // Modules of other times may begin here, but none is as long as this.
            pc.0 - module.start.0 < MOST_TEXT
        });
        let mut found = None;
        for (module, id) in places.by_ref().filter(|(module, _)| module.contains(pc)) {
            let place = CodePlace::Module(*id, module.file_pc(pc));
            if found.is_some_and(|found| found != place) {
                return CodePlace::Process(pc);
            }
            found = Some(place);
        }
        found.unwrap_or(CodePlace::Process(pc))
    }
}
