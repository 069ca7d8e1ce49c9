//! The modules of a process: what lies where in it, and when that was.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc as Shared;

use gmon_format::mapping::{Mapping, path_of_file};

use super::elf::Elf;
use super::files::Files;

/// A file that was loaded, or code that no file has.
#[derive(Clone, Debug)]
pub(super) struct Module {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) bias: u64,
    /// Its path as the process knows it, or a name in brackets.
    pub(super) path: Vec<u8>,
    /// Path by which we can read it.
    pub(super) place: PathBuf,
    pub(super) elf: Option<Shared<Elf>>,
    inode: u64,
    /// When it was loaded and unloaded, by the monotonic clock; 0 for before we came, and for never.
    pub(super) loaded: u64,
    pub(super) unloaded: u64,
}

/// Modules of a process, also those that it has no more.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    pub(super) modules: Vec<Module>,
    /// Modules that are there now, by their starts.
    present: BTreeMap<u64, usize>,
    files: Files,
    /// The memory of the process, where we may read it: code that no file has, and long stacks.
    memory: Option<Shared<File>>,
    /// First instruction of the program.
    pub(super) entry: Option<u64>,
}

/// The name of code that compilers make at run time.
pub(super) const MADE: &[u8] = b"[JIT]";

/// The kernel's part of time.
pub(super) const KERNEL: &[u8] = gmon_analyzer::model::KERNEL.as_bytes();

/// The name that stands for the kernel, and one address of it, which no program has.
pub(super) const KERNEL_AT: u64 =
    if cfg!(target_pointer_width = "64") { 0xffff_ffff_8000_0000 } else { 0xffff_f000 };

/// The name of the library that the kernel maps.
const VDSO: &[u8] = b"[vdso]";

impl Module {
    /// True of code that no file has.
    pub(super) fn is_made(&self) -> bool {
        self.path == MADE
    }

    /// Address of the first instruction of the program that it is, if that is mapped here.
    pub(super) fn entry(&self) -> Option<u64> {
        let entry = self.elf.as_ref()?.entry.wrapping_add(self.bias);
        (self.start..self.end).contains(&entry).then_some(entry)
    }

    /// The path by which it can be read, as far as we know one.
    pub(super) fn shown_path(&self) -> &[u8] {
        match self.place.as_os_str().as_bytes() {
            b"" => &self.path,
            place => place,
        }
    }
}

impl Space {
    /// The modules that a process has now.
    pub(super) fn of_process(process: u32, files: &Files) -> Self {
        let mut space = Self { files: files.clone(), ..Self::default() };
        space.modules.push(Module {
            start: KERNEL_AT,
            end: KERNEL_AT + 1,
            bias: KERNEL_AT,
            path: KERNEL.to_vec(),
            place: PathBuf::new(),
            elf: None,
            inode: 0,
            loaded: 0,
            unloaded: 0,
        });
        space.memory = memory_of(process);
        space.look(process);
        space
    }

    /// Adds the modules that a process has now.
    pub(super) fn look(&mut self, process: u32) {
        let maps = fs::read(folder_of(process).join("maps")).unwrap_or_default();
        for mapping in Mapping::each(&maps).filter(|mapping| mapping.is_code) {
            let path = path_of_file(mapping.path);
            self.add(process, &Mapping { path, ..mapping }, 0);
        }
    }

    /// The modules of a child that was forked.
    pub(super) fn of_child(&self, process: u32) -> Self {
        let is_there = |module: &&Module| module.unloaded == 0;
        let (memory, files) = (memory_of(process), self.files.clone());
        let mut child = Self { entry: self.entry, memory, files, ..Self::default() };
        for module in self.modules.iter().filter(is_there) {
            child.modules.push(Module { loaded: 0, ..module.clone() });
            if module.path != KERNEL {
                child.present.insert(module.start, child.modules.len() - 1);
            }
        }
        child
    }

    /// Adds executable memory that was mapped at a time. False if it was known.
    pub(super) fn add(&mut self, process: u32, mapping: &Mapping<'_>, time: u64) -> bool {
        let end = mapping.end;
        let known = self.at(mapping.start).map(|place| &self.modules[place]);
        let is_same = |module: &Module| {
            module.path == mapping.path && module.inode == mapping.inode && end <= module.end
                || module.is_made() && mapping.is_made() && end <= module.end
        };
        if known.is_some_and(is_same) {
            return false;
        }
        let mut module = self.module(process, mapping);
        module.loaded = time;
        let replaced: Vec<usize> =
            self.present.range(..module.end).map(|(_, place)| *place).collect();
        for place in replaced {
            let old = &mut self.modules[place];
            if old.end > module.start {
                old.unloaded = time.max(1);
                self.present.remove(&old.start);
            }
        }
        self.present.insert(module.start, self.modules.len());
        self.modules.push(module);
        true
    }

    /// The module around an address at a time.
    pub(super) fn find(&self, pc: u64, time: u64) -> Option<&Module> {
        let present = self.at(pc).map(|place| &self.modules[place]);
        if let Some(module) = present.filter(|module| module.loaded <= time) {
            return Some(module);
        }
        let was_there =
            |module: &&Module| module.unloaded > time && (module.start..module.end).contains(&pc);
        self.modules.iter().rev().find(was_there).or(present)
    }

    /// True if the process has had code that no file has.
    pub(super) fn has_made_code(&self) -> bool {
        self.modules.iter().any(Module::is_made)
    }

    /// True of an address that was in such code at any time.
    pub(super) fn is_made(&self, pc: u64) -> bool {
        let mut made = self.modules.iter().filter(|module| module.is_made());
        made.any(|module| (module.start..module.end).contains(&pc))
    }

    /// The memory of the process, where we may read it.
    pub(super) fn memory(&self) -> Option<&File> {
        self.memory.as_deref()
    }

    /// Bytes of code that no file has.
    pub(super) fn made_code<const LEN: usize>(&self, address: u64) -> Option<[u8; LEN]> {
        let mut bytes = [0; LEN];
        self.memory()?.read_exact_at(&mut bytes, address).ok()?;
        Some(bytes)
    }

    fn at(&self, pc: u64) -> Option<usize> {
        let place = *self.present.range(..=pc).next_back()?.1;
        self.modules.get(place).filter(|module| pc < module.end).map(|_| place)
    }

    fn module(&self, process: u32, mapping: &Mapping<'_>) -> Module {
        let &Mapping { start, end, offset, inode, path, .. } = mapping;
        // Names of other code have brackets. Where they begin must not depend on how much there is.
        const PART: u64 = 1 << 32;
        let mut module = Module {
            start,
            end,
            bias: start - start % PART,
            path: if mapping.is_made() { MADE.to_vec() } else { path.to_vec() },
            place: PathBuf::new(),
            elf: None,
            inode,
            loaded: 0,
            unloaded: 0,
        };
        if mapping.is_made() {
            return module;
        }
        // Several processes share most modules.
        let known = self.modules.iter().find(|it| it.inode == inode && it.path == path);
        let found = match known {
            Some(known) => known.elf.clone().map(|elf| (elf, known.place.clone())),
            None => self.open(process, mapping),
        };
        let Some((elf, place)) = found else { return module };
        let Some(bias) = elf.bias(start, offset) else { return module };
        let is_loaded = |it: &Module| it.inode == inode && it.path == path && it.unloaded == 0;
        // Around a copy of some of its code, such as that of V8's builtins, there may be anything.
        if !self.modules.iter().any(|it| is_loaded(it) && it.bias != bias) {
            let extent = elf.extent();
            module.start = extent.start.wrapping_add(bias);
            module.end = extent.end.wrapping_add(bias).max(end);
        }
        (module.bias, module.place, module.elf) = (bias, place, Some(elf));
        module
    }

    /// Opens the file that a process has mapped, wherever it is: in the root of the process, without a name, or only in its
    /// memory. Returns where it can be read again.
    fn open(&self, process: u32, mapping: &Mapping<'_>) -> Option<(Shared<Elf>, PathBuf)> {
        let &Mapping { start, end, offset, inode, path, .. } = mapping;
        if path == VDSO {
            let elf = self.files.vdso()?;
            return Some((elf, PathBuf::from("[vdso]")));
        }
        let proc = folder_of(process);
        let named = Path::new(std::ffi::OsStr::from_bytes(path));
        // Paths may begin with that of the root, if it is below ours.
        let root = fs::read_link(proc.join("root")).unwrap_or("/".into());
        let inside = named.strip_prefix(root).or(named.strip_prefix("/"));
        let inside = inside.map(|path| proc.join("root").join(path)).ok()?;
        let range = format!("map_files/{start:x}-{end:x}");
        let is_it =
            |place: &PathBuf| fs::metadata(place).is_ok_and(|it| it.is_file() && it.ino() == inode);
        let places = [named.to_owned(), inside, proc.join("exe"), proc.join(range)];
        for place in places.into_iter().filter(is_it) {
            if let Some(elf) = File::open(&place).ok().and_then(|file| self.files.elf(file)) {
                return Some((elf, place));
            }
        }
        // Its first page is mapped below its code.
        let start = start.checked_sub(offset)?;
        let memory = File::open(proc.join("mem")).ok()?;
        let elf = Elf::of_memory(memory, start)?;
        Some((elf.into(), named.to_owned()))
    }
}

/// The memory of a process, if we may read it. It stays that of this program, whatever the process becomes.
fn memory_of(process: u32) -> Option<Shared<File>> {
    File::open(folder_of(process).join("mem")).ok().map(Shared::new)
}

/// The folder in which the system shows what a process is: that of another thread if the first one has ended.
pub(crate) fn folder_of(process: u32) -> PathBuf {
    let folder = |id: u32| PathBuf::from(format!("/proc/{id}"));
    let shows_it = |id: &u32| fs::read_link(folder(*id).join("exe")).is_ok();
    let first = Some(process).filter(shows_it);
    folder(first.or_else(|| threads(process).find(shows_it)).unwrap_or(process))
}

/// The threads of a process.
pub(super) fn threads(process: u32) -> impl Iterator<Item = u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| task.file_name().to_str()?.parse().ok())
}

/// The path of a process's program, as the process knows it; `None` of threads of the kernel.
pub(super) fn program_path(process: u32) -> Option<PathBuf> {
    let path = fs::read_link(folder_of(process).join("exe")).ok()?.into_os_string().into_vec();
    Some(std::ffi::OsString::from_vec(path_of_file(&path).to_vec()).into())
}
