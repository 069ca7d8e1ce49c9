//! A folder with a program, and data files made for it record by record.

use std::convert::Infallible;
use std::process::Command;

use gmon_format::{Arc, BsdHeader, BsdWriter, Encoding, FilePc, HistogramHeader, Sink, Writer};

use crate::GMON;
use support::{command::text_of, workplace::Workplace};

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

/// A folder with the program `exe`.
pub(crate) fn with_program() -> Workplace {
    let place = Workplace::new();
    place.write("exe.s", PROGRAM);
    place.must(&format!("cc -nostdlib -static -no-pie -Wl,-Ttext={TEXT:#x} -o exe exe.s"));
    place
}

/// `gmon` from a shell that allows only so many kilobytes of memory.
pub(crate) fn gmon_within(place: &Workplace, kilobytes: u32, arguments: &str) -> Command {
    let mut command = place.command("sh");
    command.arg("-c").arg(format!("ulimit -v {kilobytes}; exec {GMON} {arguments}"));
    command
}

/// The report of `gmon gprof -b` on the program and these data files.
pub(crate) fn report(place: &Workplace, files: &str) -> String {
    text_of(&mut place.gmon(&format!("gprof -b exe {files}")))
}

/// A histogram over the program's first two functions, 4 bytes a bin.
pub(crate) fn histogram(rate: u32) -> HistogramHeader {
    HistogramHeader {
        low_pc: FilePc(TEXT),
        high_pc: FilePc(TEXT + 128),
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
        let Ok(()) = writer.arc(Arc::new(from_pc, self_pc, count));
    }
    let Ok(file) = writer.finish();
    file.0
}

/// A file of the BSD format with these records.
pub(crate) fn bsd(encoding: Encoding, bins: &[u16], arcs: &[(u64, u64, u64)]) -> Vec<u8> {
    let mut buffer = [0; 1024];
    let HistogramHeader { low_pc, high_pc, bins: count, .. } = histogram(100);
    let header = BsdHeader { low_pc, high_pc, bins: count, rate: None };
    let bins = bins.iter().copied();
    let Ok(mut writer) = BsdWriter::new(File::default(), encoding, &mut buffer, &header, bins);
    for &(from_pc, self_pc, count) in arcs {
        let Ok(()) = writer.arc(Arc::new(from_pc, self_pc, count));
    }
    let Ok(file) = writer.finish();
    file.0
}
