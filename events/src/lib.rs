//! Running processes, as Linux lets others see them: samples by performance events, and steps. And what a process got from its
//! caller, to pass it on.
//!
//! ```text
//! Order ─→ Event (thread, processor) ─→ Ring (processor) ─→ Record ─→ Registers, stack
//! ```
//!
//! An [`Event`] belongs to a thread and a processor, and to the threads and processes that the thread starts. All events of
//! a processor share a [`Ring`], since memory for rings is scarce. Nothing is put into the observed process, and nothing
//! stops it: the kernel copies registers and stack when the timer interrupts it.
//!
//! | file | what it is |
//! |---|---|
//! | `caller` | streams and signals as our caller left them, for programs that we start |
//! | `follow` | lets a thread run instruction by instruction for a moment |
//! | `event` | opens events, and switches them on and off |
//! | `ring` | the memory that the kernel writes records to |
//! | `record` | the records, as numbers and names |
//! | `registers` | registers in the order that the kernel has and in the one that unwinders have |

mod caller;
mod event;
mod follow;
mod record;
mod registers;
mod ring;

pub use caller::pass_on_state;
pub use event::{Event, Heirs, Order};
pub use follow::{CAN_FOLLOW, WaitStatus, follow};
pub use record::{Id, Mapping, Record, Sample};
pub use registers::{REGISTERS, Registers};
pub use ring::Ring;
