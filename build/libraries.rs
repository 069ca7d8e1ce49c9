//! The libraries out of what rustc compiled.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmon_archive::MANIFEST_DIR;

use crate::environment::{failure, run};
use crate::target::Target;
use crate::{Result, exports};

/// Remedy where there is no C compiler.
const C_COMPILER: &str = "install a C compiler (Debian: apt-get install gcc libc6-dev; for another \
                          target gcc-aarch64-linux-gnu and the like)";

/// Remedy where there is no objcopy.
const BINUTILS: &str = "install binutils (Debian: apt-get install binutils) or set OBJCOPY";

/// The files that the command carries for a target.
pub(crate) struct Libraries {
    pub(crate) archive: PathBuf,
    /// The shared library, where programs have a loader.
    pub(crate) shared: Option<PathBuf>,
}

/// Makes the libraries in a folder.
pub(crate) fn make(compiled: &Path, target: &Target, out: &Path) -> Result<Libraries> {
    let mut objects = vec![join_members(compiled, target, out)?];
    objects.extend(assemble_members(target, out)?);
    let is_shared = |object: &&PathBuf| object.to_string_lossy().ends_with("-preloaded.o");
    let archived: Vec<_> = objects.iter().filter(|it| !is_shared(it)).cloned().collect();
    let archive = make_archive(&archived, target, out)?;
    let shared = if target.is_bare() { None } else { Some(link_shared(&objects, target, out)?) };
    Ok(Libraries { archive, shared })
}

/// Joins the members that the exported names need into one object, in which only these are global.
fn join_members(compiled: &Path, target: &Target, out: &Path) -> Result<PathBuf> {
    // All code in one piece with known ends, so that the runtime knows its own time; before it the functions in the
    // place of the C library's, whose time is the program's. What every program touches first of the zeroed data, so
    // that it shares a page with that of the program.
    let script = out.join("pieces.ld");
    let text = "__gmon_instead_start = .; *(.text.__gmon_instead .text.__gmon_instead_*) \
                __gmon_text_start = .; *(.text .text.*) __gmon_text_end = .;";
    let data = "*(.bss .bss._*) *(.bss.gmon_shared) *(.bss.*)";
    fs::write(&script, format!("SECTIONS {{ .text : {{ {text} }} .bss : {{ {data} }} }}\n"))
        .map_err(|error| failure(&script, &error))?;

    let joined = out.join("joined.o");
    let mut link = target.cc(out);
    link.args(["-r", "-nostdlib", "-o"]).arg(&joined).arg("-T").arg(&script);
    let all = || exports::of(target);
    let own = || all().filter(|export| export.member.is_none()).map(|export| export.name);
    link.args(own().map(|name| format!("-Wl,--require-defined={name}")));
    if target.architecture == "mips64" {
        // Where code finds the table of global offsets is written relative to this place, for names that are global now and
        // local then, too. Without it ld takes a place that only the names local now are written relative to.
        link.arg("-Wl,--defsym=_gp=0");
    }
    link.arg(compiled);
    run(&mut link, C_COMPILER)?;

    let names = out.join("exports");
    fs::write(&names, own().fold(String::new(), |text, name| text + name + "\n"))
        .map_err(|error| failure(&names, &error))?;
    let object = out.join("gmon.o");
    let mut objcopy = Command::new(target.objcopy(out));
    // rustc leaves bitcode beside machine code, for which linkers would take the object.
    objcopy.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
    // Nothing unwinds through the runtime, and ARM's tables for that ask for functions of others.
    objcopy.args(["--remove-section=.ARM.exidx*", "--remove-section=.ARM.extab*"]);
    for name in ["__aeabi_unwind_cpp_pr0", "__aeabi_unwind_cpp_pr1", "rust_eh_personality"] {
        objcopy.args(["--strip-symbol", name]);
    }
    if target.is_bare() {
        // See the end of asm/macros.S.
        objcopy.arg("--remove-section=.note.GNU-stack");
    }
    objcopy.arg("--keep-global-symbols").arg(&names).arg(&joined).arg(&object);
    run(&mut objcopy, BINUTILS)?;
    Ok(object)
}

/// Assembles the members that a program has only if it refers to them.
fn assemble_members(target: &Target, out: &Path) -> Result<Vec<PathBuf>> {
    let architecture = &target.architecture;
    let members: BTreeSet<&str> = exports::of(target).filter_map(|export| export.member).collect();
    let folder = Path::new(MANIFEST_DIR).join("asm");
    let source = |member: &str| folder.join(format!("members/{member}.S"));
    let mut build = target.c_build(out);
    build.flag(format!("-Wa,--defsym,WORD={}", target.port.bits / 8));
    if target.is_bare() {
        build.flag("-Wa,--defsym,GMON_BARE=1");
    }
    for macros in ["macros.S".to_owned(), format!("{architecture}/macros.S")] {
        build.flag("-include").flag(folder.join(macros));
    }
    build
        .files(members.into_iter().map(source))
        .try_compile_intermediates()
        .map_err(|error| format!("cannot assemble the members of libgmon.a: {error}"))
}

/// `libgmon.a`: the runtime in one object, and the members.
fn make_archive(objects: &[PathBuf], target: &Target, out: &Path) -> Result<PathBuf> {
    let archive = out.join("libgmon.a");
    target
        .c_build(out)
        .objects(objects)
        .try_compile("gmon")
        .map_err(|error| format!("cannot make {}: {error}", archive.display()))?;
    Ok(archive)
}

/// `libgmon.so`: for preloading. It is never unloaded, and its relocations are done at the start (a
/// hook must not enter the dynamic linker). No start files: nothing in them is needed, and those of
/// many systems lack the note that shadow stacks and branch tracking want.
fn link_shared(objects: &[PathBuf], target: &Target, out: &Path) -> Result<PathBuf> {
    let script = out.join("exports.version");
    let global = exports::of(target).fold(String::new(), |text, export| text + export.name + "; ");
    fs::write(&script, format!("{{ global: {global}local: *; }};\n"))
        .map_err(|error| failure(&script, &error))?;

    let shared = out.join("libgmon.so");
    let mut link = shared_link(target, "libgmon.so", &shared);
    link.args(
        ["now", "relro", "noexecstack", "nodelete", "text"].map(|word| "-Wl,-z,".to_owned() + word),
    );
    let mut version_script = OsString::from("-Wl,--version-script=");
    version_script.push(&script);
    link.arg(version_script).args(objects);
    link.arg("-Wl,--no-as-needed").arg(stand_in_for_libc(target, out)?);
    run(&mut link, C_COMPILER)?;
    Ok(shared)
}

/// An empty library by the name of the C library: `libgmon.so` asks for that name, so that the C
/// library is initialized first, but for no versions of its symbols. So one `libgmon.so` serves
/// every glibc and musl, whose dynamic linker answers to the name as well.
fn stand_in_for_libc(target: &Target, out: &Path) -> Result<PathBuf> {
    let library = out.join("stand-in-for-libc.so");
    let mut link = shared_link(target, "libc.so.6", &library);
    run(link.args(["-x", "c", "/dev/null"]), C_COMPILER)?;
    Ok(library)
}

/// The call that links the shared library of a name, and nothing that it was not given.
fn shared_link(target: &Target, name: &str, library: &Path) -> Command {
    let mut link = target.cc(library.parent().unwrap_or(library));
    link.args(["-shared", "-nostdlib", "-fPIC", "-Wl,-Bsymbolic"]).arg("-o").arg(library);
    link.arg(format!("-Wl,-soname,{name}"));
    link
}
