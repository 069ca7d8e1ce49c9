//! Runs that are one process of many of a parallel program, which a launcher has started: `mpirun -n 4 gmon run ./prog`.
//!
//! Each process runs its program and keeps its profile, under the name of its rank. The lowest rank waits for the profiles
//! of the others and shows all together; the others show nothing.

use std::env;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use gmon_format::names::{self, DATA_FILE, RANKS};

use super::settings::{joined, names_files};
use super::usual_file::Identity;
use crate::open::{full_beside, full_of};
use crate::processes::{LIST, Profiled, of_folder};
use crate::say;

/// Which of the processes of a parallel program this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rank {
    /// Its number in decimal.
    number: String,
    /// How many there are, if that is known.
    of: Option<u32>,
}

impl Rank {
    /// What a launcher says; none if there is no launcher, or just one process.
    pub(super) fn of_environment() -> Option<Self> {
        Self::new(|name| env::var_os(name).map(|value| value.as_bytes().to_vec()))
    }

    fn new(variable: impl Fn(&str) -> Option<Vec<u8>>) -> Option<Self> {
        let values: Vec<_> = RANKS.iter().map(|(name, _)| (*name, variable(name))).collect();
        let number =
            names::rank(|name| values.iter().find(|(known, _)| *known == name)?.1.as_deref())?;
        let number = String::from_utf8(number.to_vec()).ok()?;
        let size = |(_, size): &(_, Option<&str>)| {
            String::from_utf8(variable((*size)?)?).ok()?.parse().ok()
        };
        Some(Self { number, of: RANKS.iter().find_map(size) })
    }

    /// Returns `true` if it is the one that shows what all did.
    pub(super) fn is_first(&self) -> bool {
        self.number.bytes().all(|digit| digit == b'0')
    }

    /// The name of its file that comes of a base.
    pub(super) fn name(&self, base: &Path) -> PathBuf {
        name_of(base, &self.number)
    }
}

/// What the runtime calls a data file if nobody says otherwise.
pub(super) fn usual() -> PathBuf {
    let base = Path::new(DATA_FILE);
    Rank::of_environment().map_or(base.to_owned(), |rank| rank.name(base))
}

fn name_of(base: &Path, rank: &str) -> PathBuf {
    joined(names::own(base.as_os_str().as_bytes(), rank.as_bytes()))
}

/// The profiles of the other ranks.
pub(crate) struct Others {
    /// The files; none if nobody knows how many ranks there are.
    files: Option<Vec<Awaited>>,
}

/// A profile that another rank is to write.
struct Awaited {
    path: PathBuf,
    /// What stood there before the run, and in place of the full profile beside it.
    before: [Option<Identity>; 2],
}

impl Awaited {
    /// Notes what stands there before a run.
    fn at(path: PathBuf) -> Self {
        let before = [Identity::of(&path), Identity::of(&full_beside(&path))];
        Self { path, before }
    }

    /// Its data files of a program: it is one, or the list of a folder of them.
    fn data_of(&self, program: &Path) -> Vec<PathBuf> {
        let Some(folder) = self.path.parent().filter(|_| self.path.ends_with(LIST)) else {
            return vec![self.path.clone()];
        };
        let processes = of_folder(folder).unwrap_or_default().into_iter();
        processes.filter(|it| it.program == program).filter_map(|it| it.file).collect()
    }

    fn is_written(&self, has_stacks: bool) -> bool {
        let is_new = |path: &Path, before| {
            let now = Identity::of(path);
            now.is_some() && now != before
        };
        let [data, full] = self.before;
        let is_alone = !has_stacks || self.path.ends_with(LIST);
        is_new(&self.path, data) && (is_alone || is_new(&full_beside(&self.path), full))
    }
}

impl Others {
    /// Looks at the files of the others before the run: those that `-o` names, those in folders that `-d` names, or the
    /// usual ones. None if this rank does not show them, or is alone, or if the user named the files in another way.
    pub(super) fn before_the_run(
        rank: &Rank,
        output: Option<PathBuf>,
        folder: Option<PathBuf>,
    ) -> Option<Self> {
        let is_folder = folder.is_some();
        let base = match output.or(folder) {
            None if names_files() => None,
            None => Some(PathBuf::from(DATA_FILE)),
            named => named,
        };
        let base = base.filter(|_| rank.is_first() && rank.of != Some(1))?;
        let file = |number: u32| {
            let path = name_of(&base, &number.to_string());
            // The list is the last that is written there.
            Awaited::at(if is_folder { path.join(LIST) } else { path })
        };
        Some(Self { files: rank.of.map(|number| (1..number).map(file).collect()) })
    }

    /// Waits until the others have written profiles like `ours`, and says which have not. Gives the files.
    pub(super) fn wait(&self, ours: &Profiled) -> Vec<PathBuf> {
        /// How often we look, and how long we wait for the next one.
        const PAUSE: Duration = Duration::from_millis(20);
        const PATIENCE: Duration = Duration::from_secs(5);
        let Some(files) = &self.files else {
            say(&anyhow!(
                "the launcher does not say how many ranks there are; this is the summary of rank 0, and gmon \
                 report takes the files of all"
            ));
            return Vec::new();
        };
        // Beside them may be that of an earlier run.
        let has_stacks = ours.data.iter().all(|file| full_of(file).is_some());
        let is_there = |it: &&Awaited| it.is_written(has_stacks);
        let (mut last, mut known) = (Instant::now(), 0);
        loop {
            let (written, missing): (Vec<_>, Vec<_>) = files.iter().partition(is_there);
            if written.len() > known {
                (known, last) = (written.len(), Instant::now());
            }
            if missing.is_empty() || last.elapsed() > PATIENCE {
                say_missing(&missing);
                return written.into_iter().flat_map(|it| it.data_of(&ours.program)).collect();
            }
            sleep(PAUSE);
        }
    }
}

/// Says which profiles are not in the summary.
fn say_missing(missing: &[&Awaited]) {
    let Some(first) = missing.first() else { return };
    let more = match missing.len() {
        1 => String::new(),
        number => format!(" and {} more", number - 1),
    };
    say(&anyhow!(
        "the profiles of other ranks are not here yet: {}{more}; the summary is without them",
        first.path.display()
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_launcher() {
        for (variables, expected) in [
            (&[("PMI_RANK", "2"), ("PMI_SIZE", "4")][..], Some(("2", Some(4)))),
            (&[("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "2")], Some(("0", Some(2)))),
            (&[("PMIX_RANK", "7")], Some(("7", None))),
            (&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "8")], Some(("0", None))),
            (&[("PMI_RANK", "x")], None),
            (&[("PMI_RANK", "")], None),
            (&[("HOME", "1")], None),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.as_bytes().to_vec())
            };
            let rank = Rank::new(variable);
            let found = rank.as_ref().map(|rank| (rank.number.as_str(), rank.of));
            assert_eq!(found, expected, "{variables:?}");
        }
        let rank = Rank { number: "3".into(), of: None };
        assert_eq!(rank.name(Path::new("d/gmon.out")), Path::new("d/gmon.out.3"));
        assert!(!rank.is_first());
    }
}
