//! Reads files that a user or another file names, none of which may hold up the program or take all of its
//! memory.
//!
//! | file | what is done |
//! |---|---|
//! | a regular file | read whole |
//! | a pipe | read to its end, unless nobody writes to it: opening it would wait for ever |
//! | a device, as `/dev/zero` | read only as far as a text of one may go |
//!
//! Nor does a pipe to which a user has something written.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use flate2::read::MultiGzDecoder;

/// The most bytes of a text from a device, as a terminal.
const LONGEST_FROM_DEVICE: u64 = 1 << 20;
/// The most bytes of a text from a pipe. No list of symbols is as long.
const LONGEST_FROM_PIPE: u64 = 1 << 30;

/// A file that is open for reading.
#[derive(Debug)]
pub struct Input {
    file: File,
    is_pipe: bool,
    has_begun: bool,
}

impl Input {
    /// Opens the file at `path`, without waiting for somebody to write to it.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_pipe = fs::metadata(path)?.file_type().is_fifo();
        let mut options = OpenOptions::new();
        options.read(true);
        if is_pipe {
            options.custom_flags(libc::O_NONBLOCK);
        }
        Ok(Self { file: options.open(path)?, is_pipe, has_begun: false })
    }

    /// Size in bytes; 0 if the system does not say.
    pub(crate) fn size(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }
}

/// Time that the faster end of a pipe waits for the other.
const WAIT: Duration = Duration::from_millis(2);

/// A pipe to write to.
#[derive(Debug)]
pub(crate) struct OutputPipe(File);

impl OutputPipe {
    /// Opens the pipe at `path`, without waiting for somebody to read from it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path);
        file.map(Self).map_err(|error| match error.raw_os_error() {
            Some(libc::ENXIO) => io::Error::other("a pipe that nobody reads from"),
            _ => error,
        })
    }
}

impl Write for OutputPipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(WAIT),
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Err(error) if self.is_pipe && error.kind() == io::ErrorKind::WouldBlock => {
                    thread::sleep(WAIT);
                }
                Ok(0) if self.is_pipe && !self.has_begun && !buffer.is_empty() => {
                    return Err(io::Error::other("a pipe that nobody writes to"));
                }
                read => {
                    self.has_begun |= read.is_ok();
                    return read;
                }
            }
        }
    }

    /// A file itself makes room for all of it, and does not clear that first.
    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        if self.is_pipe {
            self.take(u64::MAX).read_to_end(bytes)
        } else {
            self.file.read_to_end(bytes)
        }
    }
}

/// Reads a text whole.
///
/// # Errors
/// Those of the system, and if there is no end to it.
pub fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?.file_type();
    let mut text = Vec::new();
    if kind.is_file() || kind.is_dir() {
        File::open(path)?.read_to_end(&mut text)?;
        return Ok(text);
    }
    read_up_to(Input::open(path)?, longest(kind), &mut text)?;
    Ok(text)
}

/// Reads the text that the standard input is.
///
/// # Errors
/// Those of the system, and if there is no end to it.
pub fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let input = io::stdin().lock();
    let kind = File::from(input.as_fd().try_clone_to_owned()?).metadata()?.file_type();
    read_up_to(input, longest(kind), &mut text)?;
    Ok(text)
}

/// Opens a text that gzip may have compressed.
pub(crate) fn unpacked(path: &Path) -> io::Result<BufReader<Box<dyn Read>>> {
    /// First bytes of compressed files.
    const GZIP: &[u8] = &[0x1f, 0x8b];
    let mut file = File::open(path)?;
    let mut magic = Vec::new();
    (&mut file).take(GZIP.len() as u64).read_to_end(&mut magic)?;
    let is_compressed = magic == GZIP;
    let whole = io::Cursor::new(magic).chain(file);
    let text: Box<dyn Read> = match is_compressed {
        true => Box::new(MultiGzDecoder::new(BufReader::new(whole))),
        false => Box::new(whole),
    };
    Ok(BufReader::with_capacity(1 << 16, text))
}

/// The most bytes of a text from a file of this kind.
fn longest(kind: FileType) -> u64 {
    let is_device = kind.is_char_device() || kind.is_block_device();
    if is_device { LONGEST_FROM_DEVICE } else { LONGEST_FROM_PIPE }
}

fn read_up_to(input: impl Read, most: u64, text: &mut Vec<u8>) -> io::Result<()> {
    input.take(most + 1).read_to_end(text)?;
    if text.len() as u64 > most {
        return Err(io::Error::other("no text: it does not end"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::Command;

    use super::*;

    #[test]
    fn what_does_not_end_is_refused() {
        let text = |path: &str| read_text(Path::new(path)).map_err(|error| error.to_string());
        assert_eq!(text("/dev/zero"), Err("no text: it does not end".to_owned()));
        assert_eq!(text("/dev/null"), Ok(Vec::new()));
    }

    #[test]
    fn a_pipe_is_read_to_its_end_if_somebody_writes_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = read_text(&pipe).unwrap_err();
        assert_eq!(error.to_string(), "a pipe that nobody writes to");
        // A writer that is slow. Somebody has to keep the pipe open, or it could not be opened.
        let both = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        let keep = File::open(&pipe).unwrap();
        let mut slow = OpenOptions::new().write(true).open(&pipe).unwrap();
        drop(both);
        let writer = thread::spawn(move || {
            for text in ["one\n", "two\n"] {
                thread::sleep(Duration::from_millis(20));
                slow.write_all(text.as_bytes()).unwrap();
            }
        });
        let reader = thread::spawn(move || read_text(&pipe));
        writer.join().unwrap();
        assert_eq!(reader.join().unwrap().unwrap(), b"one\ntwo\n");
        drop(keep);
    }
}
