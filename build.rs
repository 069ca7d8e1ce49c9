//! Builds the two libraries that the `gmon` command carries inside itself, `libgmon.a` and
//! `libgmon.so`, from the `gmon-archive` crate with the cargo and rustc that build the command.
//!
//! ```text
//! gmon-archive ─cargo→ static library ─ld -r→ one object ─objcopy→ one object, only ┬ar→ libgmon.a
//! (no_std, LTO)                        (needed members)            exports global   └cc→ libgmon.so
//! asm/ARCHITECTURE.MEMBER.S ─cc→ objects of their own ──────────────────────────────┘
//! ```
//!
//! One object, so that a static link takes all of the runtime from us and none of it from libc; only
//! the documented names global, so that the archive can stand next to any other Rust library.
//!
//! Nothing here uses the network or writes outside `OUT_DIR`: it works from a checkout, from cargo's
//! read-only registry folder and from vendored sources. The sources it needs are on the disk in each
//! of them because `gmon-archive` is a build-dependency of the command.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use gmon_archive::{EXPORTS, HEADER, MANIFEST_DIR};

/// What to do if there is no C compiler.
const C_COMPILER: &str = "install a C compiler (Debian: apt-get install gcc libc6-dev)";

/// One line for the user: what went wrong and what to do.
type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<()> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let tools = Tools::find(&out);

    watch_sources();
    let compiled = compile_runtime(&out)?;
    let mut objects = vec![join_members(&tools, &compiled, &out)?];
    objects.extend(assemble_members(&out)?);
    let archive = make_archive(&objects, &out)?;
    let shared = link_shared(&tools, &objects, &out)?;

    let header = out.join("gmon.h");
    fs::write(&header, HEADER).map_err(|error| failure(&header, &error))?;

    let mut hasher = DefaultHasher::new();
    for library in [archive, shared] {
        hasher.write(&fs::read(&library).map_err(|error| failure(&library, &error))?);
    }
    println!("cargo::rustc-env=GMON_LIBRARIES_HASH={:016x}", hasher.finish());
    Ok(())
}

/// The programs that make libraries out of what rustc compiles.
struct Tools {
    /// The C compiler driver, which knows how to call the linker.
    cc: PathBuf,
    objcopy: PathBuf,
}

impl Tools {
    /// `CC` and `OBJCOPY` (also with the target in their name, as the `cc` crate reads them) win
    /// over the usual names.
    fn find(out: &Path) -> Self {
        let target = env::var("TARGET").unwrap_or_default();
        let cc = cc::Build::new().out_dir(out).get_compiler();
        let objcopy = ["OBJCOPY_".to_owned() + &target.replace('-', "_"), "OBJCOPY".to_owned()]
            .into_iter()
            .inspect(|name| println!("cargo::rerun-if-env-changed={name}"))
            .find_map(env::var_os)
            .unwrap_or_else(|| "objcopy".into());
        Self { cc: cc.path().to_owned(), objcopy: objcopy.into() }
    }
}

/// Compiles `gmon-archive` for the machine that the command will run on, and returns the static
/// library.
///
/// It is compiled as the dependency of a tiny package of its own in `out`, because cargo wants to
/// write a lock file next to the manifest it builds. The environment and the configuration that
/// shape the user's build (flags, profiles, lints, wrappers) must not shape the runtime.
fn compile_runtime(out: &Path) -> Result<PathBuf> {
    let package = out.join("package");
    write_package(&package)?;

    let target = variable("TARGET")?;
    let mut cargo = Command::new(variable("CARGO")?);
    cargo.args(["build", "--release", "--offline", "--target", &target]);
    cargo.arg("--manifest-path").arg(package.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(out.join("target"));
    for setting in [
        "panic='abort'",
        "lto='fat'",
        "codegen-units=1",
        "opt-level=3",
        "debug=false",
        "strip=false",
        "overflow-checks=false",
        "debug-assertions=false",
        "incremental=false",
    ] {
        cargo.args(["--config", &format!("profile.release.{setting}")]);
    }

    for (name, _) in env::vars_os() {
        let Some(name) = name.to_str() else { continue };
        let location = ["CARGO_HOME", "CARGO_MAKEFLAGS"].contains(&name)
            || ["CARGO_NET_", "CARGO_SOURCE_", "CARGO_REGISTR"].iter().any(|p| name.starts_with(p));
        let shapes_code = name.starts_with("CARGO_") || name.ends_with("RUSTFLAGS");
        let wraps_rustc = name.starts_with("RUSTC_") && name.ends_with("WRAPPER");
        if (shapes_code && !location) || wraps_rustc {
            cargo.env_remove(name);
        }
    }
    // Set, even if it held nothing, this keeps flags of the user's configuration files out.
    let sources = Path::new(MANIFEST_DIR).ancestors().nth(2).unwrap_or(Path::new("/"));
    cargo.env(
        "CARGO_ENCODED_RUSTFLAGS",
        format!("-Crelocation-model=pic\x1f--remap-path-prefix={}=gmon", sources.display()),
    );
    run(&mut cargo, "reinstall the Rust toolchain")?;
    Ok(out.join("target").join(target).join("release/libgmon_carried.a"))
}

/// Writes the package that depends on `gmon-archive` and is nothing else.
fn write_package(package: &Path) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let sources = Path::new(MANIFEST_DIR);
    let mut manifest = format!(
        "[package]\nname = \"gmon-carried\"\nversion = \"{version}\"\nedition = \"2024\"\n\
         [lib]\ncrate-type = [\"staticlib\"]\n\
         [workspace]\n\
         [dependencies]\ngmon-archive = {{ path = {sources:?} }}\n\
         [patch.crates-io]\n",
    );
    // In a checkout the crates know each other's folders. Unpacked from a registry or vendored
    // they are neighbours, and named so here no index is asked for them.
    for name in ["gmon-runtime", "gmon-format"] {
        let neighbour = [format!("{name}-{version}"), name.to_owned()]
            .into_iter()
            .map(|folder| sources.with_file_name(folder))
            .find(|folder| folder.join("Cargo.toml").is_file());
        if let Some(folder) = neighbour {
            manifest += &format!("{name} = {{ path = {folder:?} }}\n");
        }
    }

    let write = |file: PathBuf, text: &[u8]| {
        fs::create_dir_all(file.parent().unwrap_or(package))
            .and_then(|()| fs::write(&file, text))
            .map_err(|error| failure(&file, &error))
    };
    write(package.join("Cargo.toml"), manifest.as_bytes())?;
    write(package.join("src/lib.rs"), b"#![no_std]\nuse gmon_archive as _;\n")?;
    // The versions that the command itself was resolved to; cargo drops what is not needed.
    let lock = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("Cargo.lock");
    match fs::read(&lock) {
        Ok(text) => write(package.join("Cargo.lock"), &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failure(&lock, &error)),
    }
}

/// Joins the members that the exported names need into one object, in which only these are global.
fn join_members(tools: &Tools, compiled: &Path, out: &Path) -> Result<PathBuf> {
    // All code in one piece with known ends, so that the runtime knows its own time.
    let script = out.join("pieces.ld");
    let text = "__gmon_text_start = .; *(.text .text.*) __gmon_text_end = .;";
    fs::write(&script, format!("SECTIONS {{ .text : {{ {text} }} }}\n"))
        .map_err(|error| failure(&script, &error))?;

    let joined = out.join("joined.o");
    let mut link = Command::new(&tools.cc);
    link.args(["-r", "-nostdlib", "-o"]).arg(&joined).arg("-T").arg(&script);
    let own = || exports().filter(|(member, _)| member.is_none()).map(|(_, name)| name);
    link.args(own().map(|name| format!("-Wl,--require-defined={name}")));
    link.arg(compiled);
    run(&mut link, C_COMPILER)?;

    let names = out.join("exports");
    fs::write(&names, own().fold(String::new(), |text, name| text + name + "\n"))
        .map_err(|error| failure(&names, &error))?;
    let object = out.join("gmon.o");
    let mut objcopy = Command::new(&tools.objcopy);
    objcopy.arg("--keep-global-symbols").arg(&names).arg(&joined).arg(&object);
    run(&mut objcopy, "install binutils (Debian: apt-get install binutils) or set OBJCOPY")?;
    Ok(object)
}

/// Assembles the members that a program has only if it refers to them.
fn assemble_members(out: &Path) -> Result<Vec<PathBuf>> {
    let architecture = variable("CARGO_CFG_TARGET_ARCH")?;
    let members: BTreeSet<&str> = exports().filter_map(|(member, _)| member).collect();
    let source = |member: &str| {
        Path::new(MANIFEST_DIR).join("asm").join(format!("{architecture}.{member}.S"))
    };
    cc::Build::new()
        .cargo_metadata(false)
        .debug(false)
        .out_dir(out)
        .files(members.into_iter().map(source))
        .try_compile_intermediates()
        .map_err(|error| format!("cannot assemble the members of libgmon.a: {error}"))
}

/// `libgmon.a`: the runtime in one object, and the members.
fn make_archive(objects: &[PathBuf], out: &Path) -> Result<PathBuf> {
    let archive = out.join("libgmon.a");
    cc::Build::new()
        .cargo_metadata(false)
        .out_dir(out)
        .objects(objects)
        .try_compile("gmon")
        .map_err(|error| format!("cannot make {}: {error}", archive.display()))?;
    Ok(archive)
}

/// `libgmon.so`: for preloading. It is never unloaded, and its relocations are done at the start (a
/// hook must not enter the dynamic linker). No start files: nothing in them is needed, and those of
/// many systems lack the note that shadow stacks and branch tracking want.
fn link_shared(tools: &Tools, objects: &[PathBuf], out: &Path) -> Result<PathBuf> {
    let script = out.join("exports.version");
    let global = exports().fold(String::new(), |text, (_, name)| text + name + "; ");
    fs::write(&script, format!("{{ global: {global}local: *; }};\n"))
        .map_err(|error| failure(&script, &error))?;

    let shared = out.join("libgmon.so");
    let mut link = shared_link(tools, "libgmon.so", &shared);
    link.args(
        ["now", "relro", "noexecstack", "nodelete", "text"].map(|word| "-Wl,-z,".to_owned() + word),
    );
    let mut version_script = OsString::from("-Wl,--version-script=");
    version_script.push(&script);
    link.arg(version_script).args(objects);
    link.arg("-Wl,--no-as-needed").arg(stand_in_for_libc(tools, out)?);
    run(&mut link, C_COMPILER)?;
    Ok(shared)
}

/// An empty library by the name of the C library: `libgmon.so` asks for that name, so that the C
/// library is initialized first, but for no versions of its symbols. So one `libgmon.so` serves
/// every glibc and musl, whose dynamic linker answers to the name as well.
fn stand_in_for_libc(tools: &Tools, out: &Path) -> Result<PathBuf> {
    let library = out.join("stand-in-for-libc.so");
    run(shared_link(tools, "libc.so.6", &library).args(["-x", "c", "/dev/null"]), C_COMPILER)?;
    Ok(library)
}

/// The call that links the shared library of a name, and nothing that it was not given.
fn shared_link(tools: &Tools, name: &str, library: &Path) -> Command {
    let mut link = Command::new(&tools.cc);
    link.args(["-shared", "-nostdlib", "-fPIC", "-Wl,-Bsymbolic"]).arg("-o").arg(library);
    link.arg(format!("-Wl,-soname,{name}"));
    link
}

/// The names that the libraries define, each with the member that defines it if that is not the
/// runtime itself.
fn exports() -> impl Iterator<Item = (Option<&'static str>, &'static str)> {
    let lines = EXPORTS.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| match line.split_once(": ") {
        Some((member, name)) => (Some(member), name),
        None => (None, line),
    })
}

/// Tells cargo what the libraries are made of.
fn watch_sources() {
    println!("cargo::rerun-if-changed=build.rs");
    let archive = Path::new(MANIFEST_DIR);
    println!("cargo::rerun-if-changed={}", archive.display());
    // In a checkout only: in a registry a changed source is another version.
    let runtime = archive.with_file_name("");
    for folder in ["src", "asm", "Cargo.toml", "../format/src", "../format/Cargo.toml"] {
        if let Ok(path) = runtime.join(folder).canonicalize() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}

/// Runs a tool to its end; its own messages are shown only if it does not succeed.
fn run(command: &mut Command, remedy: &str) -> Result<()> {
    let program = Path::new(command.get_program()).display().to_string();
    let output =
        command.output().map_err(|error| format!("cannot run {program}: {error}; {remedy}"))?;
    if output.status.success() {
        return Ok(());
    }
    eprintln!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    Err(format!("{program} did not build the profiling runtime ({}); see above", output.status))
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|error| format!("{name}: {error}; build.rs is to be run by cargo"))
}

fn failure(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
