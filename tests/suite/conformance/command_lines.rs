//! Command lines for any program. In them, `{caller}` and `{callee}` stand for functions of which one
//! calls the other, `{file}` for their source file and `{line}` for a line of it.

/// Command lines without `--line`.
#[rustfmt::skip]
pub(crate) const BY_FUNCTION: &[&str] = &[
    "", "-p", "-q", "-C", "-i", "-p -q", "-q -C -p", "-B", "-P", "-Q", "-P -Q", "-Z", "-p -P", "-i -p",
    "-T", "-T -p", "-T -q", "-Tz", "-z", "-z -p", "-zq", "-z -C", "-w1 -q", "-w 40", "--width=132 -q", "-w0",
    "-a", "-D", "-aD -T", "-L -q", "--inline-file-names", "--inline-file-names -L -p",
    "--no-demangle", "--demangle=none -p", "--demangle=auto", "--demangle=gnu-v3 -q", "--demangle=rust -p",
    "-p{callee}", "-P{callee}", "-P{caller} -q", "-p{file} -z", "-p{file}:{caller}", "-P{file}:{line}",
    "-q{caller}", "-Q{caller}", "-q{caller}/{callee}", "-Q{caller}/{callee}", "-q{caller}/", "-q/{callee}",
    "-k{caller}/{callee}", "-k {caller}/{callee} -C", "-k /{callee} -p", "-k {callee}",
    "-n{callee}", "-N {callee}", "--time={caller} -q", "--no-time {caller} -p",
    "-e {caller}", "-E {caller}", "-f {caller}", "-F {callee}", "-f {caller} -e {callee}", "--={callee}",
    "-C{caller}", "-Z{caller}", "-C{file} -z", "-Z{file}", "-qnosuch -pnosuch", "-p{callee} -p{caller} -T",
    "-A{caller} -t3", "-A -t0 -P", "-J{file} -z", "-y -A{callee}", "-A -x -m5 -I/nowhere", "-A -L -J",
    "-O auto -p", "-O magic -q", "-Oprof", "-O nosuch", "--file-format=magic -i",
    "--flat-prof --brief", "--gra", "--fil", "-9", "--nosuch", "-bpT", "-k", "--line=3", "@words", "@nosuch",
];

/// Command lines that look at single lines of the source; GNU gprof takes long for them.
#[rustfmt::skip]
pub(crate) const BY_LINE: &[&str] = &[
    "-l", "-l -T", "-l -z -p", "-lL", "-l -p{file}:{line}", "-l -q{caller}", "-l -n{file} -q", "-l -a",
    "-l -C", "-l -C{file} -z", "-l -A", "-l -A -x", "-l -A{file} -x -m3 -t20", "-l -y -A", "-s", "-s -p -q",
];
