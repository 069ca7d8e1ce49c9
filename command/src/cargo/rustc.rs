//! Asks the compiler what it is and what it can do.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use cargo_platform::Cfg;

use super::config::Config;
use super::handover::{self, Handover};
use super::instrumentation::Instrumentation;
use crate::temporary;

/// A function that must get a hook.
const PROBE: &str = "#![no_std]\n#[unsafe(no_mangle)]\npub extern \"C\" fn probe() {}\n";

/// The compiler that cargo will use.
pub(super) struct Rustc {
    program: OsString,
    version: String,
    host: String,
}

/// Target of the compilation, by rustc's name.
pub(super) type Target = str;

impl Rustc {
    /// Finds it as cargo does.
    ///
    /// # Errors
    ///
    /// Cargo cannot be run.
    pub(super) fn find(config: &Config) -> Result<Self> {
        let program = env::var_os("RUSTC").or_else(|| config.rustc());
        let program = program.unwrap_or_else(|| "rustc".into());
        let output = Command::new(&program).arg("-vV").output().context(
            "cannot run rustc; install Rust (https://rustup.rs), or name the compiler in RUSTC",
        )?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        match (text.lines().next(), host) {
            (Some(version), Some(host)) => {
                Ok(Self { program, version: version.to_owned(), host: host.to_owned() })
            }
            _ => bail!(
                "{} does not tell its version ({}); name another compiler in RUSTC",
                program.to_string_lossy(),
                first_line(&output.stderr)
            ),
        }
    }

    /// Such as `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// The target that it compiles for by itself.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Facts that hold for a target, such as `unix`.
    pub(super) fn cfg(&self, target: &Target) -> Vec<Cfg> {
        let mut command = Command::new(&self.program);
        let output = command.args(["--print", "cfg", "--target", target]).output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Checks whether the compiler takes a sample profile by the flags for one; if not, why.
    ///
    /// # Errors
    ///
    /// The compiler cannot be tried.
    pub(super) fn takes_profile(
        &self,
        flags: impl Fn(&OsString) -> Vec<OsString>,
        target: &Target,
    ) -> Result<Result<(), String>> {
        const PROFILE: &str = "probe.prof";
        let folder = temporary::folder()?;
        let file = |name: &str, text: &str| -> Result<PathBuf> {
            let path = folder.path().join(name);
            fs::write(&path, text).with_context(|| path.display().to_string())?;
            Ok(path)
        };
        let source = file("probe.rs", PROBE)?;
        // Options of LLVM have no spaces, which the path of the folder may have.
        file(PROFILE, "probe:1:1\n 0: 1\n")?;
        let profile = OsString::from(PROFILE);
        let code = folder.path().join("probe.ll");
        let mut command = Command::new(&self.program);
        command.args(["--crate-type=lib", "--emit=llvm-ir", "--edition=2024", "-O"]);
        command.args(["-Ccodegen-units=1", "--target", target]).args(flags(&profile));
        command.arg("-o").arg(&code).arg(&source).stdin(Stdio::null()).current_dir(&folder);
        let output = command.output().context("cannot run rustc")?;
        if !output.status.success() {
            return Ok(Err(first_line(&output.stderr)));
        }
        let text = fs::read(&code).unwrap_or_default();
        let mark = b"\"SampleProfile\"";
        let has_effect = text.windows(mark.len()).any(|window| window == mark);
        Ok(has_effect.then_some(()).ok_or_else(|| "it has no effect".to_owned()))
    }

    /// Checks whether an instrumentation gives hooks; if not, why.
    ///
    /// # Errors
    ///
    /// Nothing at all can be compiled.
    pub(super) fn probe(
        &self,
        instrumentation: Instrumentation,
        target: &Target,
    ) -> Result<Result<(), String>> {
        let folder = temporary::folder()?;
        let object = folder.path().join("probe.o");
        let source = folder.path().join("probe.rs");
        fs::write(&source, PROBE).with_context(|| format!("{}", source.display()))?;
        let attributes = instrumentation.attributes(target);
        let list = Handover::of(&BTreeSet::from(["probe".to_owned()]), attributes)?;
        let compile = |flags: &[&str]| -> Result<Option<String>> {
            let mut command = Command::new(&self.program);
            command.args(["--crate-type=lib", "--emit=obj", "--edition=2024", "-O"]);
            command.args(["--target", target]).args(flags);
            command.arg("-o").arg(&object).arg(&source).stdin(list.standard_input()?);
            let output = command.output()?;
            Ok((!output.status.success()).then(|| first_line(&output.stderr)))
        };
        let mut flags = instrumentation.flags(target);
        let is_by_list = instrumentation.has_list();
        flags.extend(is_by_list.then_some(handover::WRITE_FUNCTIONS).into_iter().flatten());
        if let Some(reason) = compile(&flags)? {
            if let Some(reason) = compile(&[])? {
                return Err(anyhow!(
                    "{} cannot compile for {target} ({reason}); try `rustup target add {target}`",
                    self.version
                ));
            }
            return Ok(Err(reason));
        }
        if is_by_list && !list.written().is_ok_and(|functions| functions.contains("probe")) {
            return Ok(Err("it does not list functions".to_owned()));
        }
        let data = fs::read(&object).with_context(|| format!("{}", object.display()))?;
        let file = object::File::parse(&*data).with_context(|| {
            format!("{} wrote no object file; name another compiler in RUSTC", self.version)
        })?;
        Ok(instrumentation.is_in(&file).then_some(()).ok_or_else(|| "it has no effect".to_owned()))
    }
}

/// The first line of what a compiler says.
fn first_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    line.trim_start_matches("error: ").trim().to_owned()
}
