//! Phases and moments that a Fortran program marks.

use serde_json::Value;

use support::{
    command::{said, text_of},
    tools,
    workplace::Workplace,
};

const PROGRAM: &str = "\
program prog
  use gmon
  implicit none
  real :: total = 0
  integer :: step
  call gmon_begin('load   ')
  call load(total)
  call gmon_end()
  do step = 1, 3
    call gmon_mark('step')
  end do
  print '(a)', trim(merge('done ', 'wrong', total > 0))
contains
  subroutine load(total)
    real, intent(inout) :: total
    integer :: i
    do i = 1, 100000000
      total = total + 1.0 / i
    end do
  end subroutine
end program
";

#[test]
fn phases_of_fortran_are_marked_and_cost_nothing_without_a_runtime() {
    if tools::find("gfortran").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write("prog.f90", PROGRAM);
    let prefix = text_of(&mut place.gmon("config --prefix"));
    let include = format!("{}/include", prefix.trim());
    let sources = format!("-O1 -g {include}/gmon.f90 prog.f90 {include}/gmon_fortran.c");

    // A program without the runtime, as it is, and with the runtime preloaded.
    place.must(&format!("gfortran {sources} -o plain"));
    assert_eq!(text_of(&mut place.command(place.path("plain"))), "done\n");
    text_of(&mut place.gmon(&format!("cc gfortran {sources} -o linked")));
    for program in ["plain", "linked"] {
        let mut run = place.gmon(&format!("run -o {program}.out ./{program}"));
        let output = run.output().expect("gmon run");
        assert_eq!(output.stdout, b"done\n", "{}", said(&output));
        let json =
            text_of(&mut place.gmon(&format!("export --format json {program} {program}.out")));
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let marks = json["timeline"]["marks"].as_array().expect("marks");
        let names: Vec<_> = marks.iter().map(|mark| mark["name"].as_str()).collect();
        assert_eq!(names, [Some("load"), Some("step"), Some("step"), Some("step")], "{program}");
        assert!(marks[0]["length_ns"].as_u64().is_some_and(|length| length > 0), "{marks:?}");
        let report = format!("report --phase load {program} {program}.out");
        assert!(text_of(&mut place.gmon(&report)).contains("load"), "{program}");
    }
}
