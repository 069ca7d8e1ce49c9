//! The jobs of docs/ci.md, step by step as they stand there, in a repository with a change.

use std::fs;
use std::path::Path;
use std::process::Output;

use support::{command::output_of, command::said, tools, workplace::Workplace};

use crate::GMON;

const MAKEFILE: &str = "prog: prog.c\n\t$(CC) $(CFLAGS) -o prog prog.c\n";
const PROGRAM: &str = r#"
    #include <stdio.h>
    int sum;
    void count(int letter) { sum += letter == '\n'; }
    int main(int argc, char **argv)
    {
        FILE *input = argc > 1 ? fopen(argv[1], "r") : NULL;
        for (int letter; input && (letter = getc(input)) != EOF;)
            count(letter);
        return sum != 2;
    }
"#;

/// The shell commands of a job in docs/ci.md, in order. Each is a line, or begins with `|` or `>` and goes on in lines
/// that are indented further.
fn commands(heading: &str) -> Vec<String> {
    let page = fs::read_to_string(support::root().join("docs/ci.md")).expect("a page");
    let job = page.split(&format!("## {heading}\n")).nth(1).expect("a section");
    let job = job.split("```yaml\n").nth(1).and_then(|job| job.split("\n```").next());
    let mut lines = job.expect("a job").lines().peekable();
    let mut commands = Vec::new();
    let indent = |line: &str| line.len() - line.trim_start().len();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let item = trimmed.trim_start_matches("- ");
        let command = match item.strip_prefix("run: ") {
            Some(command) => command,
            // A list of commands, and not of paths or steps.
            None if heading == "GitLab" && item != trimmed && !item.starts_with("if: ") => item,
            None => continue,
        };
        let separator = match command {
            "|" => "\n",
            ">" => " ",
            _ => {
                commands.push(command.to_owned());
                continue;
            }
        };
        let mut parts = Vec::new();
        while let Some(part) = lines.next_if(|part| indent(part) > indent(line)) {
            parts.push(part.trim_start());
        }
        commands.push(parts.join(separator));
    }
    // The one that is tested is there already.
    commands.retain(|command| {
        command != "cargo install --locked --git https://github.com/gmon-rs/gmon"
    });
    commands
}

/// Runs commands as a runner does, until one fails.
fn run(
    place: &Workplace,
    folder: &Path,
    commands: &[String],
    variables: &[(&str, &str)],
) -> Output {
    let own = Path::new(GMON).parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = [own].into_iter().chain(std::env::split_paths(&path));
    let mut shell = place.command("bash");
    shell.args(["-e", "-o", "pipefail", "-c", &commands.join("\n")]).current_dir(folder);
    shell.env("PATH", std::env::join_paths(paths).expect("paths"));
    // What the user of this machine told git does not matter.
    shell.env("GIT_CONFIG_GLOBAL", "/dev/null");
    output_of(shell.envs(variables.iter().copied()))
}

/// Makes commits in `repository`: on the target branch one that the change does not know, and the change, which calls once more
/// or not. What is checked out is their merge, or the change alone.
fn commit(place: &Workplace, repository: &str, is_worse: bool, is_merge: bool) {
    place.write(&format!("{repository}/Makefile"), MAKEFILE);
    place.write(&format!("{repository}/prog.c"), PROGRAM);
    place.write(&format!("{repository}/tests/input"), "one\ntwo\n");
    let change = if is_worse { "sed -i 's/return sum/count(0); &/' prog.c" } else { "true" };
    let checked_out =
        if is_merge { "git merge -q -m Merge change" } else { "git checkout -q change" };
    let script = format!(
        "git init -q -b main; git config user.name A; git config user.email a@example.com
         git add -A; git commit -q -m Base; git branch change
         echo one >> tests/notes; git add -A; git commit -q -m Other
         git checkout -q change; {change}; echo two >> notes; git add -A; git commit -q -m Change
         git checkout -q main; {checked_out}"
    );
    let done = run(place, &place.path(repository), &[script], &[]);
    assert!(done.status.success(), "{}", said(&done));
}

#[test]
fn the_job_for_github_fails_for_one_call_more() {
    if tools::find("make").is_none() {
        return;
    }
    let steps = commands("GitHub Actions");
    assert_eq!(steps.len(), 2, "{steps:?}");
    for (is_worse, status) in [(false, 0), (true, 3)] {
        let place = Workplace::new();
        commit(&place, "new", is_worse, true);
        let summary = place.path("summary.md");
        let variables = [("GITHUB_STEP_SUMMARY", summary.to_str().expect("a path"))];
        let job = run(&place, place.folder(), &steps, &variables);
        assert_eq!(job.status.code(), Some(status), "{}", said(&job));
        let exceeded = "EXCEEDED calls:+0: count was called 8 → 9 times (+1)";
        assert_eq!(said(&job).contains(exceeded), is_worse, "{}", said(&job));
        assert_eq!(place.read("summary.md").contains("| 8 | 9 | +1 | `count` | |"), is_worse);
        assert!(place.exists("profiles/base") && place.exists("profiles/new"));
    }
}

#[test]
fn the_job_for_gitlab_fails_for_one_call_more() {
    if tools::find("make").is_none() {
        return;
    }
    let steps = commands("GitLab");
    assert_eq!(steps.len(), 5, "{steps:?}");
    for (is_worse, status) in [(false, 0), (true, 3)] {
        let place = Workplace::new();
        commit(&place, "origin", is_worse, false);
        let clone = ["git clone -q origin job", "git -C origin rev-parse change^"];
        let clone = run(&place, place.folder(), &clone.map(str::to_owned), &[]);
        let base = String::from_utf8_lossy(&clone.stdout).trim().to_owned();
        let variables = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.as_str())];
        // A runner keeps the repository, and removes what the job before made.
        for _ in 0..2 {
            let job = run(&place, &place.path("job"), &steps, &variables);
            assert_eq!(job.status.code(), Some(status), "{}", said(&job));
            assert_eq!(place.read("job/calls.md").contains("| 8 | 9 | +1 | `count` | |"), is_worse);
            assert!(place.exists("job/profiles/base"));
            let clean = run(&place, &place.path("job"), &["git clean -ffdxq".to_owned()], &[]);
            assert!(clean.status.success(), "{}", said(&clean));
        }
    }
}
