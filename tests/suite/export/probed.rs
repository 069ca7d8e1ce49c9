//! Profiles of programs that clang compiled with pseudo probes.

use std::collections::BTreeMap;

use object::{Object, ObjectSection};

use support::{
    command::{output_of, said, text_of},
    tools,
    workplace::Workplace,
};

use super::compilers::{again, exported, succeed};

/// `often` is called 60,000 times, and inlines `step`.
const PROGRAM: &str = r#"
#include <stdio.h>
volatile int sink;

static inline int step(int x)
{
    return x * 3 ^ x / (sink | 1);
}

static __attribute__((noinline)) int often(int x)
{
    int sum = 0;
    for (int i = 0; i < x; i++) {
        sum += step(i);
        if (sum & 1)
            sink = i;
    }
    return sum;
}

int main(int argc, char **argv)
{
    long sum = 0;
    for (int i = 0; i < 60000; i++)
        sum += often(700);
    printf("%d\n", sum != 1);
    return 0;
}
"#;

const COMPILER: &str = "clang -fpseudo-probe-for-profiling";

/// The program, with what was measured beside it.
fn probed() -> Option<Workplace> {
    tools::find_all([COMPILER, "llvm-profdata"])?;
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    succeed(place.gmon(&format!("cc {COMPILER} -O2 -g prog.c -o prog")));
    succeed(place.gmon("run --order ./prog"));
    Some(place)
}

/// Place of a section in the program's file.
fn section(place: &Workplace, name: &str) -> std::ops::Range<usize> {
    let file = place.bytes("prog");
    let file = object::File::parse(&*file).expect("a program");
    let (start, len) =
        file.section_by_name(name).and_then(|it| it.file_range()).expect("a section");
    start as usize..(start + len) as usize
}

/// The checksums of functions, as they are in the program.
fn checksums(place: &Workplace) -> BTreeMap<String, u64> {
    let file = place.bytes("prog");
    let mut rest = &file[section(place, ".pseudo_probe_desc")];
    let mut checksums = BTreeMap::new();
    while let [_, _, _, _, _, _, _, _, hash @ ..] = rest {
        let (hash, names) = hash.split_first_chunk().expect("a hash");
        // No name of the program takes more than two bytes for its length.
        let (len, names) = match names {
            [low, high, names @ ..] if low & 0x80 != 0 => {
                (usize::from(low & 0x7f) | usize::from(*high) << 7, names)
            }
            [len, names @ ..] => (usize::from(*len), names),
            [] => panic!("no name"),
        };
        let name = String::from_utf8_lossy(&names[..len]).into_owned();
        checksums.insert(name, u64::from_le_bytes(*hash));
        rest = &names[len..];
    }
    checksums
}

/// The functions of a profile, those inlined too, with their checksums.
fn written(profile: &str) -> Vec<(String, u64)> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for line in profile.lines() {
        let depth = line.len() - line.trim_start().len();
        let words: Vec<&str> = line.trim_start().split(':').collect();
        open.truncate(depth.max(1));
        match (depth, &*words) {
            (0, [name, ..]) => open = vec![(*name).to_owned()],
            (_, ["!CFGChecksum", hash]) => {
                all.push((open[depth - 1].clone(), hash.trim().parse().expect("a number")));
            }
            (_, [_, name, _]) if !name.trim_start().contains(' ') => {
                open.push(name.trim_start().to_owned());
            }
            _ => {}
        }
    }
    all
}

#[test]
fn clang_takes_a_profile_by_pseudo_probes() {
    let Some(place) = probed() else { return };
    let profile = exported(&place, "llvm-prof");
    let (checksums, written) = (checksums(&place), written(&profile));
    for (name, checksum) in &written {
        assert_eq!(checksums.get(name), Some(checksum), "{name}: {profile}");
    }
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    assert!(has("step") && has("often") && names.contains(&"main"), "{profile}");
    assert_eq!(names.len(), profile.lines().filter(|line| line.contains("Checksum")).count());
    let often = names.iter().find(|name| name.contains("often")).expect("a function");
    assert!(often.contains(".__uniq."), "{profile}");
    // Its head and its first probe, and the call in `main`.
    let head = profile.lines().position(|line| line.starts_with(often)).expect("a function");
    let lines: Vec<&str> = profile.lines().collect();
    assert!(lines[head].ends_with(":60000") && lines[head + 1] == " 1: 60000", "{profile}");
    assert!(profile.contains(&format!(": 60000 {often}:60000\n")), "{profile}");

    place.write("prog.prof", &profile);
    let llvm = |arguments: &str| text_of(place.command("llvm-profdata").args(arguments.split(' ')));
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&llvm("merge --sample --text -o - prog.prof")), sorted(&profile));

    let (status, told) = again(&place, "gmon.out", "clang -O2 -g -Werror prog.c -o again");
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.contains("gmon: again has 2 of 2 functions, with 100.0 % of the executions"),
        "{told}"
    );
    let (_, called) = again(&place, "gmon.out", "clang -O2 -v -c prog.c");
    assert!(called.contains("-fpseudo-probe-for-profiling"), "{called}");
    assert!(!called.contains("-sample-profile-use-profi"), "{called}");
    let ir = "clang -O2 -g -Werror -S -emit-llvm -o again.ll prog.c";
    assert_eq!(again(&place, "gmon.out", ir).0, Some(0));
    // LLVM adds 1 to each count.
    let same = place.read("again.ll");
    assert!(same.contains("i64 60001}") && same.contains("i64 2}"), "{same}");
    // By the checksum clang knows a function that has changed.
    place.write("prog.c", PROGRAM.replace("if (sum & 1)", "while (sum & 1 && sink < i)"));
    assert_eq!(again(&place, "gmon.out", ir).0, Some(0));
    let changed = place.read("again.ll");
    assert!(!changed.contains("i64 60001}") && changed.contains("i64 2}"), "{changed}");
}

#[test]
fn profiles_of_probes_stay_apart_from_those_of_lines() {
    let Some(place) = probed() else { return };
    succeed(place.gmon("export --format llvm-prof ./prog -o probes.prof"));
    succeed(place.gmon("merge -o sum.prof probes.prof probes.prof"));
    let (one, sum) = (place.read("probes.prof"), place.read("sum.prof"));
    let sorted = |text: &str| {
        let mut written = written(text);
        written.sort_unstable();
        written
    };
    assert_eq!(sorted(&one), sorted(&sum));
    assert!(sum.lines().any(|line| line.ends_with(":120000")), "{sum}");
    // gcc finds code by its lines.
    let (status, told) = again(&place, "probes.prof", "gcc -O2 -c prog.c");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("a profile by clang's pseudo probes"), "{told}");
    succeed(place.gmon("export --format gcc-afdo ./prog -o prog.afdo"));
    place.must("gcc -O2 -g -fauto-profile=prog.afdo -c prog.c");

    place.write("lines.prof", "main:3:1\n 1: 3\n");
    for (files, kinds) in [
        (
            "probes.prof lines.prof",
            "lines.prof: a profile by lines, and probes.prof is one by pseudo probes",
        ),
        (
            "lines.prof probes.prof",
            "probes.prof: a profile by pseudo probes, and lines.prof is one by lines",
        ),
    ] {
        let refused = output_of(&mut place.gmon(&format!("merge -o all.prof {files}")));
        assert_eq!(refused.status.code(), Some(1));
        let said = said(&refused);
        assert!(said.contains(kinds) && said.contains("merge those of each kind"), "{said}");
    }
    assert!(!place.exists("all.prof"));
}

#[test]
fn doctor_knows_pseudo_probes_and_damaged_ones_are_refused() {
    let Some(place) = probed() else { return };
    let doctor = place.gmon("doctor prog gmon.out --format=text").output().expect("gmon doctor");
    let told = String::from_utf8_lossy(&doctor.stdout);
    assert!(told.contains("has pseudo probes") && !told.contains("discriminators"), "{told}");

    let mut bytes = place.bytes("prog");
    bytes[section(&place, ".pseudo_probe")].fill(0xff);
    std::fs::write(place.path("prog"), bytes).expect("a file");
    let refused = output_of(&mut place.gmon("export --format llvm-prof ./prog"));
    assert_eq!(refused.status.code(), Some(1));
    let told = said(&refused);
    assert!(told.contains("prog: section .pseudo_probe is damaged at byte"), "{told}");
}
