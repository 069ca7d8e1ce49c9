//! Samples at the worst of moments: at each instruction of the hooks.

use support::{
    compilers::GCC,
    modes::{Mode, mode},
    stubs,
};

/// Stubs of all kinds of hooks.
#[test]
fn every_instruction_of_a_hook_has_the_right_stack() {
    const CYG: &[&str] = &["-finstrument-functions"];
    let of_functions = Mode { hooks: CYG, name: "functions", ..*mode("static, own start") };
    for mode in [mode("static, own start"), mode("fentry, static"), &of_functions] {
        stubs::check(GCC, mode);
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn every_instruction_that_counts_a_call_of_a_library_has_the_right_stack() {
    stubs::check_library_calls(GCC);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn every_instruction_that_times_a_call_has_the_right_stack() {
    stubs::check_exits(GCC);
}
