//! Any words as command lines and as symspecs, and words from files.

mod checks;
mod mutations;
mod response_files;
