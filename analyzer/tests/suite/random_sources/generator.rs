//! Writes random programs in C, of two sources and a header with functions to be inlined.

use std::fmt::Write as _;

use crate::random::Random;

/// The texts of a program.
pub(super) struct Source {
    pub(super) program: String,
    pub(super) other: String,
    pub(super) header: String,
    /// How many functions there are: `f0`, `f1` and so on.
    pub(super) functions: u64,
}

/// A program that ends soon: calls pass on a smaller number than they got.
pub(super) fn source(random: &mut Random) -> Source {
    let functions = 3 + random.below(10);
    let in_other: Vec<bool> = (0..functions).map(|_| random.once_in(3)).collect();
    let mut header = "extern volatile int sink;\n".to_owned();
    for number in 0..functions {
        _ = writeln!(header, "int f{number}(int n);");
    }
    let inlined = random.below(4);
    for number in 0..inlined {
        inlined_function(random, &mut header, number);
    }
    let mut parts = ["#include \"inline.h\"\nvolatile int sink;\n".to_owned(), String::new()];
    parts[1] += if random.once_in(4) { "# 40 \"renamed.c\"\n" } else { "\n" };
    parts[1] += "#include \"inline.h\"\n";
    for (number, &is_other) in (0..).zip(&in_other) {
        function(random, &mut parts[usize::from(is_other)], number, functions, inlined);
    }
    let [mut program, other] = parts;
    program += "int main(void)\n{\n";
    for _ in 0..1 + random.below(4) {
        _ = writeln!(program, "    sink += f{}({});", random.below(functions), random.below(9));
    }
    program += "    for (int i = 0; i < 100; i++) sink += i;\n    return sink == 1;\n}";
    if random.once_in(2) {
        program.push('\n');
    }
    Source { program, other, header, functions }
}

fn inlined_function(random: &mut Random, text: &mut String, number: u64) {
    let always = random.pick(&["", "__attribute__((always_inline)) "]);
    let line = random.pick(&["\n", " "]);
    _ = write!(text, "static inline {always}int i{number}(int n){line}{{{line}");
    for before in 0..number.min(2) {
        _ = write!(text, "    sink += i{before}(n + 1);{line}");
    }
    _ = write!(text, "    for (int i = 0; i < n; i++) {line}sink ^= i;{line}");
    _ = writeln!(text, "    return n * 3 + sink;{line}}}");
}

fn function(random: &mut Random, text: &mut String, number: u64, functions: u64, inlined: u64) {
    if random.once_in(3) {
        _ = writeln!(text, "static int s{number}(int n) {{ sink += n; return sink; }}");
    }
    let attribute = random.pick(&["", "", "__attribute__((noinline)) ", "__attribute__((cold)) "]);
    let line = random.pick(&["\n", "\n", " "]);
    let has_static = text.contains(&format!("int s{number}("));
    _ = write!(text, "{attribute}int f{number}(int n){line}{{{line}    int x = n;{line}");
    _ = write!(text, "    if (n <= 0){line}        return {number};{line}");
    for _ in 0..random.below(5) {
        statement(random, text, number, functions, inlined, line);
    }
    if has_static {
        _ = write!(text, "    x += s{number}(x);{line}");
    }
    _ = write!(text, "    return x;{line}}}\n\n");
    if random.once_in(8) {
        _ = writeln!(text, "int _alias{number}(int) __attribute__((weak, alias(\"f{number}\")));");
    }
}

fn statement(
    random: &mut Random,
    text: &mut String,
    number: u64,
    functions: u64,
    inlined: u64,
    line: &str,
) {
    let callee = random.below(functions);
    let rest = random.pick(&["n - 2", "n / 2", "n - 3"]);
    _ = match random.below(8) {
        0 | 1 => write!(text, "    x += f{callee}({rest});{line}"),
        2 => write!(text, "    if (x & 1) x += f{callee}({rest});{line}    else x--;{line}"),
        3 => {
            let times = 1 + random.below(3);
            write!(
                text,
                "    for (int i = 0; i < {times}; i++){line}        x ^= f{callee}({rest});{line}"
            )
        }
        4 if inlined > 0 => write!(text, "    x += i{}(n);{line}", random.below(inlined)),
        5 => write!(
            text,
            "    switch (n & 3) {{{line}    case 0: x += 5; break;{line}    case 1: x *= 7; break;{line}    \
             case 2: x += f{number}(n - 4);{line}    default: x -= 9;{line}    }}{line}"
        ),
        6 => write!(
            text,
            "    {{ int (*volatile p)(int) = f{callee};{line}      x += p({rest}); }}{line}"
        ),
        _ => write!(text, "    while (x > 100){line}        x /= 3;{line}    sink += x;{line}"),
    };
}
