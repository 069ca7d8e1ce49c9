//! Annotated sources: where they are looked for, and what basic blocks add.

use std::fs;

use super::compiled::{PROGRAM, compiled, folder};
use crate::gnu;
use crate::run::Case;

/// The first address of each line of a file that has one, from the table of all symbols.
fn addresses(case: &Case, file: &str) -> Vec<u64> {
    let report = case.gprof("-l -C -z").stdout;
    let lines = report.lines().filter(|line| line.contains(file));
    let addresses = lines.filter_map(|line| {
        let (_, rest) = line.rsplit_once(":0x")?;
        u64::from_str_radix(rest.split(')').next()?, 16).ok()
    });
    addresses.collect()
}

#[test]
fn sources_are_looked_for_in_directories() {
    let test = "sources_are_looked_for_in_directories";
    if !gnu::is_here(test) || !gnu::has(test, "gcc") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O0", "-g"]);
    let [first, second] = ["first", "second"].map(|name| folder(&case).join(name));
    fs::create_dir_all(&first).unwrap();
    fs::create_dir_all(&second).unwrap();
    fs::rename(case.path("program.c"), second.join("program.c")).unwrap();
    fs::rename(case.path("inline.h"), first.join("inline.h")).unwrap();
    let options = [
        "-A".to_owned(),
        format!("-A -I {}", first.display()),
        format!("-A -x -I {}:{}", first.display(), second.display()),
        format!("-A -z -I {} -I {}", second.display(), case.path("sub").display()),
    ];
    for options in options {
        gnu::assert_same("sources elsewhere", &case.words(&options));
    }
}

#[test]
fn a_source_is_a_regular_file() {
    let test = "a_source_is_a_regular_file";
    if !gnu::has(test, "gcc") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O0", "-g"]);
    let name = case.path("program.c");
    fs::remove_file(&name).unwrap();
    fs::create_dir(&name).unwrap();
    let outcome = case.gprof("-b -A");
    let message = format!("{}: Is a directory\n", name.display());
    assert!(outcome.status == 0 && outcome.stderr.contains(&message), "{outcome:?}");
    if gnu::is_here(test) {
        assert!(gnu::gnu_gprof(&case.words("-b -A")).stdout.contains("program.c:\n\n\nTop 10"));
    }
    fs::remove_dir(&name).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &name).unwrap();
    let outcome = case.gprof("-b -A");
    let message = format!("{}: not a regular file\n", name.display());
    assert!(outcome.status == 0 && outcome.stderr.contains(&message), "{outcome:?}");
}

/// Counts in the middle of lines, at their starts, and repeated ones.
#[test]
fn blocks_are_shown_beside_their_lines() {
    let test = "blocks_are_shown_beside_their_lines";
    if !gnu::is_here(test) || !gnu::has(test, "gcc") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O0", "-g"]);
    let mut addresses: Vec<u64> = ["program.c", "inline.h", "other.h"]
        .iter()
        .flat_map(|file| addresses(&case, file))
        .collect();
    addresses.sort_unstable();
    let mut data = fs::read(case.path("gmon.out")).unwrap();
    // A record of blocks: the tag, their number, then address and count of each.
    let blocks: Vec<(u64, u64)> = addresses
        .iter()
        .zip(0..)
        .flat_map(|(&at, number)| {
            let middle = if number % 3 == 0 { vec![(at + 2, number * 7 % 5)] } else { vec![] };
            [(at, number % 4)].into_iter().filter(move |_| number % 5 != 0).chain(middle)
        })
        .collect();
    data.push(2);
    data.extend((blocks.len() as u32).to_le_bytes());
    for (address, count) in blocks {
        data.extend(address.to_le_bytes());
        data.extend(count.to_le_bytes());
    }
    fs::write(case.path("gmon.out"), data).unwrap();
    for options in
        ["-l -A", "-l -A -x", "-l -A -x -m3", "-l -A -z -m0 -t100", "-l -C", "-l -C -z", "-l -i -C"]
    {
        gnu::assert_same("blocks", &case.words(options));
    }
}

#[test]
fn a_line_shows_any_number_of_blocks() {
    let test = "a_line_shows_any_number_of_blocks";
    if !gnu::has(test, "gcc") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O0", "-g"]);
    let line = case.gprof("-l -C -z:7").stdout;
    let report = case.gprof("-l -C:6 -z").stdout;
    let address = report.lines().find(|line| line.contains("program.c:6: (local:0x"));
    let (_, rest) = address.unwrap_or_else(|| panic!("{report}{line}")).rsplit_once(":0x").unwrap();
    let start = u64::from_str_radix(rest.split(')').next().unwrap(), 16).unwrap();
    let mut data = b"gmon\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02".to_vec();
    data.extend(14_u32.to_le_bytes());
    for number in 0..14_u64 {
        data.extend((start + number).to_le_bytes());
        data.extend((number + 1).to_le_bytes());
    }
    fs::write(case.path("gmon.out"), data).unwrap();
    let counts = case.gprof("-l -C").stdout;
    assert_eq!(counts.lines().filter(|line| line.contains("program.c:6: (local:")).count(), 14);
}
