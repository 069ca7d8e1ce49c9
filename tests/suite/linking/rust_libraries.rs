//! Next to another Rust library in one program: each with its own `core`, panic handler and memory
//! functions, and no name defined twice.

use std::path::Path;

use support::{
    command::{quiet, static_library, text_of},
    compilers::GCC,
    counts::{Counts, FunctionNames},
    tools,
};

/// A Rust library, and what its programs are linked with.
struct Library {
    source: &'static str,
    options: &'static [&'static str],
    system: &'static [&'static str],
    /// All of it can be linked, needed or not.
    is_complete: bool,
}

const WITH_STD: Library = Library {
    source: "with_std.rs",
    options: &[],
    system: &["-lpthread", "-ldl", "-lm", "-lgcc_s"],
    is_complete: true,
};

const WITHOUT_STD: Library = Library {
    source: "without_std.rs",
    options: &["-Cpanic=abort"],
    system: &[],
    // `core` is compiled to unwind and asks for what only `std` defines.
    is_complete: false,
};

/// Links a program with this library and ours in every order, and checks what it counts.
fn check(library: &Library) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/linking");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let (object, other, program) = (path("program.o"), path("libother.a"), path("program"));

    let mut rustc = quiet(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition=2024", "--crate-type=staticlib", "-O"]).args(library.options);
    text_of(rustc.arg(sources.join(library.source)).arg("-o").arg(&other));
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/examples/c");
    let mut compile = quiet(GCC.c);
    compile.args(["-O2", "-pg", include, "-c"]).arg(sources.join("next_to_rust.c"));
    text_of(compile.arg("-o").arg(&object));

    let (gmon, before, after) = (static_library(), "-Wl,--whole-archive", "-Wl,--no-whole-archive");
    let mut orders =
        vec![vec![other.as_os_str(), gmon.as_os_str()], vec![gmon.as_os_str(), other.as_os_str()]];
    if library.is_complete {
        orders.push(vec![before.as_ref(), gmon.as_os_str(), other.as_os_str(), after.as_ref()]);
    }
    for linker in ["bfd", "lld"].iter().filter(|name| tools::find(&format!("ld.{name}")).is_some())
    {
        for order in &orders {
            let mut link = quiet(GCC.c);
            link.arg(format!("-fuse-ld={linker}")).arg(&object).args(order).args(library.system);
            text_of(link.arg("-o").arg(&program));
            let printed = text_of(quiet(&program).current_dir(&folder));
            assert_eq!(printed, "45\n", "{linker}: {order:?}");
            let names = FunctionNames::read(&program);
            let counts = Counts::read(&names, &path("gmon.out"));
            counts.are("<outside> -> main 1\n<outside> -> work 7\nwork -> leaf 14");
        }
    }
}

#[test]
fn one_with_std() {
    check(&WITH_STD);
}

#[test]
fn one_with_a_panic_handler_of_its_own() {
    check(&WITHOUT_STD);
}
