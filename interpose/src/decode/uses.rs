//! Finds what may be uses of words in code of x86-64.

/// Calls `visit` with every address that code at `at` may name by its distance, whether it calls or jumps where
/// the word there says, and where the distance stands.
///
/// Nobody decodes the instructions: any six bytes can be an operation, its operand's form and a distance. What are none
/// lead to the slots by chance at most, and then a slot is left alone that could be used.
pub(crate) fn each_use(code: &[u8], at: usize, visit: &mut dyn FnMut(usize, bool, usize)) {
    /// Bits of its byte in which the form says "by distance", and that form.
    const FORM: u8 = 0xc7;
    const BY_DISTANCE: u8 = 0x05;
    /// `call` and `jmp`; and `cmpq` with a small number, which asks whether there is a function at all.
    const CALL: [u8; 2] = [0xff, 0x15];
    const JUMP: [u8; 2] = [0xff, 0x25];
    const COMPARE: [u8; 2] = [0x83, 0x3d];
    /// Operations that have a number of one byte, or of four, behind the distance.
    const SHORT: [u8; 8] = [0x6b, 0x80, 0x83, 0xba, 0xc0, 0xc1, 0xc6, 0xf6];
    const LONG: [u8; 4] = [0x69, 0x81, 0xc7, 0xf7];
    for (start, window) in code.windows(6).enumerate() {
        let [operation, form, a, b, c, d] = *window else { continue };
        if form & FORM != BY_DISTANCE {
            continue;
        }
        let distance = i32::from_ne_bytes([a, b, c, d]) as isize as usize;
        let target = at.wrapping_add(start).wrapping_add(6).wrapping_add(distance);
        let place = at.wrapping_add(start).wrapping_add(2);
        visit(target, [operation, form] == CALL || [operation, form] == JUMP, place);
        if SHORT.contains(&operation) && [operation, form] != COMPARE {
            visit(target.wrapping_add(1), false, place);
        }
        if LONG.contains(&operation) {
            visit(target.wrapping_add(4), false, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn uses_of_words_are_told_from_calls() {
        for (code, found) in [
            // call *0x10(%rip); jmp *0x10(%rip); notrack jmp *0x10(%rip)
            (&[0xff, 0x15, 0x10, 0, 0, 0][..], &[(0x1016, true)][..]),
            (&[0xff, 0x25, 0x10, 0, 0, 0], &[(0x1016, true)]),
            (&[0x3e, 0xff, 0x25, 0x10, 0, 0, 0], &[(0x1017, true)]),
            // mov 0x10(%rip), %rbx; lea 0x10(%rip), %rax
            (&[0x48, 0x8b, 0x1d, 0x10, 0, 0, 0], &[(0x1017, false)]),
            (&[0x48, 0x8d, 0x05, 0x10, 0, 0, 0], &[(0x1017, false)]),
            // cmpq $0, 0x10(%rip): the word is at 0x1018, and what is asked does no harm.
            (&[0x48, 0x83, 0x3d, 0x10, 0, 0, 0, 0], &[(0x1017, false)]),
            // cmpq $0x12345678, 0x10(%rip)
            (
                &[0x48, 0x81, 0x3d, 0x10, 0, 0, 0, 0x78, 0x56, 0x34, 0x12],
                &[(0x1017, false), (0x101b, false)],
            ),
            // mov 0x10(%rbx), %eax
            (&[0x8b, 0x43, 0x10, 0, 0, 0], &[]),
        ] {
            let mut uses = Vec::new();
            each_use(code, 0x1000, &mut |address, calls, _| uses.push((address, calls)));
            assert_eq!(uses, found, "{code:x?}");
        }
    }
}
