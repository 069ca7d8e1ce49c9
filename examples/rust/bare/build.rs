//! Links the program without start files and C library.

fn main() {
    for option in ["-nostartfiles", "-nostdlib", "-static", "-no-pie"] {
        println!("cargo::rustc-link-arg-bins={option}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
