//! `gmon install`: puts the libraries and the header where builds of a system look for them, with
//! what pkg-config, CMake and Meson need to find them.

use std::env;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};
use tempfile::NamedTempFile;

use crate::carried::{self, CarriedFile, Content, Layout};
use crate::command_line::{flag, option, path_option};
use crate::manual::{self, Shipped};
use crate::temporary;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("install")
        .display_name("gmon install")
        .about("Installs libraries for build systems, and the manual")
        .args([
            path_option("prefix", "DIR", "The folder to install below").default_value("/usr/local"),
            option("libdir", "DIR", "The folder for libraries, below the prefix")
                .value_parser(below_the_prefix)
                .default_value("lib"),
            carried::target_argument(),
            flag("uninstall", "Remove what gmon install with the same options has installed"),
        ])
        .after_help(
            "Installs libgmon.a, libgmon.so, gmon.h and the files by which pkg-config, Meson and\n\
             CMake find `gmon`, the pages of the manual, and completions for bash, zsh and fish. It\n\
             replaces older files, and prints the paths of all.\n\
             --uninstall removes them again.\n\
             If DESTDIR is set, it precedes every path, as packagers need it.",
        )
}

/// Accepts a folder that does not lead out of the prefix.
fn below_the_prefix(text: &str) -> Result<PathBuf, String> {
    let path: PathBuf = Path::new(text).components().filter(|c| *c != Component::CurDir).collect();
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    if is_below && path != Path::new("") {
        return Ok(path);
    }
    Err("name a folder by its path below the prefix".into())
}

/// Installs everything, or removes it, and prints what.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let port = carried::port_asked_for(arguments)?;
    let folder = |name| arguments.get_one::<PathBuf>(name).expect("clap has a default").clone();
    let prefix = std::path::absolute(folder("prefix"))
        .context("there is no current folder; name the prefix by its path from /")?;
    let root = staged(&prefix, env::var_os("DESTDIR").map(PathBuf::from).unwrap_or_default())?;
    let is_removed = arguments.get_flag("uninstall");
    let mut changed = Vec::new();
    let files = Layout::new(port, prefix, folder("libdir")).files();
    for file in files.into_iter().chain(beside_the_command()) {
        let path = root.join(&file.path);
        let verb = if is_removed { "remove" } else { "install" };
        let cannot = || format!("cannot {verb} {} (--prefix names another folder)", path.display());
        let is_changed = match is_removed {
            true => remove(&path, &root).with_context(cannot)?,
            false => install(&path, &file).map(|()| true).with_context(cannot)?,
        };
        changed.extend(is_changed.then_some(path));
    }
    let mut out = io::stdout().lock();
    for path in changed {
        writeln!(out, "{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Pages of the manual and completions.
fn beside_the_command() -> impl Iterator<Item = CarriedFile> {
    manual::files().into_iter().map(|Shipped { path, content }| CarriedFile {
        path: Path::new("share").join(path),
        content: Content::Plain(content.into()),
        is_executable: false,
    })
}

/// Place of files of `prefix` when everything is collected below `root` first.
fn staged(prefix: &Path, root: PathBuf) -> Result<PathBuf> {
    if root.as_os_str().is_empty() {
        return Ok(prefix.to_owned());
    }
    let below = prefix.strip_prefix("/").expect("an absolute path");
    Ok(std::path::absolute(root).context("DESTDIR")?.join(below))
}

/// Writes a file whole, or leaves what was there.
fn install(path: &Path, file: &CarriedFile) -> Result<()> {
    let folder = path.parent().expect("a path below the prefix");
    fs::create_dir_all(folder)?;
    let mut new = NamedTempFile::new_in(folder).map_err(temporary::without_its_name)?;
    new.write_all(&file.content.bytes()?)?;
    let mode = if file.is_executable { 0o755 } else { 0o644 };
    new.as_file().set_permissions(Permissions::from_mode(mode))?;
    new.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes a file that was installed below `root`, and our own folders that are empty by then; false if there was
/// none.
fn remove(path: &Path, root: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        result => result?,
    }
    let is_ours = |folder: &&Path| {
        let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
        below.components().any(|part| part.as_os_str() == "gmon")
    };
    for folder in path.ancestors().skip(1).take_while(is_ours) {
        // There may be others in it.
        _ = fs::remove_dir(folder);
    }
    Ok(true)
}
