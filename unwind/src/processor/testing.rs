//! Calls in a few bytes of code, for the tests of processors.

use std::fmt::Debug;

use super::{Call, Processor};
use crate::memory::Piece;
use crate::word::Word;

/// Where the code of tests lies.
const START: u64 = 0x4000_0000;

/// Checks which call ends with these bytes: none, an indirect one, or one to so far from where the bytes end.
pub(super) fn assert_call<P: Processor>(
    code: &[u8],
    expected: Option<Option<isize>>,
    name: &dyn Debug,
) {
    let end = P::Word::of(START + code.len() as u64);
    let expected =
        expected.map(|far| far.map_or(Call::Indirect, |far| Call::Direct(end.moved(far))));
    let found = P::call_before(&mut &[Piece { address: START, bytes: code }][..], end);
    assert_eq!(found, expected, "{name:x?}");
}
