//! Tests of the whole analyzer, on programs and data made here and on real ones.

mod bytes;
mod code_and_lists;
mod command_lines;
mod comparison;
mod conformance;
mod damage;
mod data;
mod elf;
mod errors;
mod file_differences;
mod formats;
mod full_profiles;
mod gnu;
mod golden;
mod lines;
mod local_names;
mod machines;
mod made_code;
mod measurements;
mod orders;
mod ports;
mod random_sources;
mod real_programs;
mod report_differences;
mod run;
mod scale;
mod stacks;
mod static_calls;
mod symbol_lists;
mod symspecs;

use support::random;
