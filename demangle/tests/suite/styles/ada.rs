//! Names of Ada, and what looks like them.

use super::compare;

#[test]
fn ada_names_are_printed_as_libiberty_does() {
    const BEGIN: [&str; 6] = ["a", "pkg", "_ada_", "_ada_main", "X", "a_b"];
    const PARTS: [&str; 36] = [
        "__", "__b", "_", "1", "__2", "_3", "X", "b", "n", "TK", "TKB", "N", "P", "SR", "SW", "SI",
        "SO", "DF", "DA", "___elabb", "___elabs", "___size", "__O", "__Oadd", "__Oor", "__Oexpon",
        "_E", "_B", "s", "_E1s", ".5", ".", "x", "proc", "__a_b", "<",
    ];
    compare("gnat", |random| {
        let begin = random.pick(&BEGIN).to_owned();
        (0..random.below(8)).fold(begin, |name, _| name + random.pick(&PARTS))
    });
}
