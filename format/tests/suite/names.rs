//! What patterns mean and what files are called.

use gmon_format::names::{self, Part, Pattern};

fn expand(pattern: &str) -> String {
    let parts = Pattern(pattern.as_bytes()).parts().map(|part| match part {
        Part::Text(text) => String::from_utf8(text.to_vec()).expect("text"),
        Part::Process => "7".to_owned(),
        Part::Program => "prog".to_owned(),
        Part::Rank => "3".to_owned(),
        Part::Host => "here".to_owned(),
        Part::Variable(name) => format!("<{}>", String::from_utf8_lossy(name)),
    });
    parts.collect()
}

#[test]
fn letters_stand_for_what_they_say_and_everything_else_for_itself() {
    for (pattern, name) in [
        ("", ""),
        ("plain", "plain"),
        ("d/%e.%p", "d/prog.7"),
        ("%p%p%e", "77prog"),
        ("%%p%", "%p%"),
        ("%x%", "%x%"),
        ("%%%p%%", "%7%"),
        ("100%", "100%"),
        ("%h.%r", "here.3"),
        ("%q{JOB}/%e", "<JOB>/prog"),
        ("%q", "%q"),
        ("%q{JOB", "%q{JOB"),
        ("%q{}", "<>"),
    ] {
        assert_eq!(expand(pattern), name, "{pattern}");
    }
}

#[test]
fn pattern_names_the_process_only_by_its_letter() {
    for (pattern, names_process) in [
        ("a.%p", true),
        ("%p", true),
        ("a", false),
        ("%e", false),
        ("%%p", false),
        ("%%%p", true),
        ("%r", false),
    ] {
        assert_eq!(Pattern(pattern.as_bytes()).names_process(), names_process, "{pattern}");
    }
}

#[test]
fn names_are_those_that_the_documentation_promises() {
    let base = names::DATA_FILE.as_bytes();
    let own = names::own(base, b"7").concat();
    assert_eq!(own, b"gmon.out.7");
    assert_eq!(names::replaced(&own, b"2").concat(), b"gmon.out.7.exec2");
    assert_eq!(names::temporary(base, b"7").concat(), b"gmon.out.7.tmp");
}
