//! Work of the runtime under Linux: processes, threads, signals, files and the environment.
//!
//! *Context:* as each module says.

/// Assembly behind the hooks.
macro_rules! system_assembly {
    () => {
        concat!(assembly!("linux.S"), shared_assembly!(".linux.S"))
    };
}

/// True if the word that hooks know their table by is each thread's own.
pub(crate) const HAS_THREADS: bool = true;

pub(crate) mod dormant;
pub(crate) mod ends;
pub(crate) mod entry;
pub(crate) mod exclusive;
pub(crate) mod first_calls;
pub(crate) mod full;
pub(crate) mod ledger;
pub(crate) mod libcalls;
pub(crate) mod life;
pub(crate) mod live;
pub(crate) mod log;
pub(crate) mod naming;
pub(crate) mod options;
pub(crate) mod output;
pub(crate) mod process;
pub(crate) mod sampler;
pub(crate) mod snapshot;
pub(crate) mod threads;
pub(crate) mod times;
pub(crate) mod turns;
pub(crate) mod writer;
