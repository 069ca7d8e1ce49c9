//! Linux, by system calls of its own.
//!
//! | file | what it is |
//! |---|---|
//! | `platform/`, `machine/`, `libc` | calls into the kernel, made without the C library |
//! | `c_library`, `environment` | what the program brings, if it does |
//! | `program`, `loader`, `listed` | the program, the modules that are loaded, the symbols of a file |
//! | `region`, `reserve`, `signal_stack` | memory that is not the program's |
//! | `memory`, `valgrind` | reads of memory that may not be there |
//! | `clock` | the time, cheaply |
//! | `message`, `path` | texts without allocation |
//! | `brief` | descriptors that no forked child keeps |
//! | `writable_code` | code that is changed while it runs |
//!
//! *Context:* as each module says.

pub mod brief;
pub mod c_library;
pub mod clock;
pub mod environment;
pub mod libc;
pub mod listed;
pub mod loader;
pub mod machine;
pub mod memory;
pub mod message;
pub mod path;
pub mod platform;
pub mod program;
pub mod region;
pub mod reserve;
pub mod signal_stack;
pub mod valgrind;
pub mod writable_code;
