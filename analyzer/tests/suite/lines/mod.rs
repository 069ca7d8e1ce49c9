//! Lines, inlined functions, annotated sources and basic blocks, from the debug information of real
//! compilers.

mod annotation;
mod compiled;
mod damaged;
mod debug_files;
mod execution_counts;
mod inline_chains;
mod same_as_gnu;
