//! A terminal of 80 columns and 24 lines, by tmux: keys are typed, and the screen is read.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use support::{
    command::{gmon, quiet, text_of},
    tools,
    workplace::Workplace,
};

/// A terminal in which gmon runs.
pub(super) struct Terminal {
    tmux: PathBuf,
    place: Workplace,
}

/// A machine with much else to do takes long.
const PATIENCE: Duration = Duration::from_secs(120);

impl Terminal {
    /// Starts `gmon` with these words in a folder; `None` without tmux.
    pub(super) fn start(folder: &Path, words: &[&str]) -> Option<Self> {
        let terminal = Self { tmux: tools::find("tmux")?, place: Workplace::new() };
        let gmon = gmon().get_program().to_owned();
        let mut start = terminal.tmux(&["new-session", "-d", "-x", "80", "-y", "24", "-c"]);
        start.arg(folder).arg(gmon).args(words);
        text_of(&mut start);
        Some(terminal)
    }

    /// tmux with a server of its own, which reads nobody's settings.
    fn tmux(&self, words: &[&str]) -> Command {
        let mut command = quiet(&self.tmux);
        command.env_remove("TMUX").env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.args(["-f", "/dev/null", "-S"]).arg(self.place.path("socket")).args(words);
        command
    }

    /// Types keys, by tmux's names.
    pub(super) fn press(&self, keys: &[&str]) {
        for key in keys {
            text_of(&mut self.tmux(&["send-keys", key]));
        }
    }

    /// The screen as soon as it has this text.
    #[track_caller]
    pub(super) fn wait_for(&self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let output = self.tmux(&["capture-pane", "-p"]).output().expect("tmux");
            let screen = String::from_utf8_lossy(&output.stdout).into_owned();
            if screen.contains(text) {
                return screen;
            }
            assert!(begun.elapsed() < PATIENCE, "no {text:?} in\n{screen}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until what runs there has ended, and with it the session.
    #[track_caller]
    pub(super) fn wait_for_end(&self) {
        let begun = Instant::now();
        while self.tmux(&["has-session"]).output().expect("tmux").status.success() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        _ = self.tmux(&["kill-server"]).output();
    }
}
