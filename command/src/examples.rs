//! Examples of command lines, for `--help` and the manual.

/// A command line, and what it does.
pub(crate) type Example = (&'static str, &'static str);

/// The examples of each command; those of all commands have no name.
const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "",
        &[
            ("gmon run prog.c", "Compile a program, run it, and show where the time went"),
            (
                "gmon run --html report.html ./prog",
                "Run a program and make a report for the browser",
            ),
            ("make CC=\"gmon cc gcc\"", "Build a project with exact call counts"),
        ],
    ),
    (
        "run",
        &[
            ("gmon run prog.c -lm -- input.txt", "Compile prog.c, and run it with an argument"),
            ("gmon run make test", "Profile all programs that a command starts"),
            ("gmon run --rate 5000 ./prog", "Take 5,000 samples a second"),
            ("gmon run --runs 10 ./prog", "Run it ten times, and show how much the runs differ"),
            ("gmon run --html report.html --open ./prog", "Look at the report in the browser"),
        ],
    ),
    (
        "report",
        &[
            ("gmon report", "Show the profile of the last run, gmon.out"),
            ("gmon report --calls parse ./prog", "Show the callers and callees of parse"),
            ("gmon report --html report.html --open ./prog", "Look at the report in the browser"),
        ],
    ),
    (
        "annotate",
        &[
            ("gmon annotate ./prog", "Show the source with calls and time beside each line"),
            ("gmon annotate --function parse ./prog", "Show the function parse only"),
            ("gmon annotate --color=always ./prog | less -R", "Read it page by page, with colours"),
        ],
    ),
    (
        "gprof",
        &[
            (
                "gmon gprof -b ./prog gmon.out",
                "Print flat profile and call graph without explanations",
            ),
            ("gmon gprof -s ./prog gmon.out.*", "Add profiles up in gmon.sum"),
        ],
    ),
    (
        "diff",
        &[
            (
                "gmon diff before.json after.json",
                "Show what changed, of gmon export -o before.json",
            ),
            (
                "gmon diff before.json after.json --fail-on calls:+0",
                "End with status 3 if anything is called more often",
            ),
            (
                "gmon diff --base-run ./old --new-run ./new --runs 10",
                "Run two builds by turns, and compare them",
            ),
        ],
    ),
    (
        "export",
        &[
            ("gmon export -o prof.pb.gz ./prog", "Write a profile for pprof"),
            ("gmon export -o callgrind.out.1 ./prog", "Write one for KCachegrind"),
            (
                "gmon export --format folded ./prog | inferno-flamegraph > flame.svg",
                "Draw a flame graph",
            ),
        ],
    ),
    (
        "cc",
        &[
            ("gmon cc gcc -O2 -g -o prog prog.c", "Compile and link a program for profiling"),
            (
                "./configure CC=\"gmon cc gcc\" CXX=\"gmon cc g++\"",
                "Build a whole project for profiling",
            ),
        ],
    ),
    ("config", &[("gcc prog.o $(gmon config --libs) -o prog", "Link the runtime without gmon cc")]),
    (
        "install",
        &[
            ("gmon install --prefix ~/.local", "Install for yourself"),
            ("DESTDIR=debian/tmp gmon install --prefix /usr", "Install into a package"),
        ],
    ),
    (
        "top",
        &[
            ("gmon top server", "Watch all processes of a program"),
            ("gmon top --once --format json 4711", "Look once, for a script"),
        ],
    ),
    (
        "ctl",
        &[
            ("gmon ctl 4711 on", "Have process 4711 count, which was started with paused"),
            ("gmon ctl 4711 snapshot -o now.out", "Write its profile so far"),
        ],
    ),
    (
        "recover",
        &[("gmon recover prog.live && gmon report ./prog", "See what a program has done so far")],
    ),
    ("merge", &[("gmon merge -o all.out runs/*", "Add up the profiles of many runs")]),
    (
        "bbconv",
        &[("gmon bbconv -o gmon.out bb.out", "Make gmon.out from the text, for gmon gprof -A")],
    ),
    (
        "doctor",
        &[
            ("gmon doctor", "Look at this machine"),
            ("gmon doctor ./prog", "Find out why ./prog has no gmon.out, or an empty one"),
        ],
    ),
    (
        "cargo-gmon",
        &[
            ("cargo gmon run", "Build the project, run it, and show where the time went"),
            (
                "cargo gmon run --html report.html -- input.txt",
                "Make a report for the browser, too",
            ),
            (
                "cargo gmon test --only parser",
                "Profile the tests, and count the calls of one crate",
            ),
            (
                "cargo gmon pgo run -- input.txt",
                "Build the program again with its profile, and see what that brings",
            ),
        ],
    ),
    (
        "completions",
        &[
            ("source <(gmon completions bash)", "Complete in this bash"),
            (
                "gmon completions zsh > ~/.zfunc/_gmon",
                "Complete in every zsh that has ~/.zfunc in fpath",
            ),
        ],
    ),
];

/// The examples of a command.
pub(crate) fn of(command: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// The examples of a command as `--help` shows them; empty if there are none.
pub(crate) fn help(command: &str) -> String {
    let lines: Vec<_> =
        of(command).iter().map(|(line, what)| format!("  {line}\n      {what}")).collect();
    if lines.is_empty() { String::new() } else { format!("Examples:\n{}", lines.join("\n")) }
}
