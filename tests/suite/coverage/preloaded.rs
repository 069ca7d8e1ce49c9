//! A program with its hooks in the shared library: the code of gcc names no blocks that were never
//! executed, and the program does not have the hook that they call.

use super::{counters::tracefile, tracefile::of_lcov};
use support::{
    command::{shared_library, text_of},
    compilers::GCC,
    workplace::Workplace,
};

/// Behind each line stands how often it is executed.
const PROGRAM: &str = "#include <stdlib.h>
int never(int n)                                /* 0 */
{
    return n * 3;                               /* 0 */
}
int work(int n)                                 /* 1000 */
{
    if (n % 4)                                  /* 1000 */
        n = abs(n);                             /* 750 */
    else
        n += 2;                                 /* 250 */
    if (n < 0)                                  /* 1000 */
        n = never(n);                           /* 0 */
    return n;                                   /* 1000 */
}
int main(void)                                  /* 1 */
{
    for (int i = 0; i < 1000; i++)              /* 1001 */
        work(i);                                /* 1000 */
    return 0;                                   /* 1 */
}
";

#[test]
fn blocks_never_executed_are_known_where_the_hook_is_in_a_library() {
    for link in [&[][..], &["-Wl,-z,now"], &["-no-pie"]] {
        let place = Workplace::new();
        place.write("prog.c", PROGRAM);
        let library = shared_library();
        let folder = library.parent().expect("a folder").display();
        let mut compile = place.command(GCC.c);
        compile.args(["-O0", "-g", "-fsanitize-coverage=trace-pc", "prog.c", "-o", "ours"]);
        text_of(compile.args(link).arg(format!("-Wl,-rpath,{folder}")).arg(&library));
        text_of(place.command(place.path("ours")).env("GMON_OPTIONS", "sampler=none"));
        let lines = of_lcov(&tracefile(&place), "/prog.c");
        for (number, text) in (1..).zip(PROGRAM.lines()) {
            let Some((_, expected)) = text.split_once("/* ") else { continue };
            let expected = expected.trim_end_matches(" */").parse().expect("a number");
            assert_eq!(lines.get(&number), Some(&expected), "{link:?}: {number}: {text}");
        }
    }
}
