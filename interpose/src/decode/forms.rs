//! Tables of what stands behind an operation: its operands and a number, by which its length is known.

use super::operands::{Code, Operands, Prefixes};

/// Operations of one byte, sixteen a row. The letters are those of [`operands`].
pub(super) const ONE: &[u8; 256] = b"\
    mmmm1nxxmmmm1nxx\
    mmmm1nxxmmmm1nxx\
    mmmm1nxxmmmm1nxx\
    mmmm1nxxmmmm1nxx\
    xxxxxxxxxxxxxxxx\
    ................\
    xxxmxxxxnz1b....\
    ................\
    bzxbmmmmmmmmmmmm\
    ..........x.....\
    8888....1n......\
    11111111vvvvvvvv\
    bb2.xxbz3.2..1x.\
    mmmmxxx.mmmmmmmm\
    ....1111..x.....\
    x.xx..gh......mm";

/// Operations of two bytes, by the second.
pub(super) const TWO: &[u8; 256] = b"\
    mmmmx.....x.xmxx\
    VVVVVVVVmmmmmmmm\
    mmmmxxxxVVmVmmVV\
    ........xxxxxxxx\
    mmmmmmmmmmmmmmmm\
    mVVVVVVVVVVVVVVV\
    VVVVVVVVVVVVVVmV\
    WWWWVVV.xxmmVVmV\
    ................\
    mmmmmmmmmmmmmmmm\
    ...mbmmm...mbmmm\
    mmmmmmmmmmbmmmmm\
    mmWmbbWm........\
    VVVVVVVmVVVVVVVV\
    VVVVVVVVVVVVVVVV\
    VVVVVVVmVVVVVVVm";

/// Reads the operands of an operation, if it has any, and passes over the number behind them. `None` if the operation is not
/// known.
///
/// | letter | operands | number |
/// |---|---|---|
/// | `.` `1` `2` `3` `8` | none, or those that the operation implies; distances of jumps are left | of so many bytes |
/// | `n` `v` | the same | as large as the operands; of all 64 bits |
/// | `m` `b` `z` | in memory or a register, and a register | none; a byte; as large as the operands |
/// | `g` `h` | the same | a byte, or as large as the operands, if the register's place says `test` |
/// | `V` `W` | vectors; general registers only say where memory is | none; a byte |
/// | `x` | not known | |
pub(super) fn operands(
    letter: u8,
    code: &mut Code<'_>,
    prefixes: Prefixes,
) -> Option<Option<Operands>> {
    let operands = match letter {
        b'x' => return None,
        b'm' | b'b' | b'z' | b'g' | b'h' | b'V' | b'W' => Some(Operands::read(code, prefixes.rex)?),
        _ => None,
    };
    let is_test = operands.is_some_and(|it| it.register & 7 < 2);
    code.skip(match letter {
        b'1' | b'b' | b'W' => 1,
        b'g' if is_test => 1,
        b'2' => 2,
        b'3' => 3,
        b'8' => 8,
        b'v' if prefixes.is_wide() => 8,
        b'n' | b'v' | b'z' => prefixes.number(),
        b'h' if is_test => prefixes.number(),
        _ => 0,
    })?;
    Some(operands)
}
