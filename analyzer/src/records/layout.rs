//! Where the modules lay in one process.

use gmon_format::live::Live;

use super::full::{CodePlace, FullRecords, Module, ModuleId};

/// The modules of a process by their addresses.
pub(super) struct Layout {
    modules: Vec<Loaded>,
}

/// A module in its process.
struct Loaded {
    start: u64,
    end: u64,
    bias: u64,
    id: ModuleId,
}

/// No module has more code and data than this, in bytes.
const MOST_TEXT: u64 = 1 << 34;

impl Layout {
    /// Adds the modules of a file to the records.
    pub(super) fn new(records: &mut FullRecords, live: &Live<'_>) -> Self {
        let loaded = |module: gmon_format::live::Module<'_>| Loaded {
            start: module.start,
            end: module.end,
            bias: module.bias,
            id: records.module(Module {
                path: module.path.to_vec(),
                build_id: module.build_id.to_vec(),
                extent: module.start.wrapping_sub(module.bias)
                    ..module.end.wrapping_sub(module.bias),
            }),
        };
        let mut modules: Vec<_> = live.modules().map(loaded).collect();
        modules.sort_by_key(|module| module.start);
        Self { modules }
    }

    /// Whether there are none: then addresses are of one process and add up with those of no other.
    pub(super) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// Where an address of the process lies. Where several modules lay one after the other, that is known
    /// only if they are the same one.
    pub(super) fn place(&self, pc: u64) -> CodePlace {
        let after = self.modules.partition_point(|module| module.start <= pc);
        let mut places = self.modules[..after].iter().rev().take_while(|module| {
            // Modules of other times may begin here, but none is as long as this.
            pc - module.start < MOST_TEXT
        });
        let mut found = None;
        for module in places.by_ref().filter(|module| pc < module.end) {
            let place = CodePlace::Module(module.id, pc.wrapping_sub(module.bias));
            if found.is_some_and(|found| found != place) {
                return CodePlace::Process(pc);
            }
            found = Some(place);
        }
        found.unwrap_or(CodePlace::Process(pc))
    }
}
