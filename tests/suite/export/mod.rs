//! `gmon export`: each format holds what `gmon gprof` and the full profile say.

mod json;
mod subjects;
