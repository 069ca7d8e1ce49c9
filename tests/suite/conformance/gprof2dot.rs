//! gprof2dot, which draws call graphs, reads our whole text of every example as it reads GNU gprof's:
//! the explanations, which are in words of our own, must not be in its way.

use std::{fs, path::PathBuf};

use support::{
    command::{gmon, quiet, text_of},
    common_ground::common_ground,
    compilers::GCC,
    example::Example,
    modes::{MODES, Runtime},
    program::{Builder, Program},
    tools,
};

#[test]
fn gprof2dot_reads_our_text_of_every_example() {
    let tools = ["gprof2dot", "gprof"].map(tools::find);
    let [Some(gprof2dot), Some(gprof)] = tools else { return };
    let mut drawn = 0;
    for example in Example::all().iter().filter(|example| example.suits(GCC)) {
        let mode = MODES.iter().find(|mode| {
            mode.runtime == Runtime::Linked && example.suits_mode(mode) && mode.suits(GCC)
        });
        let program = Builder::new(GCC, &example.source, &example.flags)
            .build(mode.expect("a mode for every example"));
        let output = program.run(&[], &[]);
        assert_eq!(output.status.code(), Some(example.status), "{}: {output:?}", example.name);
        let inputs = [executable_for_both(&program), program.data()];
        let ours = text_of(gmon().arg("gprof").args(&inputs));
        let gnu = text_of(quiet(&gprof).args(&inputs));
        let graph = |name: &str, text: &str| {
            let path = program.path(name);
            fs::write(&path, text).expect("a writable folder");
            let mut command = quiet(&gprof2dot);
            // Everything, however little time it took.
            command.args(["--format=prof", "--node-thres=0", "--edge-thres=0"]).arg(&path);
            text_of(&mut command)
        };
        let (ours, gnu) = (graph("ours.txt", &ours), graph("gnu.txt", &gnu));
        assert_eq!(ours, gnu, "{}", example.name);
        assert!(ours.contains("main"), "no functions in the graph of {}:\n{ours}", example.name);
        drawn += ours.matches(" -> ").count();
    }
    assert!(drawn > 50, "only {drawn} arcs in all graphs");
}

/// A copy of the program in which both find the same functions.
fn executable_for_both(program: &Program) -> PathBuf {
    let original = fs::read(&program.executable).expect("an executable");
    let path = program.path("program-for-both");
    fs::write(&path, common_ground(&original).expect("symbols")).expect("a writable folder");
    path
}
