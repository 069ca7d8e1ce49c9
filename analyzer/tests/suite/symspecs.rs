//! Symspecs with files and lines, on a program of several source files.

use std::fs;
use std::process::Command;

use super::gnu;
use super::random::Random;
use super::run::Case;

/// Two files of one name in different directories, and functions of one name in different files.
const SOURCES: [(&str, &str); 4] = [
    (
        "x/same.c",
        "static void twin(void) {}\n\
         void a(void) { twin(); } void b(void) { a(); }\n\
         void c(void) { b(); a(); }\n\
         void d(void) { c(); }\n",
    ),
    (
        "y/same.c",
        "#include \"../inner.h\"\n\
         static void twin(void) { inner(); }\n\
         void e(void) { twin(); }\n\
         void f(void) { e(); inner(); }\n",
    ),
    ("inner.h", "void a(void);\nstatic void inner(void) { a(); }\n"),
    (
        "main.c",
        "void d(void), f(void), b(void), recurse(int);\n\
         void recurse(int n) { if (n) recurse(n - 1); else f(); }\n\
         int main(void) {\n\
         for (int i = 0; i < 3; i++) { d(); f(); recurse(i); }\n\
         b();\n\
         return 0; }\n",
    ),
];

/// The program and its data, but for times: each function gets a different one.
fn program() -> Case {
    let case = Case::new(b"", b"");
    for dir in ["x", "y"] {
        fs::create_dir(case.path(dir)).unwrap();
    }
    for (name, text) in SOURCES {
        case.file(name, text.as_bytes());
    }
    let sources = SOURCES.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c"));
    let compile = Command::new("gcc")
        .args(["-pg", "-g", "-O0", "-no-pie", "-o", "exe"])
        .args(sources)
        .current_dir(case.path(""))
        .status()
        .unwrap();
    assert!(compile.success());
    let run = Command::new(case.path("exe")).current_dir(case.path("")).status().unwrap();
    assert!(run.success());
    case
}

/// A symspec, most of the time of something that exists.
fn spec(random: &mut Random) -> String {
    const FILES: [&str; 6] = ["same.c", "main.c", "inner.h", "x/same.c", "nosuch.c", "same"];
    const PARTS: [&str; 16] = [
        "a", "b", "c", "d", "e", "f", "twin", "inner", "main", "recurse", "1", "2", "3", "0", "",
        "nosuch",
    ];
    match random.below(3) {
        0 => random.pick(&FILES).to_owned(),
        1 => random.pick(&PARTS).to_owned(),
        _ => format!("{}:{}", random.pick(&FILES), random.pick(&PARTS)),
    }
}

#[test]
fn files_lines_and_functions_are_selected_as_by_gnu_gprof() {
    let test = "files_lines_and_functions_are_selected_as_by_gnu_gprof";
    if !gnu::is_here(test) || !gnu::has(test, "gcc") {
        return;
    }
    const OPTIONS: [&str; 15] =
        ["-p", "-P", "-q", "-Q", "-n", "-N", "-f", "-F", "-e", "-E", "-k", "-C", "-Z", "-A", "-J"];
    let case = program();
    for seed in gnu::seeds(200) {
        let mut random = Random::new(seed);
        let mut words = vec!["-b".to_owned(), "-z".to_owned()];
        for _ in 0..1 + random.below(4) {
            let mut word = random.pick(&OPTIONS).to_owned() + &spec(&mut random);
            if random.once_in(3) || word.starts_with("-k") {
                word = word + "/" + &spec(&mut random);
            }
            words.push(word);
        }
        if random.once_in(3) {
            words.push("-l".to_owned());
        }
        gnu::assert_same(&format!("seed {seed}"), &case.words(&words.join(" ")));
    }
}
