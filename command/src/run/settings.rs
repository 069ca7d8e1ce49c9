//! What `GMON_OPTIONS` says about files, as the runtime of a process understands it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use gmon_format::names::{self, Part, Pattern, RANKS};
use gmon_format::options::{self, Key};

/// The list of options that a program gets: that of the user, with more behind it.
pub(super) struct OptionList {
    list: OsString,
    is_changed: bool,
}

impl OptionList {
    /// The user's.
    pub(super) fn of_environment() -> Self {
        let list = env::var_os(options::VARIABLE).unwrap_or_default();
        Self { list, is_changed: false }
    }

    /// Returns `true` if an option is in it.
    pub(super) fn has(&self, key: Key) -> bool {
        options::pairs(self.list.as_bytes()).any(|pair| pair.key == Some(key))
    }

    /// Adds an option, which prevails over those before it.
    pub(super) fn push(&mut self, option: impl AsRef<OsStr>) {
        if !self.list.is_empty() {
            self.list.push(",");
        }
        self.list.push(option);
        self.is_changed = true;
    }

    /// The list, if it differs from the user's.
    pub(super) fn changed(self) -> Option<OsString> {
        self.is_changed.then_some(self.list)
    }
}

/// Returns `true` if the user says where data files go.
pub(super) fn names_files() -> bool {
    OptionList::of_environment().has(Key::Out) || env::var_os(names::PREFIX_VARIABLE).is_some()
}

/// A name that the user gave a file of a process.
pub(super) struct Named {
    /// The name.
    pub(super) path: PathBuf,
    /// True if no other process has it too.
    pub(super) names_process: bool,
}

/// The name that `GMON_OPTIONS` gives a file of a process.
pub(super) fn named(key: Key, executable: &Path, process_id: u32) -> Option<Named> {
    let list = env::var_os(options::VARIABLE)?;
    let pattern = Pattern(options::value(list.as_bytes(), key)?);
    Some(Named {
        path: expand(pattern, executable, process_id),
        names_process: pattern.names_process(),
    })
}

/// Returns `true` if `GMON_OPTIONS` switches profiling off.
pub(super) fn is_off() -> bool {
    let list = env::var_os(options::VARIABLE).unwrap_or_default();
    let last = options::pairs(list.as_bytes()).rev().find(|pair| pair.key == Some(Key::Off));
    last.is_some_and(|pair| options::is_on(pair.value))
}

/// A pattern that stands for just this path.
pub(super) fn pattern_of(path: &Path) -> OsString {
    let bytes = path.as_os_str().as_bytes();
    let doubled = bytes.iter().flat_map(|byte| match byte {
        b'%' => b"%%".iter(),
        _ => std::slice::from_ref(byte).iter(),
    });
    OsString::from_vec(doubled.copied().collect())
}

/// Joins the parts of a name that the runtime derives from another.
pub(super) fn joined<const N: usize>(parts: [&[u8]; N]) -> PathBuf {
    OsString::from_vec(parts.concat()).into()
}

/// The name that a pattern stands for in a process.
fn expand(pattern: Pattern<'_>, executable: &Path, process_id: u32) -> PathBuf {
    let process_id = process_id.to_string();
    let program = executable.file_name().unwrap_or_default();
    let variable = |name: &str| env::var_os(name).map(OsStringExt::into_vec);
    let ranks: Vec<_> = RANKS.iter().map(|(name, _)| (*name, variable(name))).collect();
    let find = |name: &str| ranks.iter().find(|(known, _)| *known == name)?.1.as_deref();
    let rank = OsStr::from_bytes(names::rank(find).unwrap_or(b"0")).to_owned();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: OsString = host.split(['\n', '/']).next().unwrap_or_default().into();
    let mut name_of_variable;
    let mut name = OsString::new();
    for part in pattern.parts() {
        name.push(match part {
            Part::Text(text) => OsStr::from_bytes(text),
            Part::Process => process_id.as_ref(),
            Part::Program => program,
            // Ours are those of the program, unless that is a launcher, whose ranks nobody knows here.
            Part::Rank => &rank,
            Part::Host => &host,
            Part::Variable(name) => {
                name_of_variable = env::var_os(OsStr::from_bytes(name)).unwrap_or_default();
                &name_of_variable
            }
        });
    }
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_expanded() {
        for (pattern, path) in
            [("plain", "plain"), ("d/%e.%p", "d/prog.7"), ("%%p%", "%p%"), ("%x%", "%x%")]
        {
            let pattern = Pattern(pattern.as_bytes());
            assert_eq!(expand(pattern, "dir/prog".as_ref(), 7), Path::new(path));
        }
    }
}
