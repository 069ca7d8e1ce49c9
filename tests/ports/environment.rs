//! What the environment says is heard, also where the start file asks for a profile before the C library
//! knows the environment.

use std::path::Path;

use libtest_mimic::Failed;

use support::{compilers::Compiler, modes::MODES, program::Builder};

/// The data file has the name that was asked for. Programs at fixed addresses find the environment in another way, and are
/// linked so.
pub(crate) fn check(compiler: &Compiler, modes: &[&str]) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c/recursion.c");
    let mut builder = Builder::new(compiler, &source, &[]);
    let is_wanted = |mode| mode == "no-pie" || modes.contains(&mode);
    let variables = [("GMON_OUT_PREFIX", "named"), ("GMON_OPTIONS", "sampler=none")];
    for mode in MODES.iter().filter(|mode| is_wanted(mode.name)) {
        let program = builder.build(mode);
        let run = program.run(&[], &variables);
        let files = program.files();
        if !run.status.success() || !files.iter().any(|name| name.starts_with("named.")) {
            return Err(format!("{}: {}, files {files:?}", mode.name, run.status).into());
        }
    }
    Ok(())
}
