//! The terminal: keys come in, pictures go out. It is as it was before, whatever ends the command.

use std::io::{self, BufWriter, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc as Shared;
use std::thread;

use anyhow::{Context, Result, bail};
use nix::sys::signal::Signal;
use nix::sys::signalfd::{SfdFlags, SignalFd};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{Event, KeyEventKind};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::board::{Board, News};
use super::draw::{draw, rows_of};
use super::hooks;
use super::picture::Process;
use super::screen::{Effect, Screen, Source};
use super::subjects::Subject;
use crate::recover::recover;
use crate::signals;

/// More bytes than most pictures are.
const PICTURE: usize = 1 << 16;

/// Shows pictures until the user has seen enough.
pub(super) fn show(board: &Shared<Board>, has_color: bool) -> Result<()> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!("gmon top needs a terminal; gmon top --once writes one picture");
    }
    let (width, height) = terminal::size().context("the terminal")?;
    // Of a fixed size, since it would be asked for its size at each picture else. It tells when it has another one.
    let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
    let options = TerminalOptions { viewport };
    // It is prepared, and restored whatever happens. What is written is a whole picture each time: standard output would pass
    // on a line or a kilobyte.
    drop(ratatui::try_init_with_options(options.clone()).context("the terminal")?);
    let backend = CrosstermBackend::new(BufWriter::with_capacity(PICTURE, io::stdout()));
    let keys = Shared::clone(board);
    thread::spawn(move || keys.take_events());
    let terminal = Terminal::with_options(backend, options).context("the terminal");
    let result = terminal.and_then(|mut terminal| show_on(&mut terminal, board, has_color));
    ratatui::restore();
    result
}

/// Has signals that end this command restore the terminal first. Threads that are started from now on leave these
/// signals to this.
///
/// # Errors
///
/// The system refuses.
pub(super) fn restore_before_signals() -> Result<()> {
    let ending = signals::ending();
    ending.thread_block().context("cannot block signals")?;
    let received = SignalFd::with_flags(&ending, SfdFlags::SFD_CLOEXEC);
    let received = received.context("cannot receive signals")?;
    thread::spawn(move || {
        let Ok(Some(signal)) = received.read_signal() else { return };
        ratatui::restore();
        _ = execute!(io::stdout(), Show);
        _ = Signal::try_from(signal.ssi_signo as i32).map(signals::end_by);
    });
    Ok(())
}

fn show_on(terminal: &mut Terminal<impl Backend>, board: &Board, has_color: bool) -> Result<()> {
    let mut screen = Screen::new(board.picture());
    let mut seen = screen.picture.number;
    loop {
        terminal.draw(|frame| draw(&mut screen, frame, has_color))?;
        match wait(board, &mut seen, screen.is_paused)? {
            Some(Event::Resize(width, height)) => {
                terminal.resize(Rect::new(0, 0, width, height))?
            }
            Some(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                let height = rows_of(terminal.size()?.height);
                let effect = screen.press(key, height);
                if effect == Effect::Quit {
                    return Ok(());
                }
                carry_out(effect, &mut screen);
            }
            _ => {}
        }
        screen.take(board.picture());
    }
}

/// Waits until there is something to be drawn, and returns what has come from the terminal; `None` for a picture of another
/// number than was seen.
fn wait(board: &Board, seen: &mut u64, is_paused: bool) -> io::Result<Option<Event>> {
    loop {
        match board.wait(*seen)? {
            News::Event(event) => return Ok(Some(event)),
            News::Picture(number) => *seen = number,
        }
        if !is_paused {
            return Ok(None);
        }
    }
}

/// Does what a key asks for beyond the screen.
fn carry_out(effect: Effect, screen: &mut Screen) {
    match effect {
        Effect::None | Effect::Quit => {}
        Effect::Snapshot => screen.message = snapshots(screen),
        Effect::Source(subject) => match source(screen, &subject) {
            Ok(lines) => {
                screen.source = Some(Source { function: subject.name, lines, first: 0 });
            }
            Err(error) => screen.message = format!("{error:#}"),
        },
        Effect::Hook(subject) => {
            screen.message = hooks::switch_one(looked_at(screen), &subject);
        }
        Effect::Times { subject, on } => {
            screen.message = hooks::time_one(looked_at(screen), &subject, on);
        }
        Effect::Hooks { patterns, wake } => {
            screen.message = hooks::switch(looked_at(screen), &patterns, wake);
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
    let process = looked_at(screen).next().context("there is no process")?;
    let mut annotate = Command::new(std::env::current_exe().context("gmon")?);
    annotate.args(["annotate", "--color=never", &format!("--function={}", subject.name)]);
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
