//! Small programs and libraries, whose code begins in the file's first page: some linkers map that page twice.

use support::{
    command::{quiet, shared_library},
    stacks::FullProfile,
    tools,
    workplace::Workplace,
};

const PROGRAM: &str = "
    int spin(int);
    int main(void) { return spin(800000000) & 0; }
";
const LIBRARY: &str = "
    int spin(int n) { volatile int i; for (i = 0; i < n; i++); return i; }
";

/// Linkers, each with options that lay out a file's pages in another way.
const LAYOUTS: [(&str, &[&str]); 4] = [
    (
        "bfd",
        &[
            "",
            "-Wl,-z,separate-code",
            "-Wl,-z,noseparate-code",
            "-Wl,--rosegment",
            "-Wl,-z,pack-relative-relocs",
        ],
    ),
    ("gold", &["", "-Wl,--rosegment", "-Wl,--no-rosegment"]),
    (
        "lld",
        &[
            "",
            "-Wl,-z,separate-code",
            "-Wl,-z,noseparate-code",
            "-Wl,--rosegment",
            "-Wl,--no-rosegment",
            "-Wl,--pack-dyn-relocs=relr",
            "-Wl,-z,pack-relative-relocs",
        ],
    ),
    (
        "mold",
        &[
            "",
            "-Wl,-z,separate-code",
            "-Wl,-z,noseparate-code",
            "-Wl,--rosegment",
            "-Wl,--no-rosegment",
            "-Wl,--pack-dyn-relocs=relr",
        ],
    ),
];

#[test]
fn a_module_is_one_however_often_its_first_page_is_mapped() {
    for (linker, layouts) in LAYOUTS {
        if tools::find(&format!("ld.{linker}")).is_none() {
            continue;
        }
        let known: Vec<_> = layouts.iter().filter(|layout| is_known(linker, layout)).collect();
        for layout in tools::shared_out(&known, "layouts") {
            check(linker, layout);
        }
    }
}

/// Whether the linker takes the option: older ones lack some.
fn is_known(linker: &str, layout: &str) -> bool {
    let place = Workplace::new();
    place.write("one.c", "int one;");
    link(&place, linker, layout, &["-shared", "-fPIC", "one.c", "-o", "one.so"])
}

fn link(place: &Workplace, linker: &str, layout: &str, arguments: &[&str]) -> bool {
    let mut gcc = quiet("gcc");
    gcc.current_dir(place.folder()).arg(format!("-fuse-ld={linker}")).arg("-O1");
    gcc.args(Some(layout).filter(|layout| !layout.is_empty())).args(arguments);
    gcc.output().expect("gcc runs").status.success()
}

fn check(linker: &str, layout: &str) {
    let place = Workplace::new();
    place.write("spins.c", PROGRAM);
    place.write("spin.c", LIBRARY);
    let library = ["-shared", "-fPIC", "spin.c", "-o", "libspin.so"];
    assert!(link(&place, linker, layout, &library), "{linker} {layout}");
    let program = ["spins.c", "-o", "spins", "-L.", "-lspin", "-Wl,-rpath,$ORIGIN"];
    assert!(link(&place, linker, layout, &program), "{linker} {layout}");
    if !quiet(place.path("spins")).status().expect("a program").success() {
        return tools::skip_anywhere(format!(
            "{linker} {layout}: the C library refuses its programs"
        ));
    }
    let mut run = quiet(place.path("spins"));
    run.current_dir(place.folder()).env("LD_PRELOAD", shared_library());
    run.env("GMON_OPTIONS", "stacks,hz=1000");
    let output = run.output().expect("a program that runs");
    assert!(output.status.success(), "{linker} {layout}: {output:?}");

    let profile = FullProfile::read(&place.path("gmon.out.full"));
    for file in ["spins", "libspin.so"] {
        let found = profile.modules.iter().filter(|(path, _)| path.ends_with(&format!("/{file}")));
        assert_eq!(found.count(), 1, "{linker} {layout}: {file} in {:?}", profile.modules);
    }
    let (called, total) = (profile.called("main", "spin"), profile.total());
    assert!(called * 4 >= total * 3, "{linker} {layout}: {called} of {total} samples");
}
