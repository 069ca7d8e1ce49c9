//! Targets of the libraries, and the tools to build them with.

use std::env;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::environment::{run, setting, variable};
use crate::ports::Port;

/// A target of rustc.
pub(crate) struct Target {
    /// Its name, such as `aarch64-unknown-linux-gnu`.
    pub(crate) name: String,
    /// Its processor, by which the files in `asm/` are named.
    pub(crate) architecture: String,
    /// Its system: `linux`, or `none`.
    pub(crate) system: String,
    /// The compiler for it.
    pub(crate) rustc: PathBuf,
    /// The source of the standard library, where the compiler has only that for the target.
    pub(crate) core_source: Option<PathBuf>,
    /// Row of the table for it, or for the usual target of its processor and system.
    pub(crate) port: Port<'static>,
}

impl Target {
    /// The command's own, then those that `GMON_TARGETS` names.
    pub(crate) fn all(ports: &[Port<'static>]) -> Result<Vec<Self>> {
        let host = variable("TARGET")?;
        let rustc = PathBuf::from(variable("RUSTC")?);
        let architecture = variable("CARGO_CFG_TARGET_ARCH")?;
        let system = variable("CARGO_CFG_TARGET_OS")?;
        let port = port_of(ports, &host, &architecture, &system)?;
        let name = host.clone();
        let mut targets = vec![Self { name, architecture, system, rustc, core_source: None, port }];
        for name in setting("GMON_TARGETS").unwrap_or_default().split([' ', ',']) {
            let is_known = |target: &Self| target.name == name;
            if !name.is_empty() && !targets.iter().any(is_known) {
                targets.push(Self::other(name, ports)?);
            }
        }
        Ok(targets)
    }

    fn other(name: &str, ports: &[Port<'static>]) -> Result<Self> {
        let ask = |rustc: &Path, what: &str| {
            let mut command = Command::new(rustc);
            command.args(["--print", what, "--target", name]);
            let answer = run(&mut command, "correct GMON_TARGETS or GMON_RUSTC")?;
            Ok::<_, String>(answer.trim().to_owned())
        };
        let has_library = |rustc: &Path| Ok::<_, String>(is_folder(&ask(rustc, "target-libdir")?));
        let own = PathBuf::from(variable("RUSTC")?);
        // Where cargo's own has the library, it need not be compiled.
        let rustc = match setting("GMON_RUSTC") {
            Some(named) if has_library(&own) != Ok(true) => named.into(),
            _ => own,
        };
        let ask = |what: &str| ask(&rustc, what);
        let has_library = has_library(&rustc)?;
        let source = ask("sysroot")? + "/lib/rustlib/src/rust/library";
        if !has_library && !is_folder(&source) {
            return Err(format!(
                "{} has no library for {name}, which GMON_TARGETS names: `rustup target add {name}`, \
                 or `rustup component add rust-src`, or name a rustc that has one in GMON_RUSTC \
                 (Debian: apt-get install rustc-web rust-web-src, GMON_RUSTC=/usr/bin/rustc)",
                rustc.display()
            ));
        }
        let configuration = ask("cfg")?;
        let value = |key: &str| {
            let mut lines = configuration.lines();
            let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix("=\""));
            let value = value.and_then(|value| value.strip_suffix('"'));
            value.map(str::to_owned).ok_or_else(|| format!("rustc does not tell what {name} is"))
        };
        let (architecture, system) = (value("target_arch")?, value("target_os")?);
        let port = port_of(ports, name, &architecture, &system)?;
        Ok(Self {
            name: name.to_owned(),
            architecture: port.processor.to_owned(),
            port,
            system,
            rustc,
            core_source: (!has_library).then(|| source.into()),
        })
    }

    /// The C compiler driver, which knows how to call the linker. `CC` (also with the target in its
    /// name, as the `cc` crate reads it) wins over the usual name. The user's flags are not for us.
    pub(crate) fn cc(&self, out: &Path) -> Command {
        let compiler = self.c_build(out).get_compiler();
        let mut command = Command::new(compiler.path());
        // Among the arguments that come with it is what makes it the target's: `-m32`.
        let is_machine = |argument: &&OsString| argument.as_bytes().starts_with(b"-m");
        command.args(compiler.args().iter().filter(is_machine));
        command
    }

    /// Compiles and archives objects.
    pub(crate) fn c_build(&self, out: &Path) -> cc::Build {
        let mut build = cc::Build::new();
        build.target(&self.name).cargo_metadata(false).debug(false).warnings(false).out_dir(out);
        // With options, another target's compiler makes its programs.
        if let [compiler, first, rest @ ..] = &self.port.gcc[..] {
            if setting(&self.variable("CC")).is_none() {
                build.compiler(compiler);
            }
            for option in [first].into_iter().chain(rest) {
                build.flag(option);
            }
        }
        if self.is_bare() {
            // Nothing of a system is taken from a compiler, so one for Linux does as well.
            // Those for 64-bit RISC-V make code of 32 bits, too.
            let machine = self.architecture.replace("riscv32", "riscv64");
            let others = ["linux-gnu", "unknown-elf"].map(|it| format!("{machine}-{it}-gcc"));
            let usual = build.clone().cargo_warnings(false).get_compiler();
            let other = others.iter().find(|other| !runs(usual.path()) && runs(Path::new(other)));
            if let Some(other) = other {
                build.compiler(other);
            }
        }
        build
    }

    /// The variable that names the target's tool of a kind.
    fn variable(&self, kind: &str) -> String {
        format!("{kind}_{}", self.name.replace('-', "_"))
    }

    /// Returns `true` if programs have no system below them.
    pub(crate) fn is_bare(&self) -> bool {
        self.system == "none"
    }

    /// `objcopy` for the target. `OBJCOPY`, also with the target in its name, wins over the name that
    /// goes with the compiler's.
    pub(crate) fn objcopy(&self, out: &Path) -> PathBuf {
        let is_host = env::var("TARGET").is_ok_and(|host| host == self.name);
        let named = setting(&self.variable("OBJCOPY"));
        if let Some(objcopy) = named.or_else(|| setting("OBJCOPY").filter(|_| is_host)) {
            return objcopy.into();
        }
        let cc = self.cc(out);
        let cc = Path::new(cc.get_program());
        let name = cc.file_name().unwrap_or_default().to_string_lossy();
        match name.strip_suffix("gcc").filter(|prefix| !is_host && prefix.ends_with('-')) {
            Some(prefix) => cc.with_file_name(format!("{prefix}objcopy")),
            None => "objcopy".into(),
        }
    }
}

/// Row of the table for a target.
fn port_of(
    ports: &[Port<'static>],
    target: &str,
    processor: &str,
    system: &str,
) -> Result<Port<'static>> {
    let is_alike = |port: &&Port<'_>| port.processor == processor && port.system == system;
    let same = ports.iter().find(|port| port.target == target);
    same.or_else(|| ports.iter().find(is_alike)).cloned().ok_or_else(|| {
        format!(
            "there is no profiling runtime for {target}: see \"What works where\" in the README"
        )
    })
}

/// Returns `true` if a compiler is there.
fn runs(compiler: &Path) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn is_folder(path: &str) -> bool {
    Path::new(path).is_dir()
}
