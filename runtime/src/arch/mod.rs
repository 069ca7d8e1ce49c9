//! What differs between processors, chosen at compile time.
//!
//! Each file includes its assembly and defines, for the rest of the runtime:
//!
//! | name | meaning |
//! |---|---|
//! | `table_word`, `set_table_word`, `clear_table_word` | the thread-local word that holds the thread's table |
//! | `has_thread_pointer` | whether thread-local storage can be used yet |
//! | `has_static_c_library` | whether a C library in the program will set it up |
//! | `interrupted_pc` | the program counter in a signal's context |
//! | `call_site` | an address inside the call that a frompc belongs to |
//! | `external_caller` | address of the function that stands for callers outside the program |
//! | `syscall` | a system call that leaves `errno` alone |
//! | `signal_restorer` | where signal handlers return to |
//! | `call_on_stack` | a call on another stack |
//! | `at_exit`, `at_quick_exit`, `at_fork`, `auxiliary_value`, `environment` | the C library's, where there is one |
//!
//! *Context:* any, unless the C library is called.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;
