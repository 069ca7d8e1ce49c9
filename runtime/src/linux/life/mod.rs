//! The life of a profile: started once by whoever comes first, paused and resumed at will, begun
//! again in a forked child, written on request and at exit, and finished behind the last destructor.
//!
//! | file | what it is |
//! |---|---|
//! | `parts` | the table of the profile's parts, with what each does at every event |
//! | `run` | pause, resume, reset and fork: what may happen while a profile is taken |
//! | `end` | writing it, and the ends of program and profile |
//! | `requests` | what users ask for meanwhile |
//! | `start` | the beginning, and calls that the stubs cannot count |
//!
//! *Context:* `count_call` in a hook; `start` at startup or in a hook; `attach` at startup; the rest
//! anywhere.

mod end;
mod parts;
mod requests;
mod run;
mod start;

#[cfg(not(test))]
pub(crate) use end::end;
pub(crate) use end::{
    abandon, after_failed_exec, attach, await_exit, before_exec, clean_up, finish, is_preloaded,
    note_start_file, snapshot,
};
pub(crate) use run::{after_fork_in_child, pause, reset, resume};
#[cfg(not(test))]
pub(crate) use start::has_early_calls;
pub(crate) use start::{count_call, note, start, start_by_hook, start_or_resume};
