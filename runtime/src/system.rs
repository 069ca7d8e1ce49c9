//! The contract between the runtime's core and a system: all that the core may ask of one.
//!
//! The core (tables, histogram, records, `hooks/`) knows no system. It reaches the one it is compiled for by
//! the names below and by those of `gmon-system` that every system has (its `contract`), and by no others. Every system
//! has a folder that defines them: `linux/` or `bare/`. The compiler checks the signatures for each; *Context* says
//! where the core calls them, so there they must work.
//!
//! A system calls the core freely. It also exports the functions by which programs reach it (`entry`), and
//! defines the macro `system_assembly!`, which the stubs end with.

#[cfg(target_os = "none")]
use crate::bare as this;
#[cfg(target_os = "linux")]
use crate::linux as this;

pub use this::ends::abort;
pub use this::entry::*;

/// True if the word that hooks know their table by is each thread's own.
pub(crate) const HAS_THREADS: bool = this::HAS_THREADS;

/// Hands on functions of a module of the system, and only those, if they have these signatures.
macro_rules! functions {
    ($(#[$about:meta])* $module:ident {
        $($(#[$meta:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*
    }) => {
        $(#[$about])*
        pub(crate) mod $module {
            $($(#[$meta])* pub(crate) use super::this::$module::$name;)*
        }
        $(const _: fn($($type),*) $(-> $result)? = $module::$name;)*
    };
}

functions! {
    /// The life of a profile.
    life {
        /// Counts one call that the stub could not count. *Context:* hook.
        fn count_call(from_pc: usize, self_pc: usize);
        /// Starts the profile if the program's first hook is to do that. *Context:* hook.
        fn start_by_hook();
        /// Starts a profile, or goes on with a paused one. *Context:* startup.
        fn start_or_resume();
        /// Pauses counting and sampling. *Context:* any but a hook.
        fn pause();
        /// Goes on after `pause`. *Context:* any but a hook.
        fn resume();
        /// Sets all counts to zero. *Context:* any but a hook.
        fn reset();
        /// Writes the profile as it is now and goes on; false if nothing was written. *Context:* any but a
        /// hook.
        fn snapshot() -> bool;
        /// Stops the profile and writes it, as the start file asks at exit and programs at any time. *Context:* exit.
        fn clean_up();
    }
}

/// The tables that calls are counted in.
pub(crate) mod threads {
    use super::this;
    use crate::counted::Counted;

    /// The counts of all tables, in no order and with repetitions. *Context:* exit.
    pub(crate) fn counts() -> impl Iterator<Item = Counted> {
        this::threads::counts()
    }

    /// The number of counts that [`counts`] gives, or a few more. *Context:* exit.
    pub(crate) fn used() -> usize {
        this::threads::used()
    }
}
