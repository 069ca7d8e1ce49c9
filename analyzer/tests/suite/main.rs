//! Tests of the whole analyzer, on programs and data made here and on real ones.

mod bytes;
mod code_and_lists;
mod command_lines;
mod conformance;
mod damage;
mod data;
mod demangling;
mod demangling_styles;
mod elf;
mod errors;
mod formats;
mod gnu;
mod golden;
mod local_names;
mod orders;
mod ports;
mod random;
mod real_programs;
mod report_differences;
mod run;
mod scale;
mod separate_names;
mod static_calls;
mod symbol_lists;
mod symspecs;
mod workplace;
