//! Files that the programs of a run get, no two the same.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf, absolute};

use crate::open::full_beside;

/// Whose the files are. A file takes the name of its full profile as well.
#[derive(Debug, Default)]
pub(crate) struct Files {
    owners: HashMap<PathBuf, PathBuf>,
}

impl Files {
    /// Notes that a file is a program's.
    pub(crate) fn claim(&mut self, file: &Path, program: &Path) {
        for file in [file.to_owned(), full_beside(file)] {
            self.owners.entry(key(&file)).or_insert_with(|| program.to_owned());
        }
    }

    /// The first file that no other program has, of those that `named` makes for numbers from 1 on.
    pub(crate) fn give(&mut self, program: &Path, named: impl Fn(u32) -> PathBuf) -> PathBuf {
        let is_free =
            |file: &Path| self.owners.get(&key(file)).is_none_or(|owner| owner == program);
        let is_fit = |file: &PathBuf| is_free(file) && is_free(&full_beside(file));
        let file = (1..u32::MAX).map(&named).find(is_fit).unwrap_or_else(|| named(1));
        self.claim(&file, program);
        file
    }
}

/// The name of a program as a part of a file's name, which has room for what comes around it.
pub(crate) fn part_of_name(program: &Path) -> OsString {
    /// Of the 255 bytes that file systems allow.
    const MOST: usize = 180;
    let mut name = program.file_name().unwrap_or_default().as_bytes();
    if name.len() > MOST {
        // A letter stays whole.
        let is_start = |at: &usize| name[*at] & 0xc0 != 0x80;
        name = &name[..(0..=MOST).rev().find(is_start).unwrap_or(MOST)];
    }
    OsStr::from_bytes(name).to_owned()
}

fn key(file: &Path) -> PathBuf {
    absolute(file).unwrap_or_else(|_| file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_between_letters() {
        assert_eq!(part_of_name(Path::new("/bin/tool")), "tool");
        assert_eq!(part_of_name(Path::new(&"x".repeat(255))), *"x".repeat(180));
        let letters = format!("x{}", "\u{e4}".repeat(120));
        assert_eq!(part_of_name(Path::new(&letters)), *format!("x{}", "\u{e4}".repeat(89)));
    }

    #[test]
    fn programs_of_one_name_get_files_of_their_own() {
        let mut files = Files::default();
        files.claim(Path::new("./out"), Path::new("/bin/main"));
        let mut given = |program: &str, name: &str| {
            let named = |number: u32| match number {
                1 => name.into(),
                _ => format!("{name}.{number}").into(),
            };
            files.give(Path::new(program), named).display().to_string()
        };
        assert_eq!(given("/a/tool", "out.tool"), "out.tool");
        assert_eq!(given("/b/tool", "out.tool"), "out.tool.2");
        assert_eq!(given("/c/tool", "out.tool"), "out.tool.3");
        assert_eq!(given("/a/tool", "out.tool"), "out.tool");
        // It would be the full profile of the main program.
        assert_eq!(given("/bin/full", "out.full"), "out.full.2");
    }
}
