//! Hands on what `gmon-system` found in the table of ports: whose assembly in `asm/` is that of the hooks.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(gmon_unstable_asm)");
    println!("cargo::rustc-env=GMON_PROCESSOR={}", found("PROCESSOR"));
    if found("UNSTABLE") == "asm" {
        println!("cargo::rustc-cfg=gmon_unstable_asm");
    }
}

fn found(name: &str) -> String {
    let name = format!("DEP_GMON_SYSTEM_{name}");
    env::var(name).expect("cargo hands on what a build script says")
}
