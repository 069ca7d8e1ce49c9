//! Choice of the files that are believed: those that only the user of the process can have written, up to a sensible size.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Error, anyhow};
use nix::fcntl::OFlag;

/// Bytes of a file that are read: a map has some 60 for a function, a dump also has the function's code.
pub(super) const MOST: u64 = 256 << 20;

/// Opens a file that a user's process may have written. None if there is none.
///
/// # Errors
///
/// If it is there, but cannot be believed.
pub(super) fn open(path: &Path, user: u32) -> Result<Option<File>, Error> {
    // Opening a pipe would wait for somebody to write; a link could lead anywhere.
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path);
    let name = path.display();
    let file = match file {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(anyhow!(error).context(format!("warning: {name} is not read"))),
    };
    let facts = file.metadata()?;
    match why_not(&facts, user) {
        None => Ok(Some(file)),
        Some(reason) => Err(anyhow!("warning: {name} is not believed: {reason}")),
    }
}

fn why_not(facts: &Metadata, user: u32) -> Option<&'static str> {
    const OTHERS_MAY_WRITE: u32 = 0o022;
    const ROOT: u32 = 0;
    match facts {
        it if !it.is_file() => Some("it is no regular file"),
        it if it.uid() != user && it.uid() != ROOT => Some("it is another user's"),
        it if it.mode() & OTHERS_MAY_WRITE != 0 => Some("other users may write to it"),
        it if it.nlink() > 1 => Some("it has several names"),
        _ => None,
    }
}

/// Reads the file from its start, up to the limit.
pub(super) fn read(mut file: &File) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What cannot be read has no names.
    _ = file.rewind().and_then(|()| file.take(MOST).read_to_end(&mut bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions, hard_link};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn only_what_the_user_alone_can_have_written_is_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("map");
        assert!(open(&path, 7).expect("nothing wrong").is_none());
        fs::write(&path, "1000 10 f\n").expect("a file");
        let user = fs::metadata(&path).expect("a file").uid();
        let set = |mode| fs::set_permissions(&path, Permissions::from_mode(mode)).expect("a mode");
        let why = |path: &Path, user| open(path, user).err().map(|error| error.to_string());
        set(0o644);
        let file = open(&path, user).expect("nothing wrong").expect("a file");
        assert_eq!(read(&file), b"1000 10 f\n");
        assert_eq!(read(&file), b"1000 10 f\n");
        for mode in [0o664, 0o646] {
            set(mode);
            assert!(why(&path, user).is_some_and(|why| why.contains("other users may write")));
        }
        set(0o600);
        if user != 0 {
            assert!(why(&path, user + 1).is_some_and(|why| why.contains("another user's")));
        }
        let link = folder.path().join("link");
        symlink(&path, &link).expect("a link");
        assert!(why(&link, user).is_some_and(|why| why.contains("is not read")));
        hard_link(&path, folder.path().join("same")).expect("a link");
        assert!(why(&path, user).is_some_and(|why| why.contains("several names")));
        assert!(why(folder.path(), user).is_some_and(|why| why.contains("no regular file")));
    }
}
