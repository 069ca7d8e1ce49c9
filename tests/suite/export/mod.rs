//! `gmon export`: each format holds what `gmon gprof` and the full profile say.

mod choices;
mod consumers;
mod executions;
mod fleet;
mod json;
mod names;
mod speedscope;
mod subjects;
