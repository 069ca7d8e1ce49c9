//! Choices of the user, and what keys change of them. Nothing here draws or reads.

use std::sync::Arc as Shared;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::picture::Picture;
use super::rows::{Rows, TopRow, View, Wanted, rows};
use super::subjects::{Named, Subject};
use super::sums::Sort;

/// The state of the screen.
#[derive(Debug)]
pub(super) struct Screen {
    pub(super) picture: Shared<Picture>,
    /// Picture since which counts are shown.
    baseline: Option<Shared<Picture>>,
    pub(super) view: View,
    pub(super) sort: Sort,
    pub(super) search: String,
    /// Text being typed in the last line.
    pub(super) typing: Option<Typing>,
    /// The only process that is looked at.
    pub(super) process: Option<usize>,
    /// True if processes stand side by side.
    pub(super) is_side_by_side: bool,
    pub(super) is_paused: bool,
    pub(super) shows_help: bool,
    /// The row that is marked, and the first that is shown.
    pub(super) selected: usize,
    pub(super) first: usize,
    /// The source that is shown in place of the rows.
    pub(super) source: Option<Source>,
    /// Message in the last line.
    pub(super) message: String,
    /// Number of rows that were shown last.
    height: usize,
    named: Named,
    rows: Rows,
}

/// A text that the user is typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Typing {
    pub(super) purpose: Purpose,
    pub(super) text: String,
}

/// Purpose of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Names are to contain it.
    Search,
    /// The hooks of functions that fit these patterns are to be awake, or asleep.
    Hooks { wake: bool },
}

impl Purpose {
    /// The key that begins it.
    pub(super) fn key(self) -> char {
        match self {
            Self::Search => '/',
            Self::Hooks { wake: true } => '+',
            Self::Hooks { wake: false } => '-',
        }
    }
}

/// The source of a function.
#[derive(Debug)]
pub(super) struct Source {
    /// Its name.
    pub(super) function: Shared<str>,
    pub(super) lines: Vec<String>,
    /// The first line that is shown.
    pub(super) first: usize,
}

/// Work for the rest of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    Quit,
    /// Write a profile of each process that is looked at.
    Snapshot,
    /// Show the source of a function.
    Source(Subject),
    /// Wake the hook of a function, or put it to sleep if it is awake.
    Hook(Subject),
    /// Time the calls of a function, or no longer.
    Times {
        subject: Subject,
        on: bool,
    },
    /// Wake the hooks of functions that fit patterns, or put them to sleep.
    Hooks {
        patterns: String,
        wake: bool,
    },
}

impl Screen {
    pub(super) fn new(picture: Shared<Picture>) -> Self {
        let mut screen = Self {
            picture,
            baseline: None,
            view: View::Functions,
            sort: Sort::default(),
            search: String::new(),
            typing: None,
            process: None,
            is_side_by_side: false,
            is_paused: false,
            shows_help: false,
            selected: 0,
            first: 0,
            source: None,
            message: String::new(),
            height: 1,
            named: Named::default(),
            rows: Rows::default(),
        };
        screen.arrange();
        screen
    }

    /// The rows that are shown, in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &TopRow)> {
        self.rows.first.iter().enumerate().skip(self.first).take(self.height)
    }

    /// Number of rows.
    pub(super) fn count(&self) -> usize {
        self.rows.count
    }

    /// Returns `true` if counts are those since the user began again.
    pub(super) fn has_baseline(&self) -> bool {
        self.baseline.is_some()
    }

    /// Takes a new picture, unless the user wants to look at the last one.
    pub(super) fn take(&mut self, picture: Shared<Picture>) {
        if !self.is_paused && picture.number != self.picture.number {
            self.picture = picture;
            self.arrange();
        }
    }

    /// Makes the rows again, as far as they are shown. The mark stays at its place, where the most is.
    fn arrange(&mut self) {
        let is_search = |typing: &&Typing| typing.purpose == Purpose::Search;
        let search = self.typing.as_ref().filter(is_search).map_or(&self.search, |it| &it.text);
        let (view, sort, process) = (&self.view, self.sort, self.process);
        let baseline = self.baseline.as_deref();
        let most = self.selected.saturating_add(self.height);
        self.named.take(&self.picture);
        let wanted = Wanted { view, sort, search, process, baseline, most };
        self.rows = rows(&self.picture, &self.named, wanted);
        self.selected = self.selected.min(self.rows.count.saturating_sub(1));
    }

    /// Scrolls until the marked row is among the `height` rows that are shown from now on.
    pub(super) fn scroll(&mut self, height: usize) {
        let height = height.max(1);
        if std::mem::replace(&mut self.height, height) < height {
            self.arrange();
        }
        let least = (self.selected + 1).saturating_sub(height);
        self.first = self.first.clamp(least, self.selected.max(least));
    }

    /// Does what a key stands for; a page has `height` rows.
    pub(super) fn press(&mut self, key: KeyEvent, height: usize) -> Effect {
        self.message.clear();
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Effect::Quit;
        }
        // A terminal's name for a key that comes right behind Escape.
        if key.modifiers.contains(KeyModifiers::ALT) {
            self.press(KeyCode::Esc.into(), height);
            return self.press(key.code.into(), height);
        }
        if self.typing.is_some() {
            return self.type_text(key.code);
        }
        if self.shows_help {
            self.shows_help = false;
            return Effect::None;
        }
        if self.source.is_some() {
            self.move_in_source(key.code, height);
            return Effect::None;
        }
        match key.code {
            KeyCode::Char('q') => return Effect::Quit,
            KeyCode::Esc if self.view == View::Functions => self.search.clear(),
            KeyCode::Esc | KeyCode::Backspace | KeyCode::Char('f') => self.show(View::Functions),
            KeyCode::Char('l') => self.show(View::Times),
            KeyCode::Char('t') => self.show_all(View::Threads),
            KeyCode::Char('m') => self.show_all(View::Modules),
            KeyCode::Char('p') => self.show_all(View::Processes),
            KeyCode::Enter => self.enter(),
            KeyCode::Char('o') => {
                return self.subject().map_or(Effect::None, Effect::Source);
            }
            KeyCode::Char('s') => self.sort = self.sort.next(),
            KeyCode::Char('/') => self.begin_text(Purpose::Search),
            KeyCode::Char('+') => self.begin_text(Purpose::Hooks { wake: true }),
            KeyCode::Char('-') => self.begin_text(Purpose::Hooks { wake: false }),
            KeyCode::Char('c') => return self.subject().map_or(Effect::None, Effect::Hook),
            KeyCode::Char(key @ ('d' | 'D')) => {
                let on = key == 'd';
                return self
                    .subject()
                    .map_or(Effect::None, |subject| Effect::Times { subject, on });
            }
            KeyCode::Char(' ') => self.is_paused = !self.is_paused,
            KeyCode::Char('z') => self.baseline = Some(self.picture.clone()),
            KeyCode::Char('Z') => self.baseline = None,
            KeyCode::Char('x') => self.is_side_by_side = !self.is_side_by_side,
            KeyCode::Tab => self.next_process(),
            KeyCode::Char('w') => return Effect::Snapshot,
            KeyCode::Char('?' | 'h') => self.shows_help = true,
            KeyCode::Down | KeyCode::Char('j') => self.selected += 1,
            KeyCode::Up | KeyCode::Char('k') => self.selected = self.selected.saturating_sub(1),
            KeyCode::PageDown => self.selected += height,
            KeyCode::PageUp => self.selected = self.selected.saturating_sub(height),
            KeyCode::Home | KeyCode::Char('g') => self.selected = 0,
            KeyCode::End | KeyCode::Char('G') => self.selected = usize::MAX,
            _ => return Effect::None,
        }
        self.arrange();
        Effect::None
    }

    fn show(&mut self, view: View) {
        (self.view, self.selected, self.first) = (view, 0, 0);
    }

    /// Shows other things than functions, whose names were searched for.
    fn show_all(&mut self, view: View) {
        self.search.clear();
        self.show(view);
    }

    /// The function that is marked.
    fn subject(&self) -> Option<Subject> {
        let has_functions = matches!(self.view, View::Functions | View::Times | View::Calls(_));
        self.rows.first.get(self.selected).filter(|_| has_functions).map(|row| row.subject.clone())
    }

    /// Looks closer at what is marked.
    fn enter(&mut self) {
        if let Some(subject) = self.subject() {
            self.show(View::Calls(subject));
        } else if let (View::Processes, Some(row)) =
            (&self.view, self.rows.first.get(self.selected))
        {
            let processes = &self.picture.processes;
            self.process = processes.iter().position(|it| *it.title() == *row.subject.name);
            self.show(View::Functions);
        }
    }

    /// Looks at the next process alone, and after the last at all.
    fn next_process(&mut self) {
        let next = self.process.map_or(0, |process| process + 1);
        self.process = Some(next).filter(|next| *next < self.picture.processes.len());
    }

    fn begin_text(&mut self, purpose: Purpose) {
        self.typing = Some(Typing { purpose, text: String::new() });
    }

    fn type_text(&mut self, key: KeyCode) -> Effect {
        let Some(Typing { purpose, text }) = &mut self.typing else { return Effect::None };
        let mut effect = Effect::None;
        match (key, *purpose) {
            (KeyCode::Char(letter), _) => text.push(letter),
            (KeyCode::Backspace, _) => _ = text.pop(),
            (KeyCode::Enter, purpose) => {
                let text = std::mem::take(text);
                self.typing = None;
                match purpose {
                    Purpose::Search => self.search = text,
                    Purpose::Hooks { .. } if text.trim().is_empty() => {}
                    Purpose::Hooks { wake } => effect = Effect::Hooks { patterns: text, wake },
                }
            }
            (KeyCode::Esc, _) => self.typing = None,
            _ => {}
        }
        self.arrange();
        effect
    }

    fn move_in_source(&mut self, key: KeyCode, height: usize) {
        let Some(Source { lines, first, .. }) = &mut self.source else { return };
        *first = match key {
            KeyCode::Down | KeyCode::Char('j') => *first + 1,
            KeyCode::Up | KeyCode::Char('k') => first.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => *first + height,
            KeyCode::PageUp => first.saturating_sub(height),
            KeyCode::Home | KeyCode::Char('g') => 0,
            KeyCode::End | KeyCode::Char('G') => usize::MAX,
            _ => {
                self.source = None;
                return;
            }
        };
        *first = (*first).min(lines.len().saturating_sub(height));
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::picture;
    use super::*;

    fn typed(screen: &mut Screen, keys: &str) -> Effect {
        let mut last = Effect::None;
        for key in keys.chars() {
            let code = match key {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\x1b' => KeyCode::Esc,
                letter => KeyCode::Char(letter),
            };
            last = screen.press(KeyEvent::from(code), 10);
        }
        last
    }

    fn shown(screen: &Screen) -> Vec<&str> {
        screen.rows.first.iter().map(|row| &*row.subject.name).collect()
    }

    #[test]
    fn keys_choose_what_is_shown() {
        for (keys, expected) in [
            ("", "solve parse main memcpy"),
            ("s", "main solve parse memcpy"),
            ("m", "prog libc.so.6"),
            ("l", ""),
            ("ml\x1b", "solve parse main memcpy"),
            ("t", "prog"),
            ("p", "prog (1) prog (2)"),
            ("p\n", "solve parse main memcpy"),
            ("\n", "main solve"),
            ("\n\x1b", "solve parse main memcpy"),
            ("/pars", "parse"),
            ("/pars\n", "parse"),
            ("/pars\nG\n", "main parse"),
            ("/pars\x1b", "solve parse main memcpy"),
            ("/pars\n\x1b", "solve parse main memcpy"),
            ("jjkk\n", "main solve"),
            ("/pars\np", "prog (1) prog (2)"),
            ("/pars\n+so", "parse"),
            ("+pars\x1b", "solve parse main memcpy"),
        ] {
            let mut screen = Screen::new(picture().into());
            screen.scroll(10);
            assert_eq!(typed(&mut screen, keys), Effect::None);
            assert_eq!(shown(&screen).join(" "), expected, "{keys:?}");
        }
    }

    #[test]
    fn keys_ask_for_what_the_screen_cannot_do() {
        let solve = Subject { name: "solve".into(), module: "".into() };
        for (keys, effect) in [
            ("q", Effect::Quit),
            ("/q", Effect::None),
            ("w", Effect::Snapshot),
            ("o", Effect::Source(solve.clone())),
            ("to", Effect::None),
            ("c", Effect::Hook(solve.clone())),
            ("tc", Effect::None),
            ("d", Effect::Times { subject: solve.clone(), on: true }),
            ("D", Effect::Times { subject: solve.clone(), on: false }),
            ("td", Effect::None),
            ("+pars*\n", Effect::Hooks { patterns: "pars*".into(), wake: true }),
            ("-*\n", Effect::Hooks { patterns: "*".into(), wake: false }),
            ("+ \n", Effect::None),
            ("+a\x1b", Effect::None),
        ] {
            let mut screen = Screen::new(picture().into());
            assert_eq!(typed(&mut screen, keys), effect, "{keys:?}");
        }
    }

    #[test]
    fn key_right_behind_escape_is_a_key() {
        let mut screen = Screen::new(picture().into());
        let lines = vec!["int main(void)".to_owned()];
        screen.source = Some(Source { function: "main".into(), lines, first: 0 });
        let key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT);
        assert_eq!(screen.press(key, 10), Effect::Quit);
    }

    #[test]
    fn paused_screen_keeps_its_picture_and_zero_is_where_the_user_says() {
        let mut screen = Screen::new(picture().into());
        let newer = || Shared::new(Picture { number: 7, ..picture() });
        typed(&mut screen, " z");
        screen.take(newer());
        assert_eq!((screen.picture.number, screen.rows.first[0].all.own), (1, 0.0));
        typed(&mut screen, " Z");
        screen.take(newer());
        assert_eq!((screen.picture.number, screen.rows.first[0].all.own), (7, 7.8));
        typed(&mut screen, "\t");
        assert_eq!((screen.process, screen.rows.first[0].all.own), (Some(0), 3.9));
        typed(&mut screen, "\t\t");
        assert_eq!(screen.process, None);
    }

    #[test]
    fn marked_row_is_always_among_those_shown() {
        let mut screen = Screen::new(picture().into());
        for (keys, height, selected, first) in
            [("G", 2, 3, 2), ("k", 2, 2, 2), ("k", 2, 1, 1), ("g", 2, 0, 0), ("jj", 10, 2, 0)]
        {
            typed(&mut screen, keys);
            screen.scroll(height);
            assert_eq!((screen.selected, screen.first), (selected, first), "{keys}");
        }
    }
}
