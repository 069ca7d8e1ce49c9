//! Modules whose functions have no names, and ways to get these.

use std::cmp::Reverse;
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use gmon_analyzer::Model;
use gmon_analyzer::model::{Function, Kind, Module};
use gmon_analyzer::records::JIT;

use crate::packages;
use crate::say;
use crate::text::{counted, harmless};

/// Modules with samples in functions without names, and these samples; most first.
fn nameless(model: &Model) -> Vec<(&Module, u64)> {
    let mut samples = vec![0_u64; model.modules.len()];
    for function in model.functions.iter().filter(|function| model.is_nameless(function)) {
        if let Some(module) = function.module {
            samples[module.index()] += function.samples;
        }
    }
    let found = model.modules.iter().zip(samples).filter(|(_, samples)| *samples > 0);
    let mut found: Vec<_> = found.collect();
    found.sort_by_cached_key(|(_, samples)| Reverse(*samples));
    found
}

/// Percent of the program's own time that are worth a line.
const MUCH: f64 = 5.0;

/// Advice to whoever lacks names of much of the time.
pub(super) fn hints(model: &Model) -> impl Iterator<Item = String> {
    [hint(model), hint_of_made(model)].into_iter().flatten()
}

/// Advice if much of the time is in code that no file has and that nobody told of.
fn hint_of_made(model: &Model) -> Option<String> {
    let is_made = |it: &&Function| match it.module {
        Some(module) => it.name.as_bytes() == JIT && model.modules[module.index()].path == it.name,
        None => it.kind == Kind::NoSymbol,
    };
    let samples: u64 = model.functions.iter().filter(is_made).map(|it| it.samples).sum();
    let share = 100.0 * samples as f64 / model.sampling.own().max(1) as f64;
    let option = match model.program_name() {
        "node" => "node --perf-basic-prof --interpreted-frames-native-stack",
        "java" => {
            "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:+PreserveFramePointer"
        }
        "dotnet" => "DOTNET_PerfMapEnabled=1",
        "luajit" => "luajit -l perfmap, of gmon's examples/jit",
        name if name.starts_with("pypy3") => "import perfmap, of gmon's examples/jit",
        _ => "a compiler at run time can tell its names by a perf map",
    };
    (share >= MUCH).then(|| format!("code that no file has ({share:.0} %): {option}"))
}

/// Modules that have much of the time in functions without names, and what to do.
fn hint(model: &Model) -> Option<String> {
    const MOST: usize = 3;
    let all = model.sampling.own().max(1) as f64;
    let mut list: Vec<_> = nameless(model)
        .into_iter()
        .map(|(module, samples)| (module, 100.0 * samples as f64 / all))
        .filter(|(_, share)| *share >= MUCH)
        .collect();
    list.truncate(MOST);
    if list.is_empty() {
        return None;
    }
    let modules = list.iter().map(|(it, share)| format!("{} ({share:.0} %)", harmless(it.name())));
    let modules = modules.collect::<Vec<_>>().join(", ");
    let mut packages: Vec<String> = Vec::new();
    for (module, _) in &list {
        let package = packages::with_names_of(Path::new(&module.path));
        packages.extend(package.filter(|package| !packages.contains(package)));
    }
    let remedy = match packages.join(", ") {
        none if none.is_empty() => "link without -s".to_owned(),
        some => format!("install {}", harmless(&some)),
    };
    Some(format!(
        "functions without names in {modules}: {remedy}, or let gmon report --debuginfod ask a server"
    ))
}

/// Lets debuginfod's client fetch the debug files of all modules with nameless samples, for whoever reads the profile next.
///
/// # Errors
///
/// There is no client, or it knows no server.
pub(super) fn fetch(model: &Model) -> Result<()> {
    const TOOL: &str = "debuginfod-find";
    if env::var_os("DEBUGINFOD_URLS").is_none_or(|urls| urls.is_empty()) {
        bail!(
            "--debuginfod needs the address of a server in DEBUGINFOD_URLS, such as https://debuginfod.debian.net"
        );
    }
    let ids = nameless(model).into_iter().filter_map(|(module, _)| module.build_id.as_deref());
    // Others have a hash of their code, which no server knows.
    let ids: Vec<&str> = ids.filter(|id| !id.contains(':')).collect();
    let mut fetched = 0;
    for id in &ids {
        let mut command = Command::new(TOOL);
        command.args(["debuginfo", id]).stdin(Stdio::null()).stdout(Stdio::null());
        match command.stderr(Stdio::null()).status() {
            Ok(status) => fetched += u64::from(status.success()),
            Err(error) => {
                bail!("--debuginfod cannot run {TOOL}: {error}; install the package debuginfod")
            }
        }
    }
    if fetched < ids.len() as u64 {
        let missing = counted(ids.len() as u64 - fetched, "module");
        say(&anyhow::anyhow!("warning: no server has the names of {missing}"));
    }
    Ok(())
}
