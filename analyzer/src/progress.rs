//! A line on the terminal that tells how far long work is.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows progress on the standard error stream if that is a terminal, and only when it takes longer
/// than a second. The line goes away when it is dropped.
#[derive(Debug)]
pub struct ProgressLine {
    what: String,
    /// When to show the line next; none without a terminal.
    next: Option<Instant>,
    is_shown: bool,
}

const PATIENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(100);

impl ProgressLine {
    /// Starts the clock. The line says `WHAT: 12 of 100`.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        let next = io::stderr().is_terminal().then(|| Instant::now() + PATIENCE);
        Self { what: what.into(), next, is_shown: false }
    }

    /// Shows how much of all is done.
    pub fn update(&mut self, done: usize, all: usize) {
        if all > 1 {
            self.show(|| format!("{done} of {all}"));
        }
    }

    /// Shows how many bytes are written, of nobody knows how many.
    pub fn update_bytes(&mut self, written: u64) {
        self.show(|| format!("{} MB", written >> 20));
    }

    fn show(&mut self, state: impl FnOnce() -> String) {
        let Some(next) = self.next else { return };
        let now = Instant::now();
        if now >= next {
            self.next = Some(now + INTERVAL);
            self.is_shown = true;
            write(&format!("\r{}: {}", self.what, state()));
        }
    }

    /// Takes the line away, for instance for a message. The next update brings it back.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            write("\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Progress that cannot be shown is no reason to stop.
fn write(text: &str) {
    let mut stderr = io::stderr();
    _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
