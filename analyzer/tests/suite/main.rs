//! Tests of the whole analyzer, on programs and data made here and on real ones.

mod data;
mod demangling;
mod elf;
mod errors;
mod formats;
mod gnu;
mod golden;
mod local_names;
mod random;
mod random_options;
mod random_programs;
mod real_programs;
mod run;
mod scale;
mod separate_names;
