//! `gmon bbconv`: makes a data file of the text that programs compiled by an old `gcc -a` wrote.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};
use gmon_analyzer::files;
use gmon_analyzer::records::BbOut;
use gmon_analyzer::sum::{replace_file, write_blocks};
use gmon_format::Encoding;

use crate::command_line::{path_operand, path_option};
use crate::open;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("bbconv")
        .display_name("gmon bbconv")
        .about("Makes a data file from basic-block counts in text (bb.out)")
        .args([
            path_option("output", "OUT", "The file to write [default: standard output]").short('o'),
            open::like("this machine's"),
            path_operand("file", "FILE", "The text; - is the standard input")
                .default_value("-")
                .num_args(0..),
        ])
        .after_help(
            "Programs compiled by an old gcc -a write such a text. Read the result with\ngmon gprof -l or -A.",
        )
}

/// Reads the texts and writes their counts.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let encoding = open::encoding_like(arguments)?.unwrap_or(Encoding::NATIVE);
    let output = arguments.get_one::<PathBuf>("output");
    let output = output.filter(|path| !open::is_standard_output(path));
    output.map_or(Ok(()), |path| open::check_output(path))?;
    let mut texts = Vec::new();
    for path in arguments.get_many::<PathBuf>("file").into_iter().flatten() {
        let name = || path.display().to_string();
        let text = BbOut::read(&read(path).with_context(name)?, encoding).with_context(name)?;
        for miscount in &text.miscounts {
            // The counts are there all the same.
            _ = writeln!(io::stderr(), "gmon: warning: {}: {miscount}", name());
        }
        texts.push(text);
    }
    match output {
        Some(output) => replace_file(output, |out| write_blocks(&texts, encoding, out))
            .with_context(|| output.display().to_string())?,
        None => write_blocks(&texts, encoding, &mut io::stdout().lock())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return files::read_text(path);
    }
    files::read_standard_input()
}
