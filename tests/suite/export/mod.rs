//! `gmon export`: each format holds what `gmon gprof` and the full profile say.

mod choices;
mod compilers;
mod consumers;
mod executions;
mod fleet;
mod json;
mod names;
mod probed;
mod speedscope;
mod subjects;
mod versions;
mod views;
