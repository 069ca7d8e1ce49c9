//! Turns linker names back into names of the source language, to the byte as the GNU tools print
//! them: C++ (Itanium C++ ABI), Rust, and what GNU's compilers make of D, Ada and Java.
//!
//! ```
//! use gmon_demangle::{Demangling, Detail};
//!
//! let readable = Demangling::Auto.demangle(b"_ZNSt6vectorIiSaIiEE9push_backERKi");
//! assert_eq!(*readable, *b"std::vector<int, std::allocator<int> >::push_back(int const&)");
//!
//! let short = Demangling::Auto.demangle_to(Detail::Short, b"_ZNSt6vectorIiSaIiEE9push_backERKi");
//! assert_eq!(*short, *b"std::vector<_>::push_back(int const&)");
//! ```
//!
//! Names are bytes, since no linker asks for more. They are input like any other: depth, steps and
//! length are limited, and a name that breaks the grammar of its language comes back as it is.
//!
//! [`Demangling::Source`] is for people instead of for comparison: it knows Fortran, too, and writes Ada's names as
//! Ada's programmers do.
//!
//! The features `ada`, `d` and `java`, all on unless switched off, add their languages.

#![forbid(unsafe_code)]

#[cfg(feature = "ada")]
mod ada;
mod cpp;
#[cfg(feature = "d")]
mod d;
mod demangling;
mod fortran;
mod rust;
mod short;

pub use demangling::{Demangling, Detail, Language};
pub use short::shorten;
