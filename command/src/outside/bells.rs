//! Waits that end when a sample has come, where samples must not get old.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use gmon_events::Ring;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Rings that are heard, if their samples must not get old.
#[derive(Debug)]
pub(crate) struct Bells {
    rings: Vec<OwnedFd>,
    /// True if some are heard no more.
    is_incomplete: bool,
}

/// Time between looks at samples that nobody announces but that must not get old.
pub(super) const UNHEARD: Duration = Duration::from_millis(1);

impl Bells {
    /// Of these rings.
    pub(super) fn of<'r>(rings: impl Iterator<Item = &'r Ring>) -> Self {
        let rings: Vec<_> = rings.map(|ring| ring.as_fd().try_clone_to_owned()).collect();
        let is_incomplete = rings.iter().any(Result::is_err);
        Self { rings: rings.into_iter().flatten().collect(), is_incomplete }
    }

    /// Waits until a sample has come, for so long at most, or until there is something to read elsewhere.
    pub(crate) fn wait(&mut self, other: Option<BorrowedFd<'_>>, longest: Duration) {
        let pause = if self.is_incomplete { longest.min(UNHEARD) } else { longest };
        let pause = PollTimeout::try_from(pause.max(Duration::from_millis(1)));
        let descriptors = self.rings.iter().map(AsFd::as_fd).chain(other);
        let mut waits: Vec<_> = descriptors.map(|it| PollFd::new(it, PollFlags::POLLIN)).collect();
        // Whatever ends the wait, we look.
        _ = poll(&mut waits, pause.unwrap_or(PollTimeout::ZERO));
        let is_over = |wait: &PollFd<'_>| {
            let events = wait.revents().unwrap_or(PollFlags::empty());
            events.intersects(PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL)
        };
        let are_over: Vec<bool> = waits.iter().map(is_over).collect();
        drop(waits);
        // The thread for which a ring was made has ended, though others may write to it.
        let mut are_over = are_over.into_iter();
        let before = self.rings.len();
        self.rings.retain(|_| !are_over.next().unwrap_or(false));
        self.is_incomplete |= self.rings.len() < before;
    }
}
