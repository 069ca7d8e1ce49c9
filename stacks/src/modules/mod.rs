//! The program and its libraries: whose code lies where, and where its unwind rules are.
//!
//! Every module that was seen has a record, which stays; those that are mapped now are in an index, which
//! is replaced as a whole. It is made when an address is met that is in no module, but not again and
//! again for code that is in none, and when the profile is written.
//!
//! *Context:* any.

mod candidate;
mod fileless;
mod index;
mod look;
mod pause;
mod record;

use gmon_unwind::{Native, Tables};

use index::find;
use look::look_again;

pub(super) use fileless::has as has_made;
pub(super) use index::{has, moment, stays};
pub(super) use look::{forget, look_if_added, look_now, look_now_and_then, note_removed};
pub(super) use pause::{may_leave, pause};
pub(super) use record::{Module, modules};

/// Facts about the code at an address.
pub(super) enum Code {
    /// Its module has rules.
    Of(Tables<'static, Native>),
    /// Its module has none, or it is in none.
    WithoutRules,
    /// Its module may be about to be unloaded.
    Leaving,
    /// Code in no module that is known, while somebody looks for others.
    Awaited,
}

/// Facts about the code at an address, for a walk. It looks for modules that were loaded meanwhile.
pub(super) fn code(pc: usize) -> Code {
    // Asked first: a pause that begins later waits for this walk, but one that ends between the two leaves what was found unmapped.
    let may_leave = may_leave();
    let has_looked = find(pc).is_some() || look_again();
    let module = find(pc);
    // What was there from the start stays.
    let is_leaving = |module: &Module| module.loaded != 0 && may_leave;
    match module.map(|module| (is_leaving(module), module.tables)) {
        Some((true, _)) => Code::Leaving,
        Some((false, Some(tables))) => Code::Of(tables),
        None if !has_looked => Code::Awaited,
        Some((false, None)) | None => Code::WithoutRules,
    }
}
