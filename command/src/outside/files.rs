//! Files that processes have loaded: each is read once for all processes, as long as one of them has it.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc as Shared;

use gmon_analyzer::vdso;
use parking_lot::Mutex;

use super::elf::Elf;

/// Files that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Files(Shared<Mutex<HashMap<Identity, Shared<Elf>>>>);

/// Facts that tell files apart: device, inode, length, and when it was changed.
type Identity = (u64, u64, u64, i64, i64);

/// The library that the kernel maps has no file.
const VDSO: Identity = (0, 0, 0, 0, 0);

/// Files that are kept though no process has them: the next may be a run of the same program.
const MOST: usize = 128;

impl Files {
    /// An open file.
    pub(super) fn elf(&self, file: File) -> Option<Shared<Elf>> {
        let it = file.metadata().ok()?;
        let identity = (it.dev(), it.ino(), it.len(), it.mtime(), it.mtime_nsec());
        self.known(identity, || Elf::of_file(file))
    }

    /// The library that the kernel maps into each process.
    pub(super) fn vdso(&self) -> Option<Shared<Elf>> {
        self.known(VDSO, || vdso().and_then(Elf::of_bytes))
    }

    fn known(&self, identity: Identity, read: impl FnOnce() -> Option<Elf>) -> Option<Shared<Elf>> {
        let mut known = self.0.lock();
        if let Some(elf) = known.get(&identity) {
            return Some(elf.clone());
        }
        let elf = Shared::new(read()?);
        if known.len() >= MOST {
            known.retain(|_, elf| Shared::strong_count(elf) > 1);
        }
        known.insert(identity, elf.clone());
        Some(elf)
    }
}
