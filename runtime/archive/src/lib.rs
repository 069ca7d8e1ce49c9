//! The archive.
#![no_std]
