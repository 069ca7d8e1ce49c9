//! Layout of the carried files below a prefix, as build systems look for them there.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::Port;
use super::given::given;
use super::packed::Content;

/// Marks and phases for Fortran, and the C below them.
const FORTRAN: [(&str, &[u8]); 2] = [
    ("gmon.f90", include_bytes!("files/fortran/gmon.f90")),
    ("gmon_fortran.c", include_bytes!("files/fortran/gmon_fortran.c")),
];
const PKG_CONFIG: &str = include_str!("files/gmon.pc.in");
const CMAKE: &str = include_str!("files/gmonConfig.cmake.in");
const CMAKE_VERSION: &str = include_str!("files/gmonConfigVersion.cmake.in");
const PLAIN_START: &[u8] = include_bytes!("files/start/plain.ld");
const NEWLIB: &[u8] = include_bytes!("files/start/newlib.ld");
const NEWLIB_SPECS: &[u8] = include_bytes!("files/start/newlib-specs.ld");
const STATIC_PIE_START: &[u8] = include_bytes!("files/start/static-pie.ld");

/// `libgmon.so` in the folder of libraries.
const SHARED: &str = "gmon/libgmon.so";

/// Places of the carried files for a port.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    port: &'static Port,
    /// The folder that everything lies in.
    prefix: PathBuf,
    /// The folder of libraries below it, such as `lib`.
    libdir: PathBuf,
}

/// A carried file.
pub(crate) struct CarriedFile {
    /// Its path below the prefix.
    pub(crate) path: PathBuf,
    /// Contents.
    pub(crate) content: Content,
    /// True if its permissions allow to execute it.
    pub(crate) is_executable: bool,
}

impl Layout {
    /// The layout below `prefix`, with libraries in its folder `libdir`.
    pub(crate) fn new(port: &'static Port, prefix: PathBuf, libdir: PathBuf) -> Self {
        Self { port, prefix, libdir }
    }

    /// The folder that everything lies in.
    pub(crate) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// `libgmon.a`, to be linked into a program.
    pub(crate) fn archive(&self) -> PathBuf {
        self.library("libgmon.a")
    }

    /// `libgmon.so`, to be preloaded. Not beside the archive: `-lgmon` is to mean that, because the
    /// runtime belongs into the program.
    ///
    /// # Errors
    ///
    /// Programs for this port have no loader.
    pub(crate) fn shared(&self) -> Result<PathBuf> {
        if self.port.shared.is_none() {
            bail!("{}: nothing can be preloaded on bare metal; link libgmon.a", self.port.target);
        }
        Ok(self.library(SHARED))
    }

    /// Name that has compilers link our `dlclose` into a program that does not call it: its libraries may, and then
    /// samples must not read the unwind rules of a library that is gone.
    pub(crate) fn unloading(&self) -> Option<&'static str> {
        self.port.shared.is_some().then_some("-Wl,-u,dlclose")
    }

    /// The folder of `gmon.h`.
    pub(crate) fn headers(&self) -> PathBuf {
        self.prefix.join("include")
    }

    /// A folder with the start file that `-pg` asks compilers for, where the C library has none:
    /// see `files/start`.
    pub(crate) fn start_files(&self) -> PathBuf {
        self.library("gmon/start")
    }

    /// A folder with that start file for static position-independent programs.
    pub(crate) fn static_pie_start_files(&self) -> PathBuf {
        self.library("gmon/start-static-pie")
    }

    /// A folder with the C library for profiled programs that gcc asks for with `-pg` on bare metal; `None` where
    /// programs have a system. `has_specs` if the program names its library by `--specs`.
    pub(crate) fn profiled_library(&self, has_specs: bool) -> Option<PathBuf> {
        let folder = if has_specs { "gmon/newlib-specs" } else { "gmon/newlib" };
        self.port.shared.is_none().then(|| self.library(folder))
    }

    /// Lets a compiler find `gmon.h` where nothing else of the name is found first.
    pub(crate) fn offer_headers(&self, compiler: &mut Command) {
        let mut folders = env::var_os("CPATH").unwrap_or_default();
        if !folders.is_empty() {
            folders.push(":");
        }
        folders.push(self.headers());
        compiler.env("CPATH", folders);
    }

    /// All files.
    pub(crate) fn files(&self) -> Vec<CarriedFile> {
        let file = |path: PathBuf, content| CarriedFile { path, content, is_executable: false };
        let below = |path: &str, content| file(self.libdir.join(path), content);
        let fixed = |path: &str, content| below(path, Content::Plain(Cow::Borrowed(content)));
        let filled = |path: &str, text| below(path, Content::Plain(Cow::Owned(self.fill_in(text))));
        let packed = |path: &str, library| below(path, Content::Packed(library));
        let shared = self.port.shared.as_ref().map(|shared| packed(SHARED, shared));
        let shared = shared.map(|file| CarriedFile { is_executable: true, ..file });
        let header = |(name, content): (&str, &'static [u8])| {
            file(Path::new("include").join(name), Content::Plain(Cow::Borrowed(content)))
        };
        let files = [
            header(("gmon.h", given().header)),
            packed("libgmon.a", &self.port.archive),
            filled("pkgconfig/gmon.pc", PKG_CONFIG),
            filled("cmake/gmon/gmonConfig.cmake", CMAKE),
            filled("cmake/gmon/gmonConfigVersion.cmake", CMAKE_VERSION),
            fixed("gmon/start/gcrt1.o", PLAIN_START),
            fixed("gmon/start-static-pie/gcrt1.o", STATIC_PIE_START),
            fixed("gmon/start-static-pie/grcrt1.o", STATIC_PIE_START),
        ];
        let newlib = [
            fixed("gmon/newlib/libc_p.a", NEWLIB),
            fixed("gmon/newlib-specs/libc_p.a", NEWLIB_SPECS),
        ];
        let is_bare = shared.is_none();
        let fortran = FORTRAN.map(header);
        let files = files.into_iter().chain(fortran.into_iter().filter(|_| !is_bare));
        files.chain(newlib.into_iter().filter(|_| is_bare)).chain(shared).collect()
    }

    fn library(&self, name: &str) -> PathBuf {
        self.prefix.join(&self.libdir).join(name)
    }

    /// The template with the values of its `@NAMES@` in their places.
    fn fill_in(&self, template: &str) -> Vec<u8> {
        let mut filled = Vec::new();
        for (number, part) in template.split('@').enumerate() {
            // Every second part is a name.
            match number % 2 {
                0 => filled.extend(part.as_bytes()),
                _ => filled.extend(self.value(part).as_bytes()),
            }
        }
        filled
    }

    fn value(&self, name: &str) -> OsString {
        match name {
            "PREFIX" => self.prefix.clone().into(),
            "LIBDIR" => Path::new("${prefix}").join(&self.libdir).into(),
            "UP" => "../".repeat(self.libdir.components().count()).into(),
            "START" if lacks_start_file() => "\"-B${libdir}/gmon/start\" ".into(),
            "START" => OsString::new(),
            "VERSION" => env!("CARGO_PKG_VERSION").into(),
            "URL" => env!("CARGO_PKG_REPOSITORY").into(),
            "WORD" => self.port.word().to_string().into(),
            _ => unreachable!("no template asks for a value named {name}"),
        }
    }
}

/// Returns `true` if this is a system of musl, which has no `gcrt1.o`, and not one of glibc on which
/// a command built for musl runs: with `-pg` a link asks for that file. See `files/start`.
fn lacks_start_file() -> bool {
    let multiarch = format!("/usr/lib/{}-linux-gnu", env::consts::ARCH);
    let folders = ["/usr/lib", "/usr/lib64", &multiarch];
    let is_there = |folder: &&str| Path::new(folder).join("gcrt1.o").exists();
    cfg!(target_env = "musl") && !folders.iter().any(is_there)
}
