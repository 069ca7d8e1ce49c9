//! Changes of code that all threads see.
//!
//! *Context:* any.

use super::call::call;

/// Returns when every thread of the process executes code as it is now: what a processor has read ahead is void
/// (membarrier(2), `PRIVATE_EXPEDITED_SYNC_CORE`). False if the kernel cannot do it, as before 4.16.
pub(crate) fn renew_code() -> bool {
    const SYNC_CORE: i32 = 1 << 5;
    const REGISTER: i32 = 1 << 6;
    // SAFETY: the call changes nothing that a program could see.
    let command = |command: i32| unsafe { call!(SYS_membarrier, command, 0, 0) }.is_ok();
    // A process has to register first, and again after exec.
    command(SYNC_CORE) || command(REGISTER) && command(SYNC_CORE)
}
