//! `gmon config`: builds by hand.

use std::path::Path;

use assert_cmd::prelude::*;
use predicates::str::contains;

use super::with_program;
use support::{command::text_of, workplace::Workplace};

#[test]
fn pieces_are_printed_in_the_order_asked_for() {
    let place = Workplace::new();
    let (archive, shared) = (place.config("--static-lib"), place.config("--shared-lib"));
    assert!(archive.ends_with("/libgmon.a") && Path::new(&archive).is_file(), "{archive}");
    assert!(shared.ends_with("/libgmon.so") && Path::new(&shared).is_file(), "{shared}");

    let check = |arguments: &str, line: String| {
        place.gmon(arguments).assert().success().stdout(line + "\n").stderr("");
    };
    let prefix = place.config("--prefix");
    let cflags = format!("-pg -I{prefix}/include");
    check("config --cflags", cflags.clone());
    check("config --libs", archive.clone());
    check("config --cflags --libs", format!("{cflags} {archive}"));
    check("config --shared-lib --cflags", format!("{shared} {cflags}"));
    for file in ["include/gmon.h", "lib/pkgconfig/gmon.pc", "lib/cmake/gmon/gmonConfig.cmake"] {
        assert!(Path::new(&prefix).join(file).is_file(), "{file}");
    }
}

#[test]
fn target_is_one_that_is_carried() {
    let place = Workplace::new();
    let own = place.config("--static-lib");
    let target = format!("config --target {}-linux-gnu --static-lib", std::env::consts::ARCH);
    place.gmon(&target).assert().success().stdout(own + "\n").stderr("");
    let refusal = "vax-dec-ultrix: there is no runtime for vax, only for";
    place.gmon("config --target vax-dec-ultrix --libs").assert().code(1).stderr(contains(refusal));
    // What has another calling convention is no substitute.
    let bare = "riscv64imac-unknown-none-elf";
    if !text_of(&mut place.gmon("--version")).contains(bare) {
        let way = format!("get one that does by `GMON_TARGETS={bare} ");
        let mut config = place.gmon(&format!("config --target {bare} --libs"));
        config.assert().code(1).stderr(contains(way));
    }
}

#[test]
fn flags_and_libraries_make_a_program_that_profiles_itself() {
    let place = with_program();
    let libs = place.config("--libs");
    // With gcrt1.o, which calls the runtime, and without it.
    for how in ["-pg prog.c -o prog", "-no-pie -pg prog.c -o prog", "-static -pg prog.c -o prog"] {
        place.must(&format!("cc -O2 {how} {libs}"));
        place.must("./prog");
        assert_eq!(place.calls("prog", "work"), 3, "{how}");
    }
    place.must("cc -O2 -pg -c prog.c -o prog.o");
    place.must(&format!("cc prog.o -o prog {libs}"));
    place.must("./prog");
    assert_eq!(place.calls("prog", "work"), 3);
}

#[test]
fn the_header_is_found_by_the_flags_by_gmon_cc_and_by_gmon_run() {
    let place = Workplace::new();
    place.write(
        "api.c",
        "#include <gmon.h>\nint main(void) { GMON_STOP(); return gmon_reset == 0; }",
    );
    place.must(&format!("cc api.c -o api {} {}", place.config("--cflags"), place.config("--libs")));
    place.must("./api");
    for cpath in ["", "/no/such/folder"] {
        place.gmon("cc cc api.c -o api").env("CPATH", cpath).assert().success().stderr("");
        place.gmon("cc cc -c api.c").env("CPATH", cpath).assert().success().stderr("");
        place.gmon("run api.c").env("CPATH", cpath).assert().success();
    }
}

#[test]
fn the_shared_library_can_be_preloaded_by_hand() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    let shared = place.config("--shared-lib");
    place.command("./prog").env("LD_PRELOAD", shared).assert().success().stderr("");
    assert_eq!(place.calls("prog", "work"), 3);
    assert_eq!(place.calls("prog", "main"), 1, "libc's own runtime does not see who calls main");
}
