//! Inlined functions with the names of others: what another file has under the name is another function, and what has code of
//! its own elsewhere is the same.

use std::fs;

use support::command::text_of;
use support::tools;
use support::workplace::Workplace;

/// Loops that take time; no two are the same code.
const WORK: &str = "extern volatile unsigned long sum;
#define WORK(op, n) for (int i = 0; i < (n) * 100000; i++) sum op i; for (int i = 0; i < (n) * 100000; i++) sum op i * 3ul;\n";

/// The rows with a name in the report of a program.
fn rows(place: &Workplace, compile: &str, name: &str) -> Vec<String> {
    place.write("work.h", WORK);
    text_of(&mut place.gmon(compile));
    let environment = [("GMON_OPTIONS", "record,hz=1000")];
    let output = place.command("./prog").envs(environment).output().expect("a run");
    assert!(output.status.success(), "{output:?}");
    let text = text_of(&mut place.gmon("report prog --inlines show --top 100 --names short"));
    let rows = text.lines().filter(|row| row.starts_with(' ') && row.contains(name));
    rows.map(str::to_owned).collect()
}

fn callers(place: &Workplace, name: &str) -> String {
    text_of(&mut place.gmon(&format!("report prog --inlines show --calls {name}")))
}

#[test]
fn what_another_file_has_is_another_function() {
    let place = Workplace::new();
    place.write(
        "a.c",
        "#include \"work.h\"
        static void helper(int n) { WORK(+=, n) }
        __attribute__((noinline)) void first(void) { helper(60); }\n",
    );
    place.write(
        "b.c",
        "volatile unsigned long sum;
        void first(void);
        __attribute__((noinline)) static void helper(int n) { sum += n; }
        int main(void) { for (int i = 0; i < 30; i++) { first(); helper(i); } return 0; }\n",
    );
    let found = rows(&place, "cc gcc -O3 -g a.c b.c -o prog", " helper");
    let inlined = found.iter().filter(|row| row.ends_with("(inlined)")).collect::<Vec<_>>();
    assert!(inlined.len() == 1 && !inlined[0].contains(" 30 "), "{found:#?}");
    assert!(found.iter().any(|row| row.contains(" 30 ")), "{found:#?}");

    // Two that have no code of their own.
    place.write(
        "c.c",
        "#include \"work.h\"
        static void helper(int n) { WORK(^=, n) }
        __attribute__((noinline)) void second(void) { helper(60); }\n",
    );
    place.write(
        "d.c",
        "volatile unsigned long sum;
        void first(void);
        void second(void);
        int main(void) { for (int i = 0; i < 30; i++) { first(); second(); } return 0; }\n",
    );
    let found = rows(&place, "cc gcc -O3 -g a.c c.c d.c -o prog", " helper (inlined)");
    assert_eq!(found.len(), 2, "{found:#?}");

    // One from a header is one, wherever that is found from.
    place.write("helper.h", "#include \"work.h\"\nstatic void helper(int n) { WORK(^=, n) }\n");
    fs::create_dir(place.path("sub")).expect("a folder");
    let function = |name: &str, header: &str| {
        format!(
            "#include \"{header}\"\n__attribute__((noinline)) void {name}(void) {{ helper(60); }}\n"
        )
    };
    place.write("a.c", function("first", "sub/../helper.h"));
    place.write("c.c", function("second", "helper.h"));
    let found = rows(&place, "cc gcc -O3 -g a.c c.c d.c -o prog", " helper (inlined)");
    assert_eq!(found.len(), 1, "{found:#?}");
    let callers = callers(&place, "helper");
    assert!(callers.contains(" first\n") && callers.contains(" second\n"), "{callers}");
}

#[test]
fn what_is_inlined_and_called_is_one_function() {
    if tools::find("g++").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write(
        "prog.cc",
        "#include \"work.h\"
        volatile unsigned long sum;
        static void plain(int n) { WORK(+=, n) }
        namespace { void unnamed(int n) { WORK(^=, n) } }
        void (*volatile functions[])(int) = {plain, unnamed};
        int main() {
            for (int i = 0; i < 30; i++) {
                functions[0](30), functions[1](30);
                plain(30), unnamed(30);
            }
        }\n",
    );
    for name in ["plain", "unnamed"] {
        let found = rows(&place, "cc g++ -O3 -g prog.cc -o prog", name);
        assert!(found.len() == 1 && found[0].contains(" 30 "), "{found:#?}");
    }
}

#[test]
fn a_copy_of_a_function_is_that_function() {
    let place = Workplace::new();
    for linkage in ["static inline", "inline __attribute__((gnu_inline))"] {
        place.write(
            "prog.c",
            format!(
                "#include \"work.h\"
                volatile unsigned long sum;
                static __attribute__((noinline)) void other(int a, int n) {{ WORK(+= a *, n) }}
                {linkage} void big(int a, int n) {{ WORK(^=, n) WORK(+= a *, n) WORK(-=, n) other(a, n); }}
                __attribute__((noinline, cold)) void rare(int n) {{ big(3, n); big(3, n); }}
                __attribute__((hot)) int main(int count, char **arguments) {{
                    for (int i = 0; i < 30; i++) rare(10 * count);
                    for (int i = 0; i < 30; i++) big(3, 10 * count);
                    return 0;
                }}\n"
            ),
        );
        let found = rows(&place, "cc gcc -O2 -g prog.c -o prog", " big");
        assert!(found.len() == 1 && found[0].contains(" 60 "), "{linkage}: {found:#?}");
    }
}
