//! Work of one call of the compiler, and what it needs for profiling.

use gmon_format::dormant::{Processor, Way};

use super::expand_words;
use std::ffi::{OsStr, OsString};
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::slice;

use super::options::{self, InputKind};

/// Last step of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Answering a question, or preprocessing.
    Ask,
    /// Making objects, or joining them to something that is not a program.
    Compile,
    /// Linking a program.
    Link,
}

/// A call of the compiler, as far as profiling cares.
#[derive(Debug, Default)]
pub(crate) struct Invocation {
    asks: bool,
    stops_before_link: bool,
    is_not_a_program: bool,
    /// Objects are only joined.
    is_joined: bool,
    /// The command line says how functions return.
    has_exits: bool,
    /// `-pg` is there already.
    has_hooks: bool,
    /// Hooks of basic blocks are there already.
    has_block_hooks: bool,
    /// Hooks at both ends of functions are there already.
    has_instrumentation: bool,
    has_sanitizer: bool,
    /// Functions are to have no frame pointer, which the hooks need.
    omits_frame_pointer: bool,
    /// The runtime is there already.
    has_runtime: bool,
    /// The link has no C library but the one that it names itself.
    has_no_default_libc: bool,
    has_libc: bool,
    /// The file that comes out of it, if it is named.
    output: Option<OsString>,
    /// The linker's own word for it, which counts.
    linked: Option<OsString>,
    /// The linker's next word is that.
    names_linked: bool,
    /// The linker only answers a question.
    asks_linker: bool,
    options_ended: bool,
    /// From `-x LANGUAGE`, for the inputs that follow.
    language: Option<InputKind>,
    /// Some input, or a library.
    has_input: bool,
    /// Some input is compiled in this call.
    compiles: bool,
    /// All inputs are headers.
    is_headers_only: Option<bool>,
}

/// Way in which code is to call its hooks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hooks {
    /// As `-pg` has it.
    Awake,
    /// Not until somebody wakes them, on this processor; with exits that sleep, too, if the compiler makes such.
    Dormant(&'static Processor, Option<&'static Way>),
    /// At both ends of functions, as `-finstrument-functions` has it.
    Instrumented,
}

impl Invocation {
    /// Reads a compiler's arguments, those in response files too.
    pub(crate) fn read(arguments: &[OsString]) -> Self {
        let mut invocation = Self::default();
        let words = expand_words(arguments);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            invocation.word(word, &mut words);
        }
        invocation
    }

    /// The last step of the call.
    fn step(&self) -> Step {
        if self.is_question() || !self.has_input {
            Step::Ask
        } else if self.stops_before_link
            || self.is_not_a_program
            || self.is_headers_only == Some(true)
        {
            Step::Compile
        } else {
            Step::Link
        }
    }

    fn is_question(&self) -> bool {
        self.asks || self.asks_linker && !self.stops_before_link
    }

    /// Returns `true` if a shared library comes out of it.
    fn makes_library(&self) -> bool {
        let is_link = !self.is_question() && !self.stops_before_link && self.has_input;
        is_link && self.is_not_a_program && !self.is_joined
    }

    /// The file that comes out of a link.
    fn output(&self) -> &Path {
        let named = self.linked.as_ref().or(self.output.as_ref());
        named.map_or(Path::new("a.out"), Path::new)
    }

    /// Returns `true` if a program comes out of it, which needs the runtime.
    pub(crate) fn links_program(&self) -> bool {
        self.step() == Step::Link && !self.has_runtime
    }

    /// The program that comes out of a link, with this runtime or one that is named; `None` if it is no link.
    pub(crate) fn program(&self) -> Option<&Path> {
        (self.step() == Step::Link).then(|| self.output())
    }

    /// The shared library that comes out of a link.
    pub(crate) fn library(&self) -> Option<&Path> {
        self.makes_library().then(|| self.output())
    }

    /// Returns `true` if a program or a shared library comes out of it.
    pub(crate) fn links_something(&self) -> bool {
        self.step() == Step::Link || self.makes_library()
    }

    /// Returns `true` if the user has decided how functions return.
    pub(crate) fn has_exits(&self) -> bool {
        self.has_exits
    }

    /// Returns `true` if the compiler only answers a question or preprocesses.
    pub(crate) fn asks(&self) -> bool {
        self.step() == Step::Ask
    }

    /// Returns `true` if it makes code.
    pub(crate) fn makes_code(&self) -> bool {
        self.step() != Step::Ask && self.compiles
    }

    /// Returns `true` if it makes code for which hooks of basic blocks were not chosen yet.
    pub(crate) fn needs_block_hooks(&self) -> bool {
        self.makes_code() && !self.has_block_hooks
    }

    /// Returns `true` if a sanitizer is to be in the program, which needs the compiler's runtime.
    pub(crate) fn has_sanitizer(&self) -> bool {
        self.has_sanitizer
    }

    /// The arguments with what profiling needs: `-pg` and whatever option finds its start file, or what makes hooks that
    /// sleep; and `archive`, the runtime or what libraries have in its place, after all objects.
    pub(crate) fn complete(
        &self,
        mut arguments: Vec<OsString>,
        kind: Hooks,
        start_file: Option<OsString>,
        archive: Option<&Path>,
    ) -> Vec<OsString> {
        let mut options = Vec::new();
        let hooks = self.step() == Step::Link || self.step() == Step::Compile && self.compiles;
        match kind {
            Hooks::Awake if hooks && !self.has_hooks => options.push("-pg".into()),
            Hooks::Dormant(processor, exits) if hooks => {
                options.push(processor.compiler_option.into());
                let of_exits = exits.into_iter().flat_map(|way| way.compiler_options);
                options.extend(of_exits.map(OsString::from));
            }
            Hooks::Instrumented if self.makes_code() && !self.has_instrumentation => {
                options.push("-finstrument-functions".into());
            }
            _ => {}
        }
        // Perhaps no code refers to the runtime, or only code that the linker has optimised and asks others for first.
        let pulled = match kind {
            Hooks::Awake => None,
            // This name it has on all processors.
            Hooks::Dormant(..) => Some("-Wl,-u,__gmon_count"),
            Hooks::Instrumented => Some("-Wl,-u,__cyg_profile_func_enter"),
        };
        options.extend(pulled.filter(|_| self.links_program()).map(OsString::from));
        if hooks && matches!(kind, Hooks::Awake) && self.omits_frame_pointer {
            // gcc and clang reject -pg otherwise. The last of the two options counts.
            options.push("-fno-omit-frame-pointer".into());
        }
        options.extend(start_file);
        let end_of_options = arguments.iter().position(|word| word == "--");
        let at = end_of_options.unwrap_or(arguments.len());
        arguments.splice(at..at, options);

        let has_exits = self.makes_library() && matches!(kind, Hooks::Dormant(..));
        if let Some(archive) = archive.filter(|_| self.links_program() || has_exits) {
            if end_of_options.is_none() {
                // Past the reach of -x LANGUAGE, and whatever characters the path has.
                arguments.push("-Xlinker".into());
            }
            arguments.push(archive.into());
            if self.has_no_default_libc && self.has_libc && end_of_options.is_none() {
                arguments.push("-lc".into());
            }
        }
        arguments
    }
}

/// Reading of arguments.
impl Invocation {
    fn word<'a>(&mut self, word: &'a OsStr, rest: &mut impl Iterator<Item = &'a OsString>) {
        let bytes = word.as_bytes();
        if self.options_ended || bytes == b"-" || !bytes.starts_with(b"-") {
            return self.input(word);
        }
        if let Some(name) = output_in(bytes) {
            let joined = (!name.is_empty()).then(|| OsStr::from_bytes(name).to_owned());
            self.output = joined.or_else(|| rest.next().cloned());
            return;
        }
        let text = word.to_string_lossy();
        let option = &*text;
        match option {
            "--" => self.options_ended = true,
            "-pg" => self.has_hooks = true,
            "-fomit-frame-pointer" => self.omits_frame_pointer = true,
            "-fno-omit-frame-pointer" => self.omits_frame_pointer = false,
            "-nostdlib" | "-nodefaultlibs" => self.has_no_default_libc = true,
            "-x" => self.language = rest.next().and_then(|name| InputKind::of_language(name)),
            "-l" => self.links(rest.next().map(|name| name.as_bytes())),
            "-Xlinker" => self.linker_words(rest.next().map_or(&[], slice::from_ref)),
            _ if option.starts_with("-Wl,") => {
                let words = bytes.split(|byte| *byte == b',').skip(1);
                let words = words.map(|word| OsStr::from_bytes(word).to_owned());
                self.linker_words(&words.collect::<Vec<_>>());
            }
            _ if options::WITH_VALUE.contains(&option) => _ = rest.next(),
            _ if options::COMPILING.contains(&option) => self.stops_before_link = true,
            _ if options::NOT_A_PROGRAM.contains(&option) => {
                self.is_not_a_program = true;
                self.is_joined |= options::JOINING.contains(&option);
            }
            _ if options::ASKING.contains(&option) => self.asks = true,
            _ if options::ASKING_PREFIXES.iter().any(|p| option.starts_with(p)) => self.asks = true,
            _ => {
                if let Some(name) = option.strip_prefix("-x") {
                    self.language = InputKind::of_language(name.as_ref());
                } else if let Some(name) = option.strip_prefix("-l") {
                    self.links(Some(name.as_bytes()));
                } else {
                    self.has_instrumentation |= option.starts_with("-finstrument-functions");
                    self.has_exits |= option.starts_with("-mfunction-return=");
                    self.has_block_hooks |= option.starts_with("-fsanitize-coverage=");
                    self.has_sanitizer |= option.starts_with("-fsanitize=");
                }
            }
        }
    }

    fn input(&mut self, file: &OsStr) {
        self.has_input = true;
        self.has_runtime |= is_runtime(file.as_bytes());
        let kind = self.language.unwrap_or_else(|| InputKind::of(file));
        self.compiles |= matches!(kind, InputKind::Source | InputKind::Header);
        let is_header = kind == InputKind::Header;
        self.is_headers_only = Some(is_header && self.is_headers_only.unwrap_or(true));
    }

    fn links(&mut self, name: Option<&[u8]>) {
        self.has_input = true;
        self.has_libc |= name == Some(b"c");
        self.has_runtime |= name == Some(b"gmon");
    }

    /// Reads words of the linker, those in its response files too.
    fn linker_words(&mut self, words: &[OsString]) {
        for word in expand_words(words) {
            if mem::take(&mut self.names_linked) {
                self.linked = Some(word);
                continue;
            }
            let word = word.as_bytes();
            match output_in(word) {
                Some(b"") => self.names_linked = true,
                Some(name) => self.linked = Some(OsStr::from_bytes(name).to_owned()),
                None => {}
            }
            self.has_runtime |= is_runtime(word);
            let is_one_of = |list: &[&str]| list.iter().any(|option| option.as_bytes() == word);
            self.asks_linker |= is_one_of(options::ASKING_LINKER);
            self.is_not_a_program |= is_one_of(options::NOT_A_PROGRAM_LINKER);
            self.is_joined |= is_one_of(options::JOINING);
        }
    }
}

/// The name of the output in an option of the compiler or the linker; empty if it is the next word.
fn output_in(option: &[u8]) -> Option<&[u8]> {
    let at = option.iter().position(|byte| *byte == b'=').unwrap_or(option.len());
    // Linkers know options by their beginnings, too.
    match option[..at].starts_with(b"--outp") && b"--output".starts_with(&option[..at]) {
        true => Some(option.get(at + 1..).unwrap_or_default()),
        false => option.strip_prefix(b"-o"),
    }
}

/// Returns `true` if a path or a linker's word is one of our libraries.
fn is_runtime(word: &[u8]) -> bool {
    let name = word.rsplit(|byte| *byte == b'/').next().unwrap_or(word);
    [&b"libgmon.a"[..], b"libgmon.so", b"-lgmon"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole command line that comes out of the one that goes in.
    #[track_caller]
    fn check(line: &str, completed: &str) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let invocation = Invocation::read(&words);
        let words =
            invocation.complete(words, Hooks::Awake, None, Some(Path::new("/lib/libgmon.a")));
        assert_eq!(words.join(OsStr::new(" ")), completed, "{invocation:?}");
    }

    #[test]
    fn compiling_gets_hooks() {
        check("-c x.c", "-c x.c -pg");
        check("-S -O2 x.cpp -o x.s", "-S -O2 x.cpp -o x.s -pg");
        check("-pg -c x.c", "-pg -c x.c");
        check("-c -x c -", "-c -x c - -pg");
        check("-c -xc++ input", "-c -xc++ input -pg");
        check("-MD -MF x.d -c x.c", "-MD -MF x.d -c x.c -pg");
        check("x.h", "x.h -pg");
        check("-x c++-header all.hpp -o all.gch", "-x c++-header all.hpp -o all.gch -pg");
        check("-c -- x.c", "-c -pg -- x.c");
    }

    #[test]
    fn assembling_gets_nothing() {
        check("-c x.s", "-c x.s");
        check("-c x.S -o x.o", "-c x.S -o x.o");
        check("-c -x assembler x", "-c -x assembler x");
    }

    #[test]
    fn hooks_keep_the_frame_pointer() {
        check(
            "-fomit-frame-pointer -c x.c",
            "-fomit-frame-pointer -c x.c -pg -fno-omit-frame-pointer",
        );
        check(
            "-fomit-frame-pointer -fno-omit-frame-pointer -c x.c",
            "-fomit-frame-pointer -fno-omit-frame-pointer -c x.c -pg",
        );
        check("-fomit-frame-pointer -E x.c", "-fomit-frame-pointer -E x.c");
    }

    #[test]
    fn linking_a_program_gets_hooks_and_the_runtime() {
        check("x.c", "x.c -pg -Xlinker /lib/libgmon.a");
        check("-o x x.o -lm", "-o x x.o -lm -pg -Xlinker /lib/libgmon.a");
        check("-static x.o", "-static x.o -pg -Xlinker /lib/libgmon.a");
        check("-static-pie x.c", "-static-pie x.c -pg -Xlinker /lib/libgmon.a");
        check("-no-pie -pg x.c", "-no-pie -pg x.c -Xlinker /lib/libgmon.a");
        check("-v x.c", "-v x.c -pg -Xlinker /lib/libgmon.a");
        check("-x c x -o y", "-x c x -o y -pg -Xlinker /lib/libgmon.a");
        check(
            "-o x -Wl,-O1,--as-needed x.o",
            "-o x -Wl,-O1,--as-needed x.o -pg -Xlinker /lib/libgmon.a",
        );
        check("-- x.c", "-pg -- x.c /lib/libgmon.a");
        check(
            "-nostdlib crt1.o x.o -lc",
            "-nostdlib crt1.o x.o -lc -pg -Xlinker /lib/libgmon.a -lc",
        );
    }

    #[test]
    fn the_start_file_is_named_among_the_options() {
        for (line, completed) in [
            ("-static-pie x.o", "-static-pie x.o -pg -B/start -Xlinker /lib/libgmon.a"),
            ("-static-pie -- x.c", "-static-pie -pg -B/start -- x.c /lib/libgmon.a"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let archive = Some(Path::new("/lib/libgmon.a"));
            let start = Some("-B/start".into());
            let words = Invocation::read(&words).complete(words, Hooks::Awake, start, archive);
            assert_eq!(words.join(OsStr::new(" ")), completed);
        }
    }

    #[test]
    fn the_runtime_is_linked_once() {
        check("x.o /any/libgmon.a", "x.o /any/libgmon.a -pg");
        check("x.o -L/any -lgmon", "x.o -L/any -lgmon -pg");
        check("x.o -Wl,/any/libgmon.so", "x.o -Wl,/any/libgmon.so -pg");
        check("x.o -Xlinker /any/libgmon.a", "x.o -Xlinker /any/libgmon.a -pg");
    }

    #[test]
    fn what_is_not_a_program_gets_no_runtime() {
        check("-shared -fPIC x.c -o libx.so", "-shared -fPIC x.c -o libx.so -pg");
        check("-shared x.o -o libx.so", "-shared x.o -o libx.so");
        check("-r x.o y.o -o z.o", "-r x.o y.o -o z.o");
        check("-Wl,-r x.o -o z.o", "-Wl,-r x.o -o z.o");
        check("-Xlinker -shared x.o", "-Xlinker -shared x.o");
    }

    #[test]
    fn questions_get_nothing() {
        for line in [
            "-v",
            "--version",
            "-dumpmachine",
            "-print-prog-name=ld",
            "-print-search-dirs",
            "--help=optimizers",
            "-E x.c",
            "-M x.c",
            "-MM -MF x.d x.c",
            "-fsyntax-only x.c",
            "-### x.c",
            "-E -dM -x c /dev/null",
            "-V",
            "-qversion",
            "-o x",
            "-Wl,--version x.o",
            "",
        ] {
            check(line, line);
        }
    }

    #[test]
    fn code_gets_hooks_of_blocks_once() {
        for (line, expected) in [
            ("-c x.c", true),
            ("x.c -o x", true),
            ("x.o -o x", false),
            ("-c x.s", false),
            ("-E x.c", false),
            ("-fsanitize-coverage=trace-cmp -c x.c", false),
            ("-fsanitize=address -c x.c", true),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let invocation = Invocation::read(&words);
            assert_eq!(invocation.needs_block_hooks(), expected, "{line}");
            assert_eq!(invocation.has_sanitizer(), line.contains("address"), "{line}");
        }
    }

    #[test]
    fn hooks_that_sleep_need_room_and_the_runtime() {
        let [first, second] = [&Processor::X86_64, &Processor::AARCH64];
        let rooms = ["-fpatchable-function-entry=5", "-fpatchable-function-entry=2"];
        for (processor, room) in [first, second].into_iter().zip(rooms) {
            check_dormant(processor, room);
        }
    }

    fn check_dormant(processor: &'static Processor, room: &str) {
        const PULL: &str = "-Wl,-u,__gmon_count -Xlinker /g.a";
        for (line, completed, program) in [
            ("-c x.c -fomit-frame-pointer", format!("-c x.c -fomit-frame-pointer {room}"), None),
            ("-c x.s", "-c x.s".to_owned(), None),
            ("-shared x.o -o x.so", "-shared x.o -o x.so -Xlinker /g.a".to_owned(), None),
            ("x.o", format!("x.o {room} {PULL}"), Some("a.out")),
            ("x.c -o y", format!("x.c -o y {room} {PULL}"), Some("y")),
            ("x.o -oy -lgmon", format!("x.o -oy -lgmon {room}"), Some("y")),
            ("x.o --output=y -lgmon", format!("x.o --output=y -lgmon {room}"), Some("y")),
        ] {
            let hooks = Hooks::Dormant(processor, None);
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let invocation = Invocation::read(&words);
            let words = invocation.complete(words, hooks, None, Some(Path::new("/g.a")));
            assert_eq!(words.join(OsStr::new(" ")), *completed);
            assert_eq!(invocation.program(), program.map(Path::new), "{line}");
        }
    }

    #[test]
    fn the_output_has_a_name_in_each_spelling() {
        for line in [
            "-o y",
            "-oy",
            "--output y",
            "--output=y",
            "-o z -o y",
            "-Wl,-o,y",
            "-Wl,-oy",
            "-Wl,--outp=y",
            "-Wl,--output,y",
            "-Xlinker -o -Xlinker y",
            "-Xlinker --output -Wl,y,-O1",
            "-Wl,-o,y -o z",
        ] {
            let words: Vec<_> = line.split(' ').chain(["x.o"]).map(OsString::from).collect();
            assert_eq!(Invocation::read(&words).program(), Some(Path::new("y")), "{line}");
        }
        let odd = [&b"-Wl,-o\xff"[..], b"-o\xff", b"--output=\xff"];
        for word in odd.map(|word| OsStr::from_bytes(word).to_owned()) {
            let program = Invocation::read(&[word, "x.o".into()]);
            assert_eq!(program.program(), Some(Path::new(OsStr::from_bytes(b"\xff"))));
        }
    }

    #[test]
    fn hooks_at_both_ends_come_in_place_of_those_at_the_start() {
        const PULL: &str = "-Wl,-u,__cyg_profile_func_enter -Xlinker /g.a";
        for (line, completed) in [
            ("-c x.c", "-c x.c -finstrument-functions".to_owned()),
            ("-c x.s", "-c x.s".to_owned()),
            (
                "-c x.c -finstrument-functions-after-inlining",
                "-c x.c -finstrument-functions-after-inlining".to_owned(),
            ),
            ("-shared x.o -o x.so", "-shared x.o -o x.so".to_owned()),
            ("x.o", format!("x.o {PULL}")),
            ("x.c -o y", format!("x.c -o y -finstrument-functions {PULL}")),
            ("x.o -lgmon", "x.o -lgmon".to_owned()),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let invocation = Invocation::read(&words);
            let archive = Some(Path::new("/g.a"));
            let words = invocation.complete(words, Hooks::Instrumented, None, archive);
            assert_eq!(words.join(OsStr::new(" ")), *completed);
        }
    }

    #[test]
    fn exits_that_sleep_need_an_option() {
        for (line, completed, library) in [
            ("-c x.c", "-c x.c -fpatchable-function-entry=5 -mfunction-return=thunk-extern", None),
            ("-c x.s", "-c x.s", None),
            ("-shared x.o -o x.so", "-shared x.o -o x.so", Some("x.so")),
            ("-Wl,-shared x.o", "-Wl,-shared x.o", Some("a.out")),
            ("-r x.o", "-r x.o", None),
            ("-shared -c x.s", "-shared -c x.s", None),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let invocation = Invocation::read(&words);
            let processor = &Processor::X86_64;
            let hooks =
                Hooks::Dormant(processor, processor.exits.as_ref().map(|exits| &exits.ways[0]));
            assert_eq!(invocation.library(), library.map(Path::new), "{line}");
            assert_eq!(
                invocation.complete(words, hooks, None, None).join(OsStr::new(" ")),
                completed
            );
        }
        let decided = ["-mfunction-return=keep", "-c", "x.c"].map(OsString::from);
        assert!(Invocation::read(&decided).has_exits());
    }

    #[test]
    fn values_of_options_are_not_inputs() {
        check("-o x.c", "-o x.c");
        check("-I x.c -include y.c -D z.c", "-I x.c -include y.c -D z.c");
        check("--param x=1 -MF y.c", "--param x=1 -MF y.c");
    }
}
