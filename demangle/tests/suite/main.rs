//! Names come out as the GNU tools print them, and damaged ones do no harm.

mod checks;
mod cpp_and_rust;
mod damage;
mod gnu;
#[cfg(any(feature = "ada", feature = "d", feature = "java"))]
mod styles;
