//! Data files of every format: told apart, read, mixed, summed and written.

mod checks;
mod differences;
mod many_files;
mod mixing;
mod mutations;
mod sum;
