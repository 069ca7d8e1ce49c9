//! Work of the runtime where there is no system: the program brings a block of memory, ticks and a
//! sink for bytes ([`board`]), and says when the profile begins and when it is written.
//!
//! All memory is laid out when the profile starts, so that no hook ever waits for any. There are no threads:
//! harts and interrupt handlers count in one table, by additions that none of them can lose.
//!
//! *Context:* as each module says. A *hook* may be inside an interrupt handler, and so may a *tick*.

/// Assembly behind the hooks.
macro_rules! system_assembly {
    () => {
        shared_assembly!(".bare.S")
    };
}

/// True if the word that hooks know their table by is each thread's own.
pub(crate) const HAS_THREADS: bool = false;

pub(crate) mod ends;
pub(crate) mod entry;
pub(crate) mod life;
pub(crate) mod note;
pub(crate) mod threads;
