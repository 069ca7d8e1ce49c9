//! What the writers write, the readers read, in every format and encoding.

mod bsd;
mod file;
mod gnu;
mod guess;
mod names;
mod options;
