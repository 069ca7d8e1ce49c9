//! Executions of source lines: compared with what the compilers' own coverage counts, and shown.

mod annotate;
mod counters;
mod defects;
mod examples;
mod lcov;
mod ports;
mod preloaded;
mod rust;
mod tracefile;
