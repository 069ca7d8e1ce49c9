//! Findings, and how they are printed.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use gmon_analyzer::wrapping::wrapped;
use serde::Serialize;

use crate::text::{counted, harmless};

/// Gravity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    /// As it should be.
    Ok,
    /// A limit of what a profile tells.
    Note,
    /// A fault that spoils the profile.
    Problem,
}

/// A thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    /// Subject: the program, data, the machine, tools.
    about: &'static str,
    /// The file, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    grade: Grade,
    text: String,
    /// Remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// All that was found out, in the order of the looks.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    about: &'static str,
    file: Option<String>,
}

impl Findings {
    /// Begins the findings about a subject.
    pub(super) fn begin(&mut self, about: &'static str, file: Option<String>) {
        (self.about, self.file) = (about, file);
    }

    pub(super) fn ok(&mut self, text: impl Into<String>) {
        self.add(Grade::Ok, text.into(), None);
    }

    pub(super) fn note(&mut self, text: impl Into<String>, remedy: impl Into<String>) {
        self.add(Grade::Note, text.into(), Some(remedy.into()));
    }

    pub(super) fn problem(&mut self, text: impl Into<String>, remedy: impl Into<String>) {
        self.add(Grade::Problem, text.into(), Some(remedy.into()));
    }

    fn add(&mut self, grade: Grade, text: String, remedy: Option<String>) {
        let (about, file) = (self.about, self.file.clone());
        self.list.push(Finding { about, file, grade, text, remedy });
    }

    /// Number of problems.
    pub(super) fn problems(&self) -> usize {
        self.of(Grade::Problem)
    }

    fn of(&self, grade: Grade) -> usize {
        self.list.iter().filter(|finding| finding.grade == grade).count()
    }

    /// Writes a block for each thing that was looked at, with a line for each finding and one for its remedy.
    pub(super) fn write_text(&self) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let bold = Style::new().bold();
        let mut before = None;
        for finding in &self.list {
            let heading = (finding.about, &finding.file);
            if before.replace(heading) != Some(heading) {
                let file = finding.file.as_ref().map(|file| format!(" {}", harmless(file)));
                writeln!(out, "{bold}{}{bold:#}{}", finding.about, file.unwrap_or_default())?;
            }
            let (word, style) = match finding.grade {
                Grade::Ok => ("ok", Style::new().fg_color(Some(AnsiColor::Green.into()))),
                Grade::Note => ("note", Style::new().fg_color(Some(AnsiColor::Yellow.into()))),
                Grade::Problem => {
                    ("PROBLEM", Style::new().fg_color(Some(AnsiColor::Red.into())).bold())
                }
            };
            lines(&mut out, &format!("  {style}{word:<7}{style:#} "), &finding.text)?;
            if let Some(remedy) = &finding.remedy {
                lines(&mut out, "          → ", remedy)?;
            }
        }
        let problems = counted(self.problems() as u64, "problem");
        writeln!(out, "{problems}, {}", counted(self.of(Grade::Note) as u64, "note"))
    }

    /// Writes the findings as an object.
    pub(super) fn write_json(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let value = serde_json::json!({
            "schema": "gmon-doctor/1",
            "problems": self.problems(),
            "findings": self.list,
        });
        serde_json::to_writer_pretty(&mut out, &value)?;
        writeln!(out)
    }
}

/// Columns of a terminal, and those before the text.
const WIDTH: usize = 80;
const INDENT: usize = 10;

/// Writes a text behind what begins its first line, broken between words.
fn lines(out: &mut impl Write, start: &str, text: &str) -> io::Result<()> {
    let indent = if start.contains('→') { INDENT + 2 } else { INDENT };
    write!(out, "{start}")?;
    for (number, line) in wrapped(&harmless(text), WIDTH - indent).enumerate() {
        let indent = if number == 0 { 0 } else { indent };
        writeln!(out, "{:indent$}{line}", "")?;
    }
    Ok(())
}
