//! Places of a process's files: in another root, loaded only now, or another language's; and who may look.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use support::command::{gmon, output_of, said};
use support::compilers::GCC;
use support::executable;
use support::modes::NO_PROFILE;
use support::tools::find;

use super::{SUITE, Target, as_nobody, can_sample, incomplete, is_root, seconds, told};

#[test]
fn programs_in_another_root_and_namespace_have_names() {
    if !is_root() || !can_sample() {
        return;
    }
    let program = SUITE.build_by(GCC, "life.c", &NO_PROFILE, &["-static"]);
    let root = program.path("root");
    fs::create_dir(&root).expect("a folder");
    executable::copy(&program.executable, &root.join("inside"));
    for words in [&["chroot"][..], &["unshare", "--pid", "--mount", "--fork", "chroot"]] {
        let mut command = Command::new(words[0]);
        let target = Target::of(command.args(&words[1..]).arg(&root).args(["/inside", "work"]));
        let summary = told(&mut target.run(&program, "--for 1s"));
        target.end();
        assert!(seconds(&summary, "outer").is_some(), "{words:?}: {summary}");
    }
}

/// As in a container: nobody outside sees its files, and it has a root of its own among them.
#[test]
fn programs_of_containers_have_the_path_of_their_own_root() {
    if !is_root() || !can_sample() {
        return;
    }
    let program = SUITE.build_by(GCC, "life.c", &NO_PROFILE, &["-static"]);
    let script = "mount -t tmpfs none root && mkdir root/its && cp program root/its/inside && exec chroot root/its /inside work";
    fs::create_dir(program.path("root")).expect("a folder");
    let mut command = Command::new("unshare");
    command.current_dir(program.path("")).args(["--mount", "sh", "-c", script]);
    let target = Target::of(&mut command);
    let summary = told(&mut target.run(&program, "--for 1s"));
    let place = Path::new("/proc").join(target.id()).join("root").join("inside");
    target.end();
    assert!(seconds(&summary, "outer").is_some(), "{summary}");
    assert!(summary.contains(&format!("{}: ", place.display())), "{summary}");
}

#[test]
fn libraries_that_are_loaded_meanwhile_have_names() {
    if !can_sample() {
        return;
    }
    let library = SUITE.build_by(
        GCC,
        "late.c",
        &NO_PROFILE,
        &["-DLIBRARY", "-shared", "-fPIC", "-O2", "-Wl,-soname,liblate.so"],
    );
    let program = SUITE.build_by(GCC, "late.c", &NO_PROFILE, &["-O2", "-ldl"]);
    let mut target = Target::of(program.command().arg(&library.executable));
    let running = target.run(&program, "").stderr(Stdio::piped()).spawn().expect("gmon");
    // Until it has begun; if not, the library is there already.
    sleep(Duration::from_millis(500));
    target.child.stdin.take().expect("a pipe").write_all(b"\n").expect("a byte");
    let output = running.wait_with_output().expect("an end");
    target.end();
    let summary = said(&output);
    assert!(output.status.success(), "{summary}");
    assert!(summary.contains(" late_work ["), "{summary}");
    assert!(incomplete(&summary) < 1.0, "{summary}");
}

#[test]
fn programs_of_rust_have_their_names() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let source = program.path("work.rs");
    let text = "use std::io::Read;\n\
        mod parser { #[inline(never)] pub fn parse(n: u64) -> u64 { (0..n).fold(1, |a, b| std::hint::black_box(a ^ b * 3)) } }\n\
        struct Server<T>(T);\n\
        impl Server<u64> { #[inline(never)] fn serve(&mut self) { self.0 += parser::parse(100_000); } }\n\
        fn main() { println!(\"ready\"); let input = std::thread::spawn(|| std::io::stdin().read(&mut [0]));\n\
        let mut server = Server(1); while !input.is_finished() { server.serve(); } }\n";
    fs::write(&source, text).expect("a file");
    let executable = program.path("work");
    let mut compile = Command::new("rustc");
    compile.args(["-O", "-C", "debuginfo=1", "-o"]).arg(&executable).arg(&source);
    let compiled = output_of(&mut compile);
    assert!(compiled.status.success(), "{}", said(&compiled));
    let target = Target::of(&mut Command::new(&executable));
    let summary = told(&mut target.run(&program, "--for 1s --names plain"));
    target.end();
    // As the two ways to mangle names say it.
    for ways in
        [&["work::parser::parse"][..], &["work::Server<u64>::serve", "<work::Server<u64>>::serve"]]
    {
        let has_row = |name: &&str| seconds(&summary, name).is_some();
        assert!(ways.iter().any(has_row), "{ways:?}: {summary}");
    }
    assert!(summary.contains("; all followed to their start"), "{summary}");
}

/// As a user without any right, of processes of his own: one that may be looked at, and one that hides itself.
#[test]
fn users_may_look_at_their_own_processes() {
    if !is_root() || !can_sample() || find("setpriv").is_none() {
        return;
    }
    let level = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").expect("a setting");
    let may_look = level.trim().parse::<i32>().expect("a number") <= 2;
    let program = SUITE.without_profile("life.c");
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("a right");
    let executable = folder.path().join("life");
    executable::copy(&program.executable, &executable);
    for (what, is_hidden) in [("work", false), ("hidden", true)] {
        let target = Target::of(as_nobody(&executable).arg(what));
        let mut look = as_nobody(gmon().get_program());
        look.current_dir(folder.path()).env("HOME", folder.path());
        look.args(["run", "--top", "40", "--for", "1s", "--pid", &target.id()]);
        let output = output_of(&mut look);
        target.end();
        let summary = said(&output);
        let why = match (may_look, is_hidden) {
            (true, false) => {
                assert!(output.status.success(), "{summary}");
                assert!(seconds(&summary, "outer").is_some(), "{summary}");
                continue;
            }
            (true, true) => "it is not dumpable); run gmon by sudo",
            (false, _) => "sudo sysctl kernel.perf_event_paranoid=2",
        };
        assert_eq!(output.status.code(), Some(1), "{summary}");
        assert!(summary.contains(why), "{what}: {summary}");
    }
}
