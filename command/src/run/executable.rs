//! What a program file says about itself: whether our runtime is in it, and if not, whether it can
//! be preloaded.

use std::fmt::{self, Display};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use anyhow::anyhow;
use gmon_format::hooks;
use nix::unistd::{AccessFlags, access, geteuid};
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, Sym};
use object::{Endianness, FileKind, ReadCache, ReadRef};

use super::sources::{self, Advice};
use crate::carried::Port;

/// The type of the note that marks our runtime; its owner is `gmon`.
const NOTE_VERSION: u32 = 1;

/// Where a program that can be profiled has its runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runtime {
    /// It was linked with ours.
    Linked,
    /// It asks for one, and ours can be preloaded.
    Wanted {
        /// The C library's will do: it was linked with `-pg`, too, and leaves a profile by itself.
        starts: bool,
    },
    /// It has none and asks for none, but ours can be preloaded, to sample it or what it starts; why it counts no
    /// calls.
    Unhooked(Lack),
    /// It has none, and can have none; why there is nothing to tell of it, but perhaps of what it starts.
    Absent(Lack),
    /// It has another one, which ours would get in the way of.
    Other(Lack),
}

/// Why a program has no profile, as far as its file tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lack {
    /// What is wrong with it, said of the program.
    pub(crate) what: &'static str,
    /// What its run has shown as well, if it left no profile.
    pub(crate) run: &'static str,
    /// Remedy.
    pub(crate) remedy: &'static str,
}

impl Lack {
    const fn new(what: &'static str, remedy: &'static str) -> Self {
        Self { what, run: "", remedy }
    }
}

/// All of it, after a run.
impl Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}; {}", self.what, self.run, self.remedy)
    }
}

/// Why a program that gains rights has no profile.
pub(super) const SET_ID: Lack =
    Lack::new("is a set-id program, into which nothing is preloaded", "relink it with gmon cc");

/// Why one has none that gains rights by its file's capabilities.
pub(super) const CAPABLE: Lack = Lack::new(
    "has capabilities, so nothing is preloaded into it",
    "relink it with gmon cc, or run a copy, which has none",
);

/// Why one has none that is nobody's to read.
const UNREADABLE: Lack = Lack {
    what: "cannot be read by this user",
    run: "",
    remedy: "run it as its owner, or make it readable (chmod +r)",
};

/// A file that cannot be run.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// The system refuses to open it.
    Closed(io::Error),
    /// It belongs to a language that is run in another way.
    Other(Advice),
    /// What it is, and what to do.
    Is(&'static str, &'static str),
    /// It contradicts itself.
    Damaged(object::Error),
}

impl Unfit {
    /// What is wrong, without the name of the file.
    pub(crate) fn what(&self) -> String {
        match self {
            Self::Closed(error) => gmon_analyzer::system_message(error),
            Self::Other(advice) => advice.what.to_owned(),
            Self::Is(what, _) => (*what).to_owned(),
            Self::Damaged(error) => format!("is a damaged ELF file: {error}"),
        }
    }

    /// What to do, if there is something to say.
    pub(crate) fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Other(advice) => advice.remedy,
            Self::Is(_, remedy) => Some(remedy),
            Self::Closed(_) | Self::Damaged(_) => None,
        }
    }

    /// The error that names the file.
    pub(super) fn of(self, path: &Path) -> anyhow::Error {
        let (name, what) = (path.display(), self.what());
        let colon = if matches!(self, Self::Closed(_) | Self::Other(_)) { ":" } else { "" };
        match self.remedy() {
            Some(remedy) => anyhow!("{name}{colon} {what}; {remedy}"),
            None => anyhow!("{name}{colon} {what}"),
        }
    }
}

/// Looks into a program.
///
/// # Errors
///
/// The file is nothing that can be run.
pub(crate) fn inspect(path: &Path) -> Result<Runtime, Unfit> {
    // To open a pipe would wait for somebody who writes to it.
    let kind = path.metadata().map_err(Unfit::Closed)?.file_type();
    if !(kind.is_file() || kind.is_dir()) {
        return Err(Unfit::Is("is a pipe or a device", "name the file of a program"));
    }
    let file = match File::open(path) {
        // The system runs it all the same.
        Err(error) if is_denied(&error) && kind.is_file() && may_execute(path) => {
            return Ok(Runtime::Absent(UNREADABLE));
        }
        file => file.map_err(Unfit::Closed)?,
    };
    let data = ReadCache::new(file);
    let start = data.read_bytes_at(0, data.len().unwrap_or(0).min(20)).unwrap_or_default();
    if start.starts_with(b"#!") {
        return Ok(Runtime::Unhooked(Lack {
            what: "is a script",
            run: ", and it started no program that was compiled with -pg",
            remedy: "build what it runs with gmon cc (make CC=\"gmon cc gcc\")",
        }));
    }
    if !start.starts_with(&elf::ELFMAG) {
        if let Some(advice) = sources::other_language(path) {
            return Err(Unfit::Other(advice));
        }
        // Shells take it for theirs then; the system does not.
        let remedy = match kind.is_file() && may_execute(path) && is_text(start) {
            true => "if it is a script, begin it with #!, or name its shell (gmon run sh FILE)",
            false => "compile it with -pg first, then run the program",
        };
        return Err(Unfit::Is(
            "is neither a program nor a source file that ends in .c, .cc, .cpp ...",
            remedy,
        ));
    }
    let facts = Facts::of(&data);
    if !Port::host().is_for(start) && !facts.as_ref().is_ok_and(|facts| facts.has_runtime) {
        return Err(Unfit::Is(
            "was built for another kind of machine than this gmon, which has no library to preload into it",
            "link it with gmon cc, see `gmon cc --help`",
        ));
    }
    let facts = facts.map_err(Unfit::Damaged)?;
    if !facts.can_run {
        return Err(Unfit::Is("is an object file", "link it with gmon cc"));
    }
    Ok(facts.judge())
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// True if this user may execute a file.
fn may_execute(path: &Path) -> bool {
    access(path, AccessFlags::X_OK).is_ok()
}

/// Returns `true` if the start of a file is one of a text.
fn is_text(start: &[u8]) -> bool {
    !start.is_empty() && !start.contains(&0)
}

/// Returns `true` if the system gives a program capabilities that we have not, as its file says.
pub(crate) fn gains_capabilities(path: &Path) -> bool {
    !geteuid().is_root()
        && rustix::fs::getxattr(path, "security.capability", &mut [0; 64][..]).is_ok()
}

/// Returns `true` if a file is a pipe, which can be written but not read again.
pub(super) fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.file_type().is_fifo())
}

/// Returns `true` if our runtime is in a program, for whatever machine that is.
pub(crate) fn has_runtime(path: &Path) -> bool {
    let data = path.is_file().then(|| File::open(path).ok()).flatten().map(ReadCache::new);
    data.is_some_and(|data| Facts::of(&data).is_ok_and(|facts| facts.has_runtime))
}

/// What matters of a program file.
#[derive(Debug, Default)]
struct Facts {
    /// It is a program or a shared object, not an object file or a core.
    can_run: bool,
    /// Our note is in it, or a library of ours is linked.
    has_runtime: bool,
    /// It asks for a dynamic linker.
    is_dynamic: bool,
    /// It calls hooks that a shared library is to define.
    wants_hooks: bool,
    /// Its start files have such a library begin a profile.
    wants_start: bool,
    /// It defines hooks itself.
    has_hooks: bool,
}

impl Facts {
    fn of<'data>(data: impl ReadRef<'data>) -> object::Result<Self> {
        match FileKind::parse(data)? {
            FileKind::Elf32 => Self::read::<FileHeader32<Endianness>>(data),
            _ => Self::read::<FileHeader64<Endianness>>(data),
        }
    }

    fn read<'data, Elf: FileHeader<Endian = Endianness>>(
        data: impl ReadRef<'data>,
    ) -> object::Result<Self> {
        let header = Elf::parse(data)?;
        let endian = header.endian()?;
        let mut facts = Self {
            can_run: matches!(header.e_type(endian), elf::ET_EXEC | elf::ET_DYN),
            ..Self::default()
        };
        for segment in header.program_headers(endian, data)? {
            facts.is_dynamic |= segment.interpreter(endian, data)?.is_some();
            let Some(mut notes) = segment.notes(endian, data)? else { continue };
            while let Some(note) = notes.next()? {
                facts.has_runtime |=
                    note.name() == b"gmon" && note.n_type(endian).0 == NOTE_VERSION;
            }
        }
        let sections = header.sections(endian, data)?;
        let dynamic = sections.dynamic_table(endian, data)?;
        for entry in dynamic.iter().filter(|entry| entry.tag == elf::DT_NEEDED) {
            facts.has_runtime |= dynamic.string(entry)? == b"libgmon.so";
        }
        for table in [elf::SHT_DYNSYM, elf::SHT_SYMTAB] {
            let symbols = sections.symbols(endian, data, table)?;
            for symbol in symbols.iter().filter(|symbol| symbol.st_name(endian) != 0) {
                // What cannot be read at once is longer than any of these names.
                let Ok(name) = symbol.name(endian, symbols.strings()) else { continue };
                let is_hook = is_hook(name);
                let is_wanted = symbol.is_undefined(endian) && table == elf::SHT_DYNSYM;
                facts.wants_hooks |= is_wanted && (is_hook || is_among(hooks::OF_OTHERS, name));
                facts.wants_start |= is_wanted && name == hooks::START.as_bytes();
                facts.has_hooks |= is_hook && !symbol.is_undefined(endian);
            }
        }
        Ok(facts)
    }

    /// Where the runtime is, or why there is none.
    fn judge(&self) -> Runtime {
        if self.has_runtime {
            return Runtime::Linked;
        }
        if !self.is_dynamic {
            return Runtime::Absent(Lack::new(
                "is statically linked without gmon's runtime, so that none can be preloaded",
                "link it again with gmon cc (gmon cc gcc -static ...), or start it and take gmon run --pid",
            ));
        }
        if self.has_hooks {
            return Runtime::Other(Lack::new(
                "has another profiling runtime linked into it",
                "link it again with gmon cc",
            ));
        }
        if !self.wants_hooks {
            return Runtime::Unhooked(Lack {
                what: "was not compiled for profiling",
                run: ", and started no program that was",
                remedy: "build it with gmon cc (make CC=\"gmon cc gcc\"), or compile and link it with -pg",
            });
        }
        Runtime::Wanted { starts: self.wants_start }
    }
}

/// Returns `true` if a name shows that the program was compiled or linked with `-pg`.
fn is_hook(name: &[u8]) -> bool {
    is_among(hooks::OF_PG, name) || name == hooks::START.as_bytes()
}

fn is_among(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|known| known.as_bytes() == name)
}
