//! Names of data files: the patterns that users write, and the names that processes derive from one.
//!
//! A process writes the *base* that its user named by a pattern, or [`DATA_FILE`]. Where that would not be
//! its alone, it writes a name [of its own](own). Whatever is written beside a data file has the data file's
//! whole name with a suffix behind it, so such a suffix comes last. Names are given as parts that follow one
//! another, because the runtime joins them without allocation.

/// Name of a data file if nobody says otherwise.
pub const DATA_FILE: &str = "gmon.out";

/// The variable of the environment that names files as for glibc: its value is a base, and each process writes
/// a name [of its own](own).
pub const PREFIX_VARIABLE: &str = "GMON_OUT_PREFIX";

/// Folder for data files that can be written nowhere else.
pub const LAST_RESORT: &str = "/tmp/";

/// Ending of the full profile's name, behind the whole name of the data file beside it.
pub const FULL: &str = ".full";

/// A part of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// These bytes.
    Text(&'a [u8]),
    /// The number of the process.
    Process,
    /// The name of the program's file, without its folder.
    Program,
    /// The [rank](RANKS) of the process in a parallel program, or 0.
    Rank,
    /// The name of the machine.
    Host,
    /// The value of this variable of the environment.
    Variable(&'a [u8]),
}

/// The variables by which a launcher of parallel programs (`mpirun`, `srun`) tells a process its rank and how many there
/// are, if it does. The first of them that is set counts.
///
/// A variable of some launchers alone comes before one that several set. The last one numbers the processes of one machine.
pub const RANKS: &[(&str, Option<&str>)] = &[
    ("OMPI_COMM_WORLD_RANK", Some("OMPI_COMM_WORLD_SIZE")),
    ("MV2_COMM_WORLD_RANK", Some("MV2_COMM_WORLD_SIZE")),
    ("PALS_RANKID", None),
    ("ALPS_APP_PE", None),
    ("JSM_NAMESPACE_RANK", Some("JSM_NAMESPACE_SIZE")),
    ("FLUX_TASK_RANK", Some("FLUX_JOB_SIZE")),
    ("PMI_RANK", Some("PMI_SIZE")),
    ("PMIX_RANK", None),
    ("SLURM_PROCID", Some("SLURM_STEP_NUM_TASKS")),
    ("MPI_LOCALRANKID", Some("MPI_LOCALNRANKS")),
];

/// The rank that a variable's value states; none if it is no number. `variable` looks one up.
pub fn rank<'v>(variable: impl Fn(&str) -> Option<&'v [u8]>) -> Option<&'v [u8]> {
    /// More digits than any number of processes has.
    const MOST_DIGITS: usize = 9;
    let is_number = |value: &&[u8]| {
        (1..=MOST_DIGITS).contains(&value.len()) && value.iter().all(u8::is_ascii_digit)
    };
    RANKS.iter().find_map(|(name, _)| variable(name).filter(is_number))
}

/// Letter behind a `%`.
struct Letter {
    letter: u8,
    /// Meaning. A letter with an argument in braces gets that.
    part: for<'a> fn(&'a [u8]) -> Part<'a>,
    has_argument: bool,
}

const LETTERS: &[Letter] = &[
    Letter { letter: b'p', part: |_| Part::Process, has_argument: false },
    Letter { letter: b'e', part: |_| Part::Program, has_argument: false },
    Letter { letter: b'r', part: |_| Part::Rank, has_argument: false },
    Letter { letter: b'h', part: |_| Part::Host, has_argument: false },
    Letter { letter: b'q', part: |name| Part::Variable(name), has_argument: true },
    Letter { letter: b'%', part: |_| Part::Text(b"%"), has_argument: false },
];

/// A name with letters in it that stand for something: `%p` for the process, `%e` for the program, `%r` for the rank,
/// `%h` for the machine, `%q{NAME}` for a variable of the environment and `%%` for `%`. Any other `%` stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'a>(pub &'a [u8]);

impl<'a> Pattern<'a> {
    /// Parts of the name.
    pub fn parts(self) -> impl Iterator<Item = Part<'a>> + Clone {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let (part, len) = part_of(rest)?;
            rest = rest.get(len..).unwrap_or_default();
            Some(part)
        })
    }

    /// Returns `true` if each process has a name of its own by this pattern.
    #[must_use]
    pub fn names_process(self) -> bool {
        self.parts().any(|part| part == Part::Process)
    }
}

/// The first part of a pattern and its length there; `None` if there is none left.
fn part_of(pattern: &[u8]) -> Option<(Part<'_>, usize)> {
    let (first, rest) = pattern.split_first()?;
    if let Some(found) = (*first == b'%').then(|| letter_of(rest)).flatten() {
        return Some(found);
    }
    let next = rest.iter().position(|byte| *byte == b'%').map_or(pattern.len(), |at| at + 1);
    Some((Part::Text(pattern.get(..next).unwrap_or_default()), next))
}

/// Letter behind `%`, and the length of both.
fn letter_of(rest: &[u8]) -> Option<(Part<'_>, usize)> {
    let (first, rest) = rest.split_first()?;
    let row = LETTERS.iter().find(|row| row.letter == *first)?;
    if !row.has_argument {
        return Some(((row.part)(&[]), 2));
    }
    let end = rest.iter().position(|byte| *byte == b'}')?;
    let argument = rest.get(..end)?.strip_prefix(b"{")?;
    Some(((row.part)(argument), 2 + end + 1))
}

/// `BASE.PID`: what a process calls its file where it may not have the base to itself. `process` is its number
/// in decimal.
#[must_use]
pub fn own<'a>(base: &'a [u8], process: &'a [u8]) -> [&'a [u8]; 3] {
    [base, b".", process]
}

/// `NAME.execN`: the file of a program that another one is about to replace in its process, for the `n`th
/// time.
#[must_use]
pub fn replaced<'a>(name: &'a [u8], n: &'a [u8]) -> [&'a [u8]; 3] {
    [name, b".exec", n]
}

/// `NAME.PID.tmp`: what a file is called until it is whole.
#[must_use]
pub fn temporary<'a>(name: &'a [u8], process: &'a [u8]) -> [&'a [u8]; 4] {
    [name, b".", process, b".tmp"]
}
