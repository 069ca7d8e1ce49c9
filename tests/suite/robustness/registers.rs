//! What a hook leaves as it was: everything.

use super::{SUITE, run};
use support::{
    compilers::GCC,
    modes::{Mode, mode},
    suite::printed,
};

#[test]
#[cfg(target_arch = "x86_64")]
fn no_register_changes() {
    for name in ["default, own start", "static, own start", "preloaded"] {
        // The program calls the hooks by hand; the compiler must not.
        let mode = Mode { hooks: &[], ..*mode(name) };
        let program = SUITE.build_by(GCC, "registers.c", &mode, &[]);
        let text = run(&mut program.command());
        let calls = ["mcount", "__fentry__"].map(|hook| printed(&text, hook));
        assert_eq!((calls, text.contains("changed")), (["6000", "6000"], false), "{text}");
        let counts = program.counts("gmon.out");
        assert_eq!(counts.calls("mcount_places") + counts.calls("fentry_places"), 12_000);
        for hook in ["0", "1"] {
            assert_eq!(run(program.command().arg(hook)), "", "{name}: in a child");
        }
    }
}
