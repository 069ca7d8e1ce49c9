//! The output file: its name, and that it appears whole or not at all.
//!
//! *Context:* exit.

use core::ffi::CStr;

use crate::environment;
use crate::message::{self, Decimal};
use crate::platform::{self, Errno, File};

/// Longest path the system takes, and a little.
const PATH_LEN: usize = 4096 + 64;

/// Writes a file by `fill` under the name glibc gives it: `$GMON_OUT_PREFIX.PID` if that variable
/// is set and the program runs with its caller's rights, else, or if that fails, `gmon.out` in the
/// current directory. What fails is told on the standard error stream.
pub(crate) fn write(mut fill: impl FnMut(&mut File) -> Result<(), Errno>) {
    if let Some(prefix) = environment::variable(b"GMON_OUT_PREFIX") {
        let pid = Decimal::new(platform::process_id().unsigned_abs().into());
        let path = Path::new(&[prefix, b".", pid.as_bytes()]);
        match path.and_then(|path| replace(&path, &mut fill)) {
            Ok(()) => return,
            Err(error) => {
                message::say_failed(
                    "cannot write",
                    b"",
                    prefix,
                    error,
                    "; writing gmon.out instead",
                );
            }
        }
    }
    let written = Path::new(&[b"gmon.out"]).and_then(|path| replace(&path, &mut fill));
    if let Err(error) = written {
        let mut buffer = [0; PATH_LEN];
        let directory = platform::current_directory(&mut buffer).map_or(&b""[..], CStr::to_bytes);
        message::say_failed(
            "cannot write",
            directory,
            b"gmon.out",
            error,
            "; set GMON_OUT_PREFIX to a path that can be written",
        );
    }
}

/// Writes the file under a temporary name and renames it, so that no reader ever sees half of it
/// and a symbolic link is replaced, not followed. Where the directory takes no new file, an
/// existing file is written in place.
fn replace(
    path: &Path,
    fill: &mut impl FnMut(&mut File) -> Result<(), Errno>,
) -> Result<(), Errno> {
    let pid = Decimal::new(platform::process_id().unsigned_abs().into());
    let temporary = Path::new(&[path.bytes(), b".", pid.as_bytes(), b".tmp"])?;
    match platform::create(temporary.as_c_str(), libc::O_EXCL) {
        Ok(mut file) => {
            let written = fill(&mut file)
                .and_then(|()| file.close())
                .and_then(|()| platform::rename(temporary.as_c_str(), path.as_c_str()));
            if written.is_err() {
                platform::unlink(temporary.as_c_str());
            }
            written
        }
        Err(_) => {
            let mut file = platform::create(path.as_c_str(), libc::O_TRUNC)?;
            fill(&mut file)?;
            file.close()
        }
    }
}

/// A path with the NUL that the system wants.
struct Path {
    bytes: [u8; PATH_LEN],
    len: usize,
}

impl Path {
    fn new(parts: &[&[u8]]) -> Result<Self, Errno> {
        let mut path = Self { bytes: [0; PATH_LEN], len: 0 };
        for part in parts {
            let end = path.len + part.len();
            let place = path.bytes.get_mut(path.len..end).ok_or(Errno(libc::ENAMETOOLONG))?;
            place.copy_from_slice(part);
            path.len = end;
        }
        if path.len == PATH_LEN { Err(Errno(libc::ENAMETOOLONG)) } else { Ok(path) }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }
}
