//! Damaged programs: whatever is in them, they are read with a result or an error.
//!
//! `fuzz/` does the same for longer. `GMON_MUTATIONS=N` tries N files.

use std::fs;

use super::compiled::{PROGRAM, compiled};
use crate::damage::damage;
use crate::gnu;
use crate::random::{Random, mutations};
use crate::run::gprof_on;

#[test]
fn damaged_programs_are_read_without_panic() {
    let mut random = Random::new(22);
    let mut seeds = Vec::new();
    for (compiler, flags) in [
        ("gcc", &["-O2", "-gdwarf-4"][..]),
        ("gcc", &["-O2", "-gdwarf-5", "-gz"]),
        ("clang", &["-O1", "-gdwarf-5"]),
    ] {
        if gnu::has("damaged_programs_are_read_without_panic", compiler) {
            let case = compiled(PROGRAM, compiler, flags);
            seeds.push((fs::read(case.path("exe")).unwrap(), case));
        }
    }
    for number in 0..mutations(1_000) {
        let Some((exe, case)) = seeds.get(number as usize % seeds.len().max(1)) else { return };
        let mut exe = exe.clone();
        // Most of a program is code, which nobody reads; what matters lies behind it.
        let behind = exe.len() / 3;
        let mut tail = exe.split_off(behind);
        damage(&mut random, &mut tail);
        exe.extend(tail);
        let path = case.file("damaged", &exe);
        let outcome = gprof_on("-b -l -C -z", &path, &case.path("gmon.out"));
        assert!(outcome.status <= 1, "{outcome:?}");
    }
}
