//! Reads of memory that may not be there: a stack may be damaged, and what looks like an address in it
//! need not be one.
//!
//! The kernel says whether a page can be read, by a system call that changes nothing; pages that could
//! be read are remembered for one walk. In the next one they may be gone: a register that holds no frame
//! pointer may lead into memory that the program has given back since. What any thread may give back at any time, the
//! kernel copies: that takes ten times as long as the question, but cannot come too late. Modules that stay, and pages that were read
//! before a walk guessed, need no copies. Pages of modules that stay are remembered for all walks.
//!
//! *Context:* signal.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::linux::{platform, valgrind};

/// Unit of checks. Pages are never smaller.
pub const PAGE: usize = 4096;

/// Pages that are remembered, by the last bits of their numbers: frames of Python alternate between the interpreter's stack and code
/// all over memory.
const SETS: usize = 16;
const WAYS: usize = 4;

/// Pages that are remembered because nobody can unmap them.
const STAYING: usize = 16;

/// For places that are filled once.
pub type Memory = Readable<0>;

/// For walks.
pub type WalkMemory = Readable<8>;

/// Memory that is known to be readable, and copies of some pages. All zeros are valid, and know nothing yet.
///
/// A walk that guesses goes to and fro between the stack, what registers may point to, and the code that words of the
/// stack may return to. Who only fills places keeps no copies.
#[repr(C)]
pub struct Readable<const COPIES: usize> {
    /// True if the kernel copies all that is read.
    is_shared: bool,
    /// True if it copies what is read from now on.
    copies: bool,
    /// Number of the walk, below [`PAGE`]: marks what belongs to it, so that what was before need not be wiped.
    walk: usize,
    /// Says of an address if nobody can unmap it.
    stays: Option<fn(usize) -> bool>,
    /// When that was said.
    moment: usize,
    /// Pages that stay, which are remembered until others are said to.
    staying: [usize; STAYING],
    /// Addresses of pages with the number of their walk, the last one that came first; 0 for none, since the first page of
    /// memory is never readable.
    pages: [[usize; WAYS]; SETS],
    kept: [Kept; COPIES],
    /// The next one of them to be given up.
    oldest: usize,
}

/// A page that the kernel was to copy.
struct Kept {
    /// Its address with the number of the walk; 0 for none.
    page: usize,
    is_there: bool,
    bytes: [u8; PAGE],
}

impl Kept {
    const NONE: Self = Self { page: 0, is_there: false, bytes: [0; PAGE] };
}

impl<const COPIES: usize> Readable<COPIES> {
    /// Memory of which nothing is known yet.
    pub const fn new() -> Self {
        Self {
            is_shared: false,
            copies: false,
            walk: 0,
            stays: None,
            moment: 0,
            staying: [0; STAYING],
            pages: [[0; WAYS]; SETS],
            kept: [Kept::NONE; COPIES],
            oldest: 0,
        }
    }

    /// Memory that other threads may unmap between the look whether it is there and reading it, as files that the
    /// program has mapped: the kernel copies it, where it may.
    pub fn shared() -> Self {
        let mut memory = Self::new();
        memory.share(true);
        memory
    }

    /// Says whether other threads may unmap it so.
    pub fn share(&mut self, is_shared: bool) {
        self.is_shared = is_shared && may_copy();
        self.copies = self.is_shared;
    }

    /// Says which memory nobody can unmap. Its answers are the same as long as the moment is.
    pub fn trust(&mut self, stays: fn(usize) -> bool, moment: usize) {
        self.stays = Some(stays);
        if self.moment != moment {
            self.moment = moment;
            self.staying = [0; STAYING];
        }
    }

    /// Fills a place with what is at an address.
    #[inline(never)]
    pub fn fill(&mut self, place: &mut [u8], address: usize) -> Option<()> {
        if self.copies {
            return platform::copy_to(place, address).then_some(());
        }
        for (n, byte) in place.iter_mut().enumerate() {
            [*byte] = gmon_unwind::Memory::bytes(self, address.checked_add(n)? as u64)?;
        }
        Some(())
    }

    /// Begins a walk.
    pub fn begin(&mut self) {
        self.walk += 1;
        if self.walk == PAGE {
            self.walk = 1;
            self.pages = [[0; WAYS]; SETS];
            self.kept.iter_mut().for_each(|kept| kept.page = 0);
        }
        self.copies = self.is_shared;
    }

    /// Returns `true` if the page of an address could be read in this walk.
    #[inline]
    fn is_known(&self, address: usize) -> bool {
        let page = address & !(PAGE - 1);
        let near = self.pages.get(page / PAGE % SETS);
        let is_near = near.is_some_and(|near| near.contains(&(page | self.walk)));
        page != 0 && (is_near || self.staying.contains(&page))
    }

    /// Takes it that the page of an address can be read, in this walk.
    pub fn know(&mut self, address: usize) {
        let page = address & !(PAGE - 1);
        let (marked, near) = (page | self.walk, self.pages.get_mut(page / PAGE % SETS));
        if let Some(near) = near.filter(|near| !near.contains(&marked)) {
            put_first(near, marked);
        }
    }

    /// Returns `true` if memory between two addresses was read before the walk guessed, or stays.
    fn can_trust(&self, first: usize, last: usize) -> bool {
        [first, last].into_iter().all(|address| self.is_known(address) || self.stays(address))
    }

    /// Returns `true` if nobody can unmap what is at an address.
    fn stays(&self, address: usize) -> bool {
        self.stays.is_some_and(|stays| stays(address))
    }

    #[inline(never)]
    fn is_readable(&mut self, address: usize) -> bool {
        let page = address & !(PAGE - 1);
        if self.is_known(address) {
            return true;
        }
        let is_readable = page != 0 && valgrind::is_readable(page);
        if is_readable && self.stays(page) && self.stays(page + PAGE - 1) {
            put_first(&mut self.staying, page);
        } else if is_readable {
            self.know(page);
        }
        is_readable
    }

    /// Copies bytes by way of the kernel. Neighbours come along, for the next read: a page takes it no longer than a word.
    #[inline(never)]
    fn copied<const LEN: usize>(&mut self, address: usize) -> Option<[u8; LEN]> {
        let place = address % PAGE;
        if COPIES == 0 || place + LEN > PAGE {
            return platform::copy(address);
        }
        self.page(address - place)?.get(place..)?.first_chunk().copied()
    }

    /// The copy of a page, if it is there.
    fn page(&mut self, page: usize) -> Option<&[u8; PAGE]> {
        if page == 0 {
            return None;
        }
        let marked = page | self.walk;
        let known = self.kept.iter().position(|kept| kept.page == marked);
        let kept = self.kept.get_mut(known.unwrap_or(self.oldest))?;
        if known.is_none() {
            let is_there = platform::copy_to(&mut kept.bytes, page);
            (kept.page, kept.is_there) = (marked, is_there);
            self.oldest = (self.oldest + 1) % COPIES;
        }
        kept.is_there.then_some(&kept.bytes)
    }
}

impl<const COPIES: usize> gmon_unwind::Memory for Readable<COPIES> {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        let address = address as usize;
        let last = address.checked_add(LEN.saturating_sub(1))?;
        // Memory of valgrind's own can be read, but not without a report.
        if self.copies && !self.can_trust(address, last) || valgrind::is_there() {
            return self.copied(address);
        }
        // Nearly always both are on one page.
        let is_known = self.is_known(address) || self.is_readable(address);
        let is_on_one = address / PAGE == last / PAGE;
        if !is_known || !is_on_one && !self.is_readable(last) {
            return None;
        }
        // SAFETY: the kernel could read both pages that the bytes lie in, and rules lead to the thread's own stack, which
        // stays as long as the thread stands here; where they do not, `doubt` was called.
        Some(unsafe { (address as *const [u8; LEN]).read_volatile() })
    }

    /// A guess may lead beyond the thread's stack, to pages that another thread unmaps after they were asked for.
    fn doubt(&mut self) {
        self.copies |= may_copy();
    }
}

/// Puts a page before others, the last of which is forgotten.
fn put_first(pages: &mut [usize], page: usize) {
    let mut earlier = page;
    for place in pages {
        core::mem::swap(place, &mut earlier);
    }
}

/// Returns `true` if the kernel copies for this process: a filter of system calls may forbid it.
pub fn may_copy() -> bool {
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;
    let known = ANSWER.load(Ordering::Relaxed);
    if known != UNKNOWN {
        return known == YES;
    }
    let may_copy = platform::copy::<1>(&raw const KNOWN as usize).is_some();
    ANSWER.store(if may_copy { YES } else { NO }, Ordering::Relaxed);
    may_copy
}

/// Returns `true` if the system tells what can be read: one that says so of the first page does
/// not.
pub fn can_be_checked() -> bool {
    !valgrind::is_readable(64) && valgrind::is_readable(&raw const KNOWN as usize)
}

/// Memory that can be read.
static KNOWN: [usize; 2] = [0; 2];

#[cfg(test)]
mod tests {
    use core::sync::atomic::AtomicUsize;

    use gmon_unwind::Memory as _;

    use super::*;

    fn word<const COPIES: usize>(memory: &mut Readable<COPIES>, address: usize) -> Option<usize> {
        memory.bytes(address as u64).map(usize::from_ne_bytes)
    }

    /// Takes access to a page away. It is not unmapped: another test might get a page that is free.
    fn close(page: usize) {
        // SAFETY: nobody uses the page.
        assert_eq!(unsafe { ::libc::mprotect(page as _, PAGE, ::libc::PROT_NONE) }, 0);
    }

    /// Reads four pages, of which the second is closed, and the first ends with a 7.
    fn check<const COPIES: usize>(mut memory: Readable<COPIES>, base: usize) {
        memory.begin();
        for _ in 0..2 {
            assert_eq!(word(&mut memory, base + PAGE - size_of::<usize>()), Some(7));
            assert_eq!(word(&mut memory, base + PAGE - 1), None);
            for address in [base + PAGE, 0, 1, usize::MAX, usize::MAX - 7] {
                assert_eq!(word(&mut memory, address), None);
            }
            assert_eq!(word(&mut memory, base + 2 * PAGE + 3), Some(0));
            // Over the end of a page.
            assert_eq!(word(&mut memory, base + 3 * PAGE - 3), Some(0));
        }
    }

    #[test]
    fn what_is_not_there_is_not_read() {
        assert!(can_be_checked() && may_copy());
        let base = platform::map(4 * PAGE).unwrap() as usize;
        close(base + PAGE);
        // SAFETY: the first page is still mapped.
        unsafe { ((base + PAGE - size_of::<usize>()) as *mut usize).write(7) };
        check(Memory::new(), base);
        check(Memory::shared(), base);
        check(WalkMemory::new(), base);
        check(WalkMemory::shared(), base);
        check(Readable::<1>::shared(), base);
    }

    #[test]
    fn pages_are_forgotten_before_the_next_walk() {
        let check = |mut memory: WalkMemory| {
            let base = platform::map(PAGE).unwrap() as usize;
            memory.begin();
            assert_eq!(word(&mut memory, base), Some(0));
            close(base);
            memory.begin();
            assert_eq!(word(&mut memory, base), None);
        };
        check(WalkMemory::new());
        check(WalkMemory::shared());
    }

    #[test]
    fn a_walk_of_the_same_number_knows_no_page_of_an_earlier_one() {
        let mut memory = Memory::new();
        memory.begin();
        memory.know(PAGE);
        (1..PAGE).for_each(|_| memory.begin());
        assert!(!memory.is_known(PAGE));
    }

    #[test]
    fn pages_that_stay_are_asked_for_once() {
        let base = platform::map(2 * PAGE).unwrap() as usize;
        static STAYS: AtomicUsize = AtomicUsize::new(0);
        STAYS.store(base, Ordering::Relaxed);
        let mut memory = WalkMemory::new();
        let stays: fn(usize) -> bool =
            |address| address & !(PAGE - 1) == STAYS.load(Ordering::Relaxed);
        memory.trust(stays, 1);
        for page in [base, base + PAGE] {
            assert_eq!(word(&mut memory, page), Some(0));
        }
        memory.begin();
        assert!(memory.is_known(base) && !memory.is_known(base + PAGE));
        STAYS.store(0, Ordering::Relaxed);
        memory.trust(stays, 2);
        memory.begin();
        assert!(!memory.is_known(base));
    }

    #[test]
    fn pages_with_the_same_last_bits_are_remembered_together() {
        let mut memory = Memory::new();
        let page = |number: usize| (1 + number) * SETS * PAGE;
        (0..WAYS).chain([0]).for_each(|number| memory.know(page(number)));
        assert!((0..WAYS).all(|number| memory.is_known(page(number))));
        memory.know(page(WAYS));
        let known = |number: &usize| memory.is_known(page(*number));
        assert!((0..=WAYS).filter(known).eq(1..=WAYS));
        assert!(!memory.is_known(0));
    }
}
