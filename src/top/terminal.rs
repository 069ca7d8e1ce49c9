//! The terminal: keys come in, pictures go out. It is as it was before, whatever ends the command.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use super::draw::{draw, rows_of};
use super::hooks;
use super::picture::Process;
use super::reader::Board;
use super::screen::{Effect, Screen, Source};
use super::subjects::Subject;
use crate::recover::recover;

/// How long a new picture may wait to be drawn.
const PATIENCE: Duration = Duration::from_millis(50);

/// Shows pictures until the user has seen enough.
pub(super) fn show(board: &Board, has_color: bool) -> Result<()> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!("gmon top needs a terminal; gmon top --once writes one picture");
    }
    let mut terminal = ratatui::try_init().context("the terminal")?;
    let result = show_on(&mut terminal, board, has_color);
    ratatui::restore();
    result
}

fn show_on(terminal: &mut ratatui::DefaultTerminal, board: &Board, has_color: bool) -> Result<()> {
    let mut screen = Screen::new(board.picture());
    let mut is_new = true;
    loop {
        let before = screen.picture.number;
        screen.take(board.picture());
        if is_new || screen.picture.number != before {
            terminal.draw(|frame| draw(&mut screen, frame, has_color))?;
        }
        is_new = event::poll(PATIENCE)?;
        if !is_new {
            continue;
        }
        let Event::Key(key) = event::read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let height = rows_of(terminal.size()?.height);
        match screen.press(key, height) {
            Effect::None => {}
            Effect::Quit => return Ok(()),
            Effect::Snapshot => screen.message = snapshots(&screen),
            Effect::Source(subject) => match source(&screen, &subject) {
                Ok(lines) => {
                    screen.source = Some(Source { function: subject.name, lines, first: 0 });
                }
                Err(error) => screen.message = format!("{error:#}"),
            },
            Effect::Hook(subject) => {
                screen.message = hooks::switch_one(looked_at(&screen), &subject);
            }
            Effect::Hooks { patterns, wake } => {
                screen.message = hooks::switch(looked_at(&screen), &patterns, wake);
            }
        }
    }
}

/// The processes that are looked at.
fn looked_at(screen: &Screen) -> impl Iterator<Item = &Process> {
    let processes = screen.picture.processes.iter().enumerate();
    let wanted = screen.process;
    processes.filter(move |(at, _)| wanted.is_none_or(|it| it == *at)).map(|(_, process)| process)
}

/// Writes the profile of each process so far, and says where.
fn snapshots(screen: &Screen) -> String {
    let written = looked_at(screen).map(|process| {
        let path = free_name(process.id.unwrap_or_default());
        match recover(&process.live, &path, false) {
            Ok(_) => format!("wrote {}", path.display()),
            Err(error) => format!("{error:#}"),
        }
    });
    written.collect::<Vec<_>>().join("; ")
}

/// A name for the profile of a process that no file has.
fn free_name(process: u32) -> PathBuf {
    let name = |suffix: String| PathBuf::from(format!("gmon.out.{process}{suffix}"));
    let is_free = |path: &PathBuf| !path.exists();
    let names = (2..1000).map(|number| name(format!(".{number}")));
    [name(String::new())].into_iter().chain(names).find(is_free).unwrap_or_default()
}

/// The source of a function with what its profile says of each line, by `gmon annotate`.
fn source(screen: &Screen, subject: &Subject) -> Result<Vec<String>> {
    if !subject.module.is_empty() {
        bail!("{} is in {}: only the program's own source is shown", subject.name, subject.module);
    }
    let process = looked_at(screen).next().context("there is no process")?;
    let mut annotate = Command::new(std::env::current_exe().context("gmon")?);
    annotate.args(["annotate", "--color=never", "--function", &subject.name]);
    let output = annotate.args([executable(process).as_path(), &process.live]).output();
    let output = output.context("gmon annotate")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}", said.trim_end().trim_start_matches("gmon: "));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(|line| line.replace('\t', "        ")).collect())
}

/// The file of the program, by its own name if it is still there.
fn executable(process: &Process) -> PathBuf {
    let named = std::fs::read_link(&process.executable).unwrap_or_default();
    if Path::new(&named).is_file() { named } else { process.executable.clone() }
}
