//! The frames of one stack, with recursion folded.
//!
//! *Context:* signal.

/// Frames that are kept.
const LEN: usize = 1024;

/// The longest circle of calls that is known as one.
const PERIOD: usize = 6;

/// A frame as the tree takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) pc: usize,
    pub(super) is_guess: bool,
}

/// Frames, the innermost first. Of calls that repeat, two rounds are kept: so every arc is there, and
/// every function.
pub(super) struct Frames {
    steps: [Step; LEN],
    len: usize,
}

impl Frames {
    #[cfg(test)]
    pub(super) fn boxed() -> std::boxed::Box<Self> {
        std::boxed::Box::new(Self { steps: [Step { pc: 0, is_guess: false }; LEN], len: 0 })
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn as_slice(&self) -> &[Step] {
        self.steps.get(..self.len).unwrap_or_default()
    }

    /// Adds a frame; false if there is no room.
    pub(super) fn push(&mut self, pc: usize, is_guess: bool) -> bool {
        let Some(place) = self.steps.get_mut(self.len) else { return false };
        *place = Step { pc, is_guess };
        self.len += 1;
        self.fold();
        true
    }

    /// Drops the last round of calls if it is the third of the same.
    fn fold(&mut self) {
        for period in 1..=PERIOD {
            let Some(start) = self.len.checked_sub(3 * period) else { return };
            let rounds = self.steps.get(start..self.len).unwrap_or_default();
            let (later, earlier) = (
                rounds.get(period..).unwrap_or_default(),
                rounds.get(..2 * period).unwrap_or_default(),
            );
            // The last one is compared first: nearly always it differs.
            if later.iter().rev().eq(earlier.iter().rev()) {
                self.len -= period;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn folded(pcs: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut frames = Frames::boxed();
        for pc in pcs {
            assert!(frames.push(pc, false));
        }
        frames.as_slice().iter().map(|step| step.pc).collect()
    }

    #[test]
    fn repeated_rounds_are_kept_twice() {
        assert_eq!(folded([1, 2, 3, 3, 4]), [1, 2, 3, 3, 4]);
        assert_eq!(folded([1].into_iter().chain([7; 10_000]).chain([2])), [1, 7, 7, 2]);
        for period in 1..=PERIOD {
            let round: Vec<usize> = (10..10 + period).collect();
            let expected = [&[1], &round[..], &round[..], &[2]].concat();
            assert_eq!(folded([[1].to_vec(), round.repeat(500), [2].to_vec()].concat()), expected);
        }
    }

    #[test]
    fn what_does_not_repeat_is_kept_as_long_as_there_is_room() {
        let mut frames = Frames::boxed();
        assert!((0..LEN).all(|pc| frames.push(pc, false)));
        assert!(!frames.push(LEN, false));
        assert_eq!(frames.as_slice().len(), LEN);
    }
}
