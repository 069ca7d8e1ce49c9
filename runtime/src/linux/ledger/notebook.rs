//! The notebook of a process: a file of its own in the ledger that is mapped, so that no descriptor stays open, and
//! that takes lines also when the process has another root or other rights.
//!
//! *Context:* `begin` startup or hook; the rest exit.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, Ordering};

use gmon_format::ledger::{NOTEBOOK, NOTEBOOK_LEN};
use gmon_system::decimal::Decimal;
use gmon_system::path::Path;
use gmon_system::platform::{self, Directory, Errno, MappedFile};

use crate::linux::naming;

/// Bytes of text. The number of those that are written follows them.
const TEXT: usize = NOTEBOOK_LEN - size_of::<AtomicU32>();
const _: () = assert!(TEXT % align_of::<AtomicU32>() == 0);

/// Whoever runs `gmon run` reads it, also where this process has the rights of root by `sudo`.
const MODE: u32 = 0o644;

/// The file as it is mapped.
#[repr(C)]
pub(super) struct Notebook {
    text: [AtomicU8; TEXT],
    len: AtomicU32,
}

static NOTEBOOK_OF_PROCESS: AtomicPtr<Notebook> = AtomicPtr::new(null_mut());

/// Start and end of the last line that told an end; the next such line takes its place.
static LAST_END: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

impl Notebook {
    /// Makes one for this process in a folder; false if it cannot. Then a forked child goes on in its parent's.
    pub(super) fn begin(folder: &[u8]) -> bool {
        LAST_END.iter().for_each(|end| end.store(0, Ordering::Relaxed));
        // It may be refused space by a signal.
        let created = platform::without_signals(|| Self::create(folder));
        created.map(|it| NOTEBOOK_OF_PROCESS.store(it, Ordering::Release)).is_ok()
    }

    fn create(folder: &[u8]) -> Result<*mut Self, Errno> {
        let time = Decimal::new(platform::since_boot().unsigned_abs());
        let (name, process) = (NOTEBOOK.as_bytes(), naming::process());
        let path = Path::new(&[folder, name, process.as_bytes(), b".", time.as_bytes()])?;
        let file = MappedFile::create(Directory::CURRENT, path.as_c_str(), MODE)?;
        let mapped = file.reserve(0, NOTEBOOK_LEN).and_then(|()| file.map(0, NOTEBOOK_LEN));
        file.close();
        mapped.map(<*mut u8>::cast)
    }

    /// The notebook of this process.
    pub(super) fn get() -> Option<&'static Self> {
        // SAFETY: null, or a mapping of this many bytes, aligned to pages, that is never unmapped and that is only
        // accessed by atomics. Its file has all its bytes and is its owner's, who alone could make it shorter.
        unsafe { NOTEBOOK_OF_PROCESS.load(Ordering::Acquire).as_ref() }
    }

    /// Adds a line, if there is room. A process may tell its end again and again, as snapshots do: of ends that follow
    /// one another only the last stays.
    pub(super) fn add(&self, line: &[u8], is_end: bool) {
        let [start, end] = LAST_END.each_ref().map(|place| place.load(Ordering::Relaxed));
        let mut len = self.len.load(Ordering::Acquire);
        let (start, end) = loop {
            let start = if is_end && end != 0 && end == len { start } else { len };
            let end = start.saturating_add(line.len() as u32);
            if end as usize > TEXT {
                return;
            }
            match self.len.compare_exchange(len, end, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break (start, end),
                Err(now) => len = now,
            }
        };
        if is_end {
            LAST_END.iter().zip([start, end]).for_each(|(to, it)| to.store(it, Ordering::Relaxed));
        }
        let rest = line.iter().copied().chain(core::iter::repeat(0));
        let places = self.text.iter().take(len.max(end) as usize).skip(start as usize);
        places.zip(rest).for_each(|(place, byte)| place.store(byte, Ordering::Relaxed));
    }
}
