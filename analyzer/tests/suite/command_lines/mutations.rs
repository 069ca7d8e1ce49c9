//! Random command lines and symspecs, as many as can be tried in seconds; `fuzz/` tries more.
//! `GMON_MUTATIONS=N` tries N of each.

use super::checks;
use crate::random::{Random, mutations};

/// Joins parts, most of the time of `parts`, else random bytes.
fn text(random: &mut Random, parts: &[&str], separator: u8) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(12) {
        match random.below(10) {
            0 => text.push(random.number() as u8),
            1 | 2 => text.push(separator),
            _ => text.extend_from_slice(random.pick(parts).as_bytes()),
        }
    }
    text
}

#[test]
fn any_command_line_is_answered() {
    const PARTS: [&str; 40] = [
        "-",
        "--",
        "=",
        "-p",
        "-q",
        "-P",
        "-C",
        "-A",
        "-J",
        "-e",
        "-k",
        "-w",
        "-t",
        "-m",
        "-d",
        "-O",
        "-h",
        "-v",
        "-R",
        "-r",
        "-S",
        "-T",
        "--=",
        "--demangle",
        "--no-",
        "--fi",
        "--w",
        "@",
        "@/",
        "@missing",
        "main",
        "/",
        ":",
        "99999999999999999999",
        "-1",
        "0x",
        "auto",
        "é",
        "\t",
        "",
    ];
    let mut random = Random::new(30);
    for _ in 0..mutations(50_000) {
        checks::answers(&text(&mut random, &PARTS, 0));
    }
}

#[test]
fn any_symspecs_select_what_each_one_would() {
    const PARTS: [&str; 30] = [
        "pa", "pb\n", "Pc", "pd\nPe\n", "qf", "Qg", "nh", "Ni", "ka", "kb/c", "Kd/e", "K/f", "kg/",
        "a", "b", "c", "d", "/", ":", ".", "0", "7", "beyond", "x.c", "x.c:3", "\np", "\nP", "\nk",
        "\nK", "\nq",
    ];
    let mut random = Random::new(31);
    for _ in 0..mutations(10_000) {
        checks::selects(&text(&mut random, &PARTS, b'\n'));
    }
}
