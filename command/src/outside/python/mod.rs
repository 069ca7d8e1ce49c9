//! Functions of Python in the stacks of samples, in the place of the evaluator's frames.
//!
//! | file | what it is |
//! |---|---|
//! | `found` | the interpreter among the modules |
//! | `memory` | the stack as it was, and the rest as it is now |
//! | `merge` | frames of both kinds in their order |
//! | `runs` | the frames of Python that each run of the evaluator executed |
//! | `scripts` | code objects: an address for each line of each, and what a file says of them |
//!
//! The stack of C is a copy of the moment of the sample, and says of each run of the evaluator which frame it executed, and at
//! which instruction. These frames lie elsewhere, and are read a moment later from a process that goes on. So all that is read
//! is compared with what the copy says; where they disagree the evaluator's frame stays, and is counted.

mod found;
mod memory;
mod merge;
mod runs;
mod scripts;

pub(super) use merge::Python;
