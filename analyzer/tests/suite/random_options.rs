//! Random options on random programs, with which our reports must equal GNU gprof's byte for byte.

use super::gnu;
use super::random::Random;
use super::random_programs::{data, program};
use super::run::Case;

/// Some options, most of the time few.
fn options(random: &mut Random) -> String {
    const PLAIN: [&str; 18] = [
        "-p",
        "-q",
        "-P",
        "-Q",
        "-B",
        "-a",
        "-D",
        "-z",
        "-T",
        "-L",
        "-w1",
        "-w40",
        "-w132",
        "--no-demangle",
        "--demangle",
        "--demangle=rust",
        "--inline-file-names",
        "-i",
    ];
    let mut words = vec!["-b".to_owned()];
    while !random.once_in(4) {
        words.push(random.pick(&PLAIN).to_owned());
    }
    words.join(" ")
}

#[test]
fn random_options_give_the_reports_of_gnu_gprof() {
    if !gnu::is_here("random_options_give_the_reports_of_gnu_gprof") {
        return;
    }
    for seed in gnu::seeds(200) {
        let mut random = Random::new(seed);
        let exe = program(&mut random);
        let data = data(&mut random, &exe);
        let case = Case::new(&exe.bytes(), &data.bytes(exe.encoding));
        for _ in 0..3 {
            let options = options(&mut random);
            gnu::assert_same(&format!("seed {seed}"), &case.words(&options));
        }
    }
}
