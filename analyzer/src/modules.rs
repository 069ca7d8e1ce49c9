//! The program and the libraries of a process, each opened for the names of its functions.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc as Shared;

use gmon_format::{CallSite, FilePc, SelfPc};

use crate::image::{Image, VDSO};
use crate::parallel;
use crate::program::{Program, ProgramOptions};
use crate::records::{CodePlace, Frame, FullRecords, Module, ModuleId};

/// The modules of full profiles, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    list: Vec<ModuleCode>,
}

/// A module and, if it could be opened, its code.
#[derive(Clone, Debug)]
pub struct ModuleCode {
    name: Vec<u8>,
    program: Option<Shared<Program>>,
}

impl Modules {
    /// Opens all modules; the one that was run is `program`, which was opened already.
    ///
    /// A file with another build id is not that which was loaded: it gives no names. One without a build id has to take
    /// as much room in memory, and nobody may have changed it since the run began. A function with several names has the one
    /// by which the program calls it.
    #[must_use]
    pub fn open(records: &FullRecords, program: &Shared<Program>) -> Self {
        let asked = addresses(records);
        let called = names_called_by(program);
        let open = |(number, module): &(u32, &Module)| {
            let asked = asked.get(&ModuleId(*number));
            let program = match records.program() == Some(ModuleId(*number)) {
                true => Some(program.clone()),
                false => {
                    let file = LoadedFile {
                        path: Path::new(OsStr::from_bytes(&module.path)),
                        build_id: &module.build_id,
                        extent: module.extent.clone(),
                        since: records.facts().started(),
                    };
                    file.open(asked.cloned().unwrap_or_default(), &called)
                }
            };
            // Who reads stacks needs the functions, which take the longest; here processors share the work.
            if let (Some(_), Some(program)) = (asked, &program) {
                let _decoded = program.functions();
            }
            ModuleCode { name: short_name(&module.path).to_vec(), program }
        };
        let modules: Vec<_> = (0..).zip(records.modules()).collect();
        Self { list: parallel::shared(&modules, open) }
    }

    /// Decodes the source lines of all modules, which somebody is about to ask for; processors share the work.
    pub(crate) fn decode_lines(&self) {
        parallel::shared(&self.list, |module| {
            module.program().inspect(|program| program.lines().decode());
        });
    }

    /// A module.
    ///
    /// # Panics
    /// If `id` is of other records.
    #[must_use]
    pub fn get(&self, id: ModuleId) -> &ModuleCode {
        &self.list[id.index()]
    }

    /// All modules, by their numbers.
    #[must_use]
    pub fn list(&self) -> &[ModuleCode] {
        &self.list
    }
}

impl ModuleCode {
    /// The last part of its path; `vdso` for the kernel's library.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// True of code that no file has, such as the kernel's, which is all one.
    #[must_use]
    pub fn is_no_file(&self) -> bool {
        is_no_file(&self.name)
    }

    /// Its code; `None` if its file is not there any more, or is another one.
    #[must_use]
    pub fn program(&self) -> Option<&Program> {
        self.program.as_deref()
    }
}

/// The last part of a module's path, and the kernel's `[vdso]` without the brackets that views put around names.
pub(crate) fn short_name(path: &[u8]) -> &[u8] {
    match path == VDSO.as_bytes() {
        true => &path[1..path.len() - 1],
        false => path.rsplit(|byte| *byte == b'/').next().unwrap_or_default(),
    }
}

/// True of a name in brackets, which is none of a file.
pub(crate) fn is_no_file(name: &[u8]) -> bool {
    name.starts_with(b"[")
}

/// The addresses that full profiles have of each module.
fn addresses(records: &FullRecords) -> HashMap<ModuleId, Vec<FilePc>> {
    let frames = records.nodes().iter().filter_map(|node| match node.frame {
        Frame::Code(place) => Some(place),
        Frame::Incomplete(_) => None,
    });
    let calls = records.arcs().flat_map(|(CallSite(site), SelfPc(callee), _)| [site, callee]);
    let blocks = records.blocks().map(|(place, _)| place);
    let mut addresses: HashMap<ModuleId, Vec<FilePc>> = HashMap::new();
    for place in frames.chain(calls).chain(blocks) {
        if let CodePlace::Module(module, pc) = place {
            let known = addresses.entry(module).or_default();
            // A call may be the last of a unit's code, and return to where no code of it is.
            known.extend([pc, FilePc(pc.0.saturating_sub(1))]);
        }
    }
    addresses
}

/// The names by which a program calls functions of its libraries.
pub(crate) fn names_called_by(program: &Program) -> HashSet<Vec<u8>> {
    program.image().imported().into_iter().map(<[u8]>::to_vec).collect()
}

/// A module's file as a process had it.
pub(crate) struct LoadedFile<'a> {
    pub(crate) path: &'a Path,
    /// Empty if it had none.
    pub(crate) build_id: &'a [u8],
    /// Its code and data in memory, by the addresses in the file.
    pub(crate) extent: Range<FilePc>,
    /// When the process began, in seconds since 1970, if that is known.
    pub(crate) since: Option<u64>,
}

impl LoadedFile<'_> {
    /// Opens the file, if it is still the one that was loaded. It is asked about these addresses only, and gives functions
    /// that have several names those by which they are `called`.
    pub(crate) fn open(
        &self,
        asked: Vec<FilePc>,
        called: &HashSet<Vec<u8>>,
    ) -> Option<Shared<Program>> {
        let image = match self.path == Path::new(VDSO) {
            true => Image::vdso()?,
            false => self.may_be_it().then(|| Image::open(self.path).ok())??,
        };
        let is_it = match self.build_id.is_empty() {
            true => image.build_id().is_none() && has_extent(&image, &self.extent),
            false => image.build_id()?.starts_with(self.build_id),
        };
        if !is_it {
            return None;
        }
        let options = ProgramOptions {
            names_stripped: true,
            preferred: called.clone(),
            asked: Some(asked),
            ..ProgramOptions::standard()
        };
        Some(Program::of_image(image, &options).ok()?.into())
    }

    /// False if it is no file: the path is from the data, and may name a pipe, which would wait, or a device. Without a
    /// build id also false if it was changed since, by the time that the system keeps and nobody can set.
    fn may_be_it(&self) -> bool {
        let file = self.path.is_absolute().then(|| self.path.metadata().ok()).flatten();
        let Some(file) = file.filter(Metadata::is_file) else { return false };
        let changed = u64::try_from(file.ctime()).ok();
        let is_unchanged = || changed.zip(self.since).is_some_and(|(at, since)| at <= since);
        !self.build_id.is_empty() || is_unchanged()
    }
}

/// Returns `true` if an image takes this place in memory; to the page, as the system tells it from outside.
fn has_extent(image: &Image, extent: &Range<FilePc>) -> bool {
    const PAGE: u64 = 4096;
    let pages = |it: &Range<FilePc>| (it.start.0 / PAGE, it.end.0.div_ceil(PAGE));
    pages(&image.extent()) == pages(extent)
}
