//! Damaged input through the whole command: whatever is in an executable, its debug information, a
//! data file, a list or a source, the answer is a report or a line that names the file, and costs no
//! more memory than a small multiple of what was read.
//!
//! A program of its own, as it watches the memory of the process. `GMON_MUTATIONS=N` tries N cases
//! instead of 30,000.

#[path = "../suite/bytes.rs"]
#[allow(dead_code, reason = "it writes other files too")]
mod bytes;
#[path = "../suite/damage.rs"]
mod damage;
#[path = "../suite/data.rs"]
mod data;
#[path = "../suite/elf.rs"]
#[allow(dead_code, reason = "it makes other programs too")]
mod elf;

mod checks;
mod memory;
mod subjects;

use std::env;
use std::ffi::OsString;
use std::fs;

use support::random::{self, Random, mutations};

use self::damage::damage;
use self::subjects::{Subject, subjects};

/// Every stage and every report; `symbols`, `map` and `words` are files.
const LINES: [&str; 15] = [
    "-b",
    "-b -z",
    "-b -T -z -a",
    "-b -q -L --inline-file-names -w200",
    "-b -c -q",
    "-b -l",
    "-b -l -z -q -T",
    "-b -l -C -z",
    "-b -l -A -x -t1000 -z",
    "-b -A -I.",
    "-y -A",
    "-b -S symbols -p -C",
    "-b -r -q",
    "-R map",
    "-b -Cprogram.c:3 -pprogram.c -qmain -D @words",
];

#[test]
fn damaged_input_is_answered_without_panic_and_excess() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Sums and annotated sources are written to the current directory.
    env::set_current_dir(&folder).expect("the folder");
    let subjects = subjects();
    let mut random = Random::new(40);
    for case in 0..mutations(30_000) {
        let subject = &subjects[random.below(subjects.len() as u64) as usize];
        let files = write(&mut random, subject);
        // Disks take their time for a sum, which is to last.
        let line = if random.once_in(200) { "-i -s" } else { random.pick(&LINES) };
        let words: Vec<OsString> =
            line.split(' ').chain(["exe", "gmon.out"]).map(Into::into).collect();
        checks::answers(&words, &files, &format!("case {case}"));
    }
}

/// Writes all files of a case, one of them damaged, and gives their names and sizes.
fn write(random: &mut Random, subject: &Subject) -> Vec<(&'static str, usize)> {
    let mut files = subject.files();
    let victim = random.below(2 * files.len() as u64) as usize;
    let victim = if victim < files.len() { victim } else { 0 };
    damage(random, &mut files[victim].1);
    files
        .into_iter()
        .map(|(name, bytes)| {
            // To write over a file would have the disk wait for it.
            _ = fs::remove_file(name);
            fs::write(name, &bytes).expect("a writable folder");
            (name, bytes.len())
        })
        .collect()
}
