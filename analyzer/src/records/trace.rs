//! Finds a profile in what the Instrumentation Trace Macrocell of a Cortex-M has sent, as a debugger's probe recorded it. The
//! packets are those of ARM's "ARMv7-M Architecture Reference Manual", appendix D4.

use std::fs;
use std::path::{Path, PathBuf};

use gmon_format::header::MAGIC;
use gmon_format::{DataFile, Encoding};

use super::load::Loader;
use super::total::Records;
use crate::error::{Error, ErrorKind};

/// A trace with a data file in it.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    /// The data file.
    bytes: Vec<u8>,
    /// None if it is not whole.
    encoding: Option<Encoding>,
}

impl Trace {
    /// Reads the trace at `path`. None if no port has sent a data file, or if the file is larger than any trace of one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Option<Self>, Error> {
        /// In bytes. A pin sends a few million in a second.
        const MOST: u64 = 1 << 28;
        let path = path.as_ref();
        let refuse = |error| Error::new(path, ErrorKind::Unreadable(error));
        if path.metadata().map_err(refuse)?.len() > MOST {
            return Ok(None);
        }
        let Sent { ports, is_whole } = Sent::read(&fs::read(path).map_err(refuse)?);
        let found = ports.iter().find_map(|sent| last_data_file(sent));
        Ok(found.map(|(bytes, encoding)| Self {
            path: path.to_owned(),
            bytes: bytes.to_vec(),
            encoding: encoding.filter(|_| is_whole),
        }))
    }

    /// The data file; none if a part of it was lost on the way.
    #[must_use]
    pub fn data_file(&self) -> Option<&[u8]> {
        self.encoding.map(|_| &self.bytes[..])
    }

    /// Contents of the data file.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn records(&self) -> Result<Records, Error> {
        let mut records = Records::default();
        let loader = Loader::new(self.encoding.unwrap_or(Encoding::NATIVE));
        loader.add_bytes(&self.path, &self.bytes, &mut records)?;
        Ok(records)
    }
}

/// The last data file in what a port has sent, with its encoding; the first one, without, if none is whole.
fn last_data_file(sent: &[u8]) -> Option<(&[u8], Option<Encoding>)> {
    let starts = || {
        let at = |at: usize| sent.get(at..).filter(|rest| rest.starts_with(&MAGIC));
        (0..sent.len()).filter_map(at)
    };
    let whole = starts().rev().find_map(|file| Some((file, DataFile::encodings(file).next()?)));
    let whole = whole.map(|(file, encoding)| (file, Some(encoding)));
    whole.or_else(|| Some((starts().next()?, None)))
}

/// Bytes that programs wrote to the ports.
struct Sent {
    ports: [Vec<u8>; 32],
    /// No packet was lost for want of room.
    is_whole: bool,
}

/// Bytes behind the first of a packet.
enum Rest {
    /// Bytes that a program wrote to a port.
    Written { port: usize, len: usize },
    /// As many bytes.
    Bytes(usize),
    /// Bytes up to the first one without its highest bit.
    Continued,
}

impl Sent {
    fn read(trace: &[u8]) -> Self {
        const OVERFLOW: u8 = 0x70;
        let mut sent = Self { ports: [const { Vec::new() }; 32], is_whole: true };
        let mut rest = trace;
        while let Some((&first, behind)) = rest.split_first() {
            sent.is_whole &= first != OVERFLOW;
            let len = match Rest::of(first) {
                Rest::Written { port, len } => {
                    // The trace may end in a packet.
                    let bytes = behind.get(..len).unwrap_or_default();
                    sent.ports[port].extend_from_slice(bytes);
                    len
                }
                Rest::Bytes(len) => len,
                Rest::Continued => behind
                    .iter()
                    .position(|byte| byte & 0x80 == 0)
                    .map_or(behind.len(), |at| at + 1),
            };
            rest = behind.get(len..).unwrap_or_default();
        }
        sent
    }
}

impl Rest {
    fn of(first: u8) -> Self {
        let len = [0, 1, 2, 4][usize::from(first & 3)];
        match first {
            _ if len != 0 && first & 4 == 0 => Self::Written { port: usize::from(first >> 3), len },
            // What the processor itself reports.
            _ if len != 0 => Self::Bytes(len),
            // Times, extensions and what is reserved. A synchronization is zeros, and a bit at the end.
            0x81.. => Self::Continued,
            _ => Self::Bytes(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet of what a program wrote to a port.
    fn packet(port: u8, bytes: &[u8]) -> Vec<u8> {
        let size = if bytes.len() == 4 { 3 } else { bytes.len() as u8 };
        [&[port << 3 | size], bytes].concat()
    }

    /// Packets of other kinds: synchronization, times of one byte and of three, a time of the whole system, a page, a
    /// program counter, an event.
    const OTHERS: &[&[u8]] = &[
        &[0, 0, 0, 0, 0, 0x80],
        &[0x20],
        &[0xc0, 0x93, 0x07],
        &[0x94, 0x80, 0x80, 0x01],
        &[0x08],
        &[0x17, 0x0b, 0x09, 0x00, 0x08],
        &[0x05, 0x09],
    ];

    #[test]
    fn bytes_come_by_port_whatever_comes_between() {
        let mut trace = Vec::new();
        for (byte, other) in (b'a'..).zip(OTHERS) {
            trace.extend(packet(1, &[byte]));
            trace.extend_from_slice(other);
            trace.extend(packet(0, b"no"));
            trace.extend(packet(1, &[byte, byte, byte, byte]));
            trace.extend(packet(31, &[byte, byte]));
        }
        let sent = Sent::read(&trace);
        assert_eq!(sent.ports[1], b"aaaaabbbbbcccccdddddeeeeefffffggggg");
        assert_eq!(sent.ports[31], b"aabbccddeeffgg");
        assert_eq!(sent.ports[0], b"no".repeat(OTHERS.len()));
        assert!(sent.is_whole);
    }

    #[test]
    fn lost_packets_and_the_end_in_a_packet_are_noticed() {
        let cut = [packet(1, b"ab"), vec![1 << 3 | 3, b'c']].concat();
        assert_eq!(Sent::read(&cut).ports[1], b"ab");
        let lossy = [packet(1, b"a"), vec![0x70], packet(1, b"c")].concat();
        let sent = Sent::read(&lossy);
        assert_eq!((&sent.ports[1][..], sent.is_whole), (&b"ac"[..], false));
    }

    #[test]
    fn the_last_whole_data_file_counts() {
        let empty = [&MAGIC[..], &1u32.to_le_bytes(), &[0; 12]].concat();
        let both = [b"text ".to_vec(), empty.clone(), empty.clone()].concat();
        let (found, encoding) = last_data_file(&both).expect("a data file");
        assert_eq!((found.len(), encoding.is_some()), (empty.len(), true));
        let (_, encoding) = last_data_file(&empty[..9]).expect("a part of one");
        assert_eq!(encoding, None);
        assert!(last_data_file(b"text").is_none());
    }
}
