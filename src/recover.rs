//! `gmon recover`: makes `gmon.out` of the file that a live profile is kept in.
//!
//! The counts are merged and ordered as the runtime does when it writes `gmon.out` itself: two files
//! of one profile have the same bytes, whoever wrote them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use gmon_analyzer::sum::{create_file, replace_file};
use gmon_format::live::{Header, Live};
use gmon_format::{Arc, Block, HistogramHeader, Sink, Writer};

use crate::summary::counted;

/// Where the profile goes if nobody says otherwise: where `gprof` looks for it.
const USUAL: &str = "gmon.out";

/// The largest profile that is written, in bytes. Only a file whose counts are not what they were
/// asks for more: this is years of calls.
const LIMIT: u64 = 1 << 30;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("recover")
        .display_name("gmon recover")
        .about("Makes gmon.out of the file of a live profile, whatever became of the program")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help("The file that GMON_OPTIONS=live=FILE named")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("OUT")
                .help("Write the profile to OUT, also if it exists [default: gmon.out, if not]")
                .value_parser(value_parser!(PathBuf)),
        )
        .after_help(
            "The program may still run: the profile then tells what it has counted until now.\n\
             FILE is left as it is; remove it when it is not needed any more.",
        )
}

/// Writes the profile and tells in a line what is in it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let named = arguments.get_one::<PathBuf>("output");
    let output = named.cloned().unwrap_or_else(|| USUAL.into());

    let profile = recover(&file, &output, named.is_some())?;
    writeln!(io::stdout(), "{}: {profile}", output.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the profile of a live file, and returns it for showing.
pub(crate) fn recover(file: &Path, output: &Path, may_replace: bool) -> Result<impl Display> {
    let bytes = read(file)?;
    let live = Live::new(&bytes).with_context(|| file.display().to_string())?;
    let profile = Profile::new(&live);
    if profile.size(&live).is_none_or(|size| size > LIMIT) {
        bail!("{}: a live profile with counts that no program reaches", file.display());
    }
    write(output, may_replace, |out| profile.write(&live, out))?;
    Ok(profile)
}

/// The process whose profile lives in a file; `None` if none does.
pub(crate) fn process_of(file: &Path) -> Option<u64> {
    let mut bytes = Vec::new();
    let is_file = file.symlink_metadata().ok()?.is_file();
    let file = is_file.then(|| File::open(file).ok()).flatten()?;
    file.take(Header::LEN as u64).read_to_end(&mut bytes).ok()?;
    Header::decode(&bytes).ok().map(|header| header.process)
}

/// The bytes of a live file, and of nothing that is not one.
fn read(path: &Path) -> Result<Vec<u8>> {
    let name = || path.display().to_string();
    // Opening a pipe would wait for somebody to write.
    if !path.metadata().with_context(name)?.is_file() {
        bail!("{}: not a regular file", name());
    }
    let file = File::open(path).with_context(name)?;
    let mut bytes = Vec::new();
    (&file).take(Header::LEN as u64).read_to_end(&mut bytes).with_context(name)?;
    // Before more of it is read, and no more than it tells of, whatever its size.
    let header = Header::decode(&bytes).with_context(name)?;
    let size = header.reserved.min(file.metadata().with_context(name)?.len());
    let rest = size.saturating_sub(Header::LEN as u64);
    bytes.try_reserve_exact(usize::try_from(rest)?).map_err(io::Error::from).with_context(name)?;
    file.take(rest).read_to_end(&mut bytes).with_context(name)?;
    Ok(bytes)
}

/// Writes the profile, whole or not at all. A file that nobody named is not replaced.
fn write(
    path: &Path,
    may_replace: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let name = path.display();
    let result = if may_replace { replace_file(path, fill) } else { create_file(path, fill) };
    match result {
        Err(error) if !may_replace && error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{name} exists; say -o {name} to replace it")
        }
        result => result.with_context(|| name.to_string()),
    }
}

/// What a live file tells, ready to be written.
struct Profile {
    program: String,
    process: u64,
    /// Address in the call and address in the function called → calls.
    arcs: BTreeMap<(u64, u64), u64>,
    /// Address in a basic block → executions.
    blocks: BTreeMap<u64, u64>,
    samples: u64,
}

impl Profile {
    fn new(live: &Live<'_>) -> Self {
        let mut arcs = BTreeMap::new();
        for (from_pc, self_pc, count) in live.arcs() {
            let sum: &mut u64 = arcs.entry((from_pc, self_pc)).or_default();
            *sum = sum.saturating_add(count);
        }
        let mut blocks = BTreeMap::new();
        for block in live.basic_blocks() {
            let sum: &mut u64 = blocks.entry(block.pc).or_default();
            *sum = sum.saturating_add(block.count);
        }
        let samples = live.histogram().map_or(0, |histogram| {
            histogram.counts().fold(0, |sum: u64, (_, count)| sum.saturating_add(count))
        });
        let Header { process, program, .. } = live.header();
        let name = program.split(|byte| *byte == 0).next().unwrap_or_default();
        let program = String::from_utf8_lossy(name).into();
        Self { program, process: *process, arcs, blocks, samples }
    }

    /// Bytes that the profile takes in `gmon.out`, whose narrow fields need many records for large
    /// counts; `None` if they cannot be counted.
    fn size(&self, live: &Live<'_>) -> Option<u64> {
        let word = live.header().encoding.word;
        let arcs = parts(self.arcs.values(), u32::MAX.into())?;
        let arcs = arcs.checked_mul(1 + Arc::len(word) as u64)?;
        let blocks = parts(self.blocks.values(), word.largest())?;
        let blocks = blocks.checked_mul(2 * word.bytes() as u64)?;
        let counts = arcs.checked_add(blocks)?;
        let Some(histogram) = live.histogram() else { return Some(counts) };
        let most = histogram.counts().map(|(_, count)| count).max().unwrap_or(0);
        let record = 1 + HistogramHeader::len(word) as u64 + 2 * u64::from(histogram.header.bins);
        most.div_ceil(u16::MAX.into()).max(1).checked_mul(record)?.checked_add(counts)
    }

    /// Writes `gmon.out`.
    fn write(&self, live: &Live<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut buffer = [0; 64 * 1024];
        let mut writer = Writer::new(Output(out), live.header().encoding, &mut buffer)?;
        if let Some(histogram) = live.histogram() {
            writer.histogram(&histogram.header, histogram.counts())?;
        }
        for (&(from_pc, self_pc), &count) in &self.arcs {
            writer.arc(from_pc, self_pc, count)?;
        }
        if !self.blocks.is_empty() {
            writer.blocks(self.blocks.iter().map(|(&pc, &count)| Block { pc, count }))?;
        }
        writer.finish().map(drop)
    }
}

impl Display for Profile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let calls = self.arcs.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
        let program = self.program.escape_default();
        write!(f, "{} over {}", counted(calls, "call"), counted(self.arcs.len() as u64, "arc"))?;
        if !self.blocks.is_empty() {
            let executions = self.blocks.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
            let blocks = counted(self.blocks.len() as u64, "block");
            write!(f, ", {} of {blocks}", counted(executions, "execution"))?;
        }
        write!(f, " and {} of {program}, process {}", counted(self.samples, "sample"), self.process)
    }
}

/// How many fields it takes that hold `most` each to write these counts.
fn parts<'a>(mut counts: impl Iterator<Item = &'a u64>, most: u64) -> Option<u64> {
    counts.try_fold(0, |sum: u64, count| sum.checked_add(count.div_ceil(most).max(1)))
}

/// What the profile is written to.
struct Output<'a>(&'a mut dyn Write);

impl Sink for Output<'_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }
}
