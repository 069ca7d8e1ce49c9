//! The gmon profiling runtime.
#![no_std]
