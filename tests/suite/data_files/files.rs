//! A folder with a program, and data files made for it record by record.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use gmon_format::{BsdHeader, BsdWriter, Encoding, HistogramHeader, Sink, Writer};
use tempfile::TempDir;

/// The command under test.
pub(super) const GMON: &str = env!("CARGO_BIN_EXE_gmon");

/// Three functions at addresses that the data files know.
const PROGRAM: &str = r#"
    .macro function name
    .globl \name
    .type \name, %function
    \name: .fill 64, 1, 0
    .size \name, 64
    .endm
    .text
    function _start
    function work
    function last
"#;

/// Where the program's code begins.
pub(crate) const TEXT: u64 = 0x40_1000;

pub(crate) struct Folder(TempDir);

/// The bytes of a file in memory.
#[derive(Default)]
pub(crate) struct File(Vec<u8>);

impl Sink for File {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("temporary folder"))
    }

    /// A folder with the program `exe`.
    pub(crate) fn with_program() -> Self {
        let folder = Self::new();
        folder.write("exe.s", PROGRAM.as_bytes());
        let link = format!("-nostdlib -static -no-pie -Wl,-Ttext={TEXT:#x} -o exe exe.s");
        folder.command("cc").args(link.split_whitespace()).assert().success();
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Any command, in this folder.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("LC_ALL", "C");
        command
    }

    /// `gmon`, with arguments that are separated by white space.
    pub(crate) fn gmon(&self, arguments: &str) -> Command {
        let mut command = self.command(GMON);
        command.args(arguments.split_whitespace());
        command
    }

    /// The same from a shell that allows only so many kilobytes of memory.
    pub(crate) fn gmon_within(&self, kilobytes: u32, arguments: &str) -> Command {
        let mut command = self.command("sh");
        command.arg("-c").arg(format!("ulimit -v {kilobytes}; exec {GMON} {arguments}"));
        command
    }

    /// The report of `gmon gprof -b` on the program and these data files.
    pub(crate) fn report(&self, files: &str) -> String {
        let output = self.gmon(&format!("gprof -b exe {files}")).output().expect("gmon gprof");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// A histogram over the program's first two functions, 4 bytes a bin.
pub(crate) fn histogram(rate: u32) -> HistogramHeader {
    HistogramHeader {
        low_pc: TEXT,
        high_pc: TEXT + 128,
        bins: 32,
        rate,
        dimension: HistogramHeader::SECONDS,
        abbreviation: b's',
    }
}

/// A GNU file with a histogram of these bins and these arcs.
pub(crate) fn gnu(encoding: Encoding, bins: &[(u32, u64)], arcs: &[(u64, u64, u64)]) -> Vec<u8> {
    let mut buffer = [0; 1024];
    let Ok(mut writer) = Writer::new(File::default(), encoding, &mut buffer);
    let Ok(()) = writer.histogram(&histogram(100), bins.iter().copied());
    for &(from_pc, self_pc, count) in arcs {
        let Ok(()) = writer.arc(from_pc, self_pc, count);
    }
    let Ok(file) = writer.finish();
    file.0
}

/// The same as a file of BSD.
pub(crate) fn bsd(encoding: Encoding, bins: &[u16], arcs: &[(u64, u64, u64)]) -> Vec<u8> {
    let mut buffer = [0; 1024];
    let HistogramHeader { low_pc, high_pc, bins: count, .. } = histogram(100);
    let header = BsdHeader { low_pc, high_pc, bins: count, rate: None };
    let bins = bins.iter().copied();
    let Ok(mut writer) = BsdWriter::new(File::default(), encoding, &mut buffer, &header, bins);
    for &(from_pc, self_pc, count) in arcs {
        let Ok(()) = writer.arc(from_pc, self_pc, count);
    }
    let Ok(file) = writer.finish();
    file.0
}
