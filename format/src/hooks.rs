//! Names of the functions that compilers have instrumented code call, and of the runtime's own.
//!
//! A machine that puts a letter before the names of C puts it before these as well.

/// A hook of basic blocks: gcc's `-fsanitize-coverage=trace-pc`.
pub const TRACE_PC: &str = "__sanitizer_cov_trace_pc";

/// A hook of basic blocks or, in Rust programs, of functions: clang's and LLVM's
/// `-fsanitize-coverage=trace-pc-guard`.
pub const TRACE_PC_GUARD: &str = "__sanitizer_cov_trace_pc_guard";

/// The hooks that `-pg` asks for.
pub const OF_PG: &[&str] = &["mcount", "_mcount", "__fentry__"];

/// Name of what stands for callers outside of the program.
pub const EXTERNAL_CALLER: &str = "__external_caller";

/// Function that start files of `-pg` call before the program starts. Only a linked program refers
/// to it.
pub const START: &str = "__monstartup";

/// Hooks of other options. Any runtime may define these, so a program that defines them does not show by that
/// who profiles it.
pub const OF_OTHERS: &[&str] =
    &["__cyg_profile_func_enter", TRACE_PC, TRACE_PC_GUARD, "__bb_init_func"];

/// Functions of profiling runtimes, which GNU gprof leaves out of every report on time.
pub const OF_RUNTIMES: &[&str] =
    &["_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup"];

/// Functions of instrumented code that are in none of these lists.
const MORE: &[&str] = &[
    "__gnu_mcount_nc",
    "__cyg_profile_func_exit",
    "__sanitizer_cov_trace_pc_guard_init",
    "__sanitizer_cov_pcs_init",
    "__bb_exit_func",
];

/// Parts of the runtime that do the work of functions of the C library have these letters before that function's name.
const INSTEAD: &[u8] = b"__gmon_instead_";

/// The name that the program calls a function by: that of the C library, if the runtime takes its place.
#[must_use]
pub fn as_called(name: &[u8]) -> &[u8] {
    name.strip_prefix(INSTEAD).unwrap_or(name)
}

/// Returns `true` if the function of this name is a part of a profiling runtime, so that its time is the
/// price of the profile and not the program's.
#[must_use]
pub fn is_of_a_profiler(name: &[u8]) -> bool {
    let names = [OF_PG, OF_OTHERS, OF_RUNTIMES, MORE];
    names.into_iter().flatten().any(|known| known.as_bytes() == name)
}
