//! `gmon export`: each format holds what `gmon gprof` and the full profile say.

mod choices;
mod consumers;
mod json;
mod subjects;
