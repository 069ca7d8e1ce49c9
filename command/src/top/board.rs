//! State that the threads share: one looks at the processes, one waits for keys, one draws.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc as Shared;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};
use ratatui::crossterm::event::{self, Event};

use super::picture::Picture;

/// The last picture, and what has come from the terminal.
#[derive(Default)]
pub(super) struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    picture: Shared<Picture>,
    events: VecDeque<io::Result<Event>>,
    is_closed: bool,
}

/// Events that the screen waits for.
pub(super) enum News {
    Event(Event),
    /// A picture of this number.
    Picture(u64),
}

impl Board {
    /// The last picture.
    pub(super) fn picture(&self) -> Shared<Picture> {
        self.state.lock().picture.clone()
    }

    /// Puts up a picture and waits until another one is wanted; false once the board is closed.
    pub(super) fn show(&self, picture: Picture, until: Instant) -> bool {
        let mut state = self.state.lock();
        state.picture = picture.into();
        self.changed.notify_all();
        while !state.is_closed && !self.changed.wait_until(&mut state, until).timed_out() {}
        !state.is_closed
    }

    /// Waits until something has come from the terminal, or a picture of another number than was seen.
    ///
    /// # Errors
    /// If the terminal cannot be read.
    pub(super) fn wait(&self, seen: u64) -> io::Result<News> {
        let mut state = self.state.lock();
        loop {
            if let Some(event) = state.events.pop_front() {
                return event.map(News::Event);
            }
            if state.picture.number != seen {
                return Ok(News::Picture(state.picture.number));
            }
            self.changed.wait(&mut state);
        }
    }

    /// Takes all that comes from the terminal, until it cannot be read any more or the command ends: nothing else wakes who
    /// waits for a key.
    pub(super) fn take_events(&self) {
        loop {
            let event = event::read();
            let is_last = event.is_err();
            self.state.lock().events.push_back(event);
            self.changed.notify_all();
            if is_last {
                return;
            }
        }
    }

    /// Has the thread end that looks.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }
}
