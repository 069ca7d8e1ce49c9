//! Subject of a call of rustc, read from its arguments.

use std::ffi::OsString;
use std::iter;
use std::path::{Path, PathBuf};

/// Parts of the call that matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Compilation {
    /// The name of the crate.
    pub(super) name: String,
    /// True if it is for the machine that programs are built for, not part of the build itself: only
    /// then cargo says `--target`.
    pub(super) is_for_target: bool,
    /// True if code comes out of it.
    pub(super) makes_code: bool,
    /// True if a program comes out of it.
    pub(super) makes_program: bool,
    /// True if a shared library comes out of it.
    pub(super) makes_library: bool,
    /// True if LLVM is to optimise.
    pub(super) is_optimised: bool,
    /// Level of that, in rustc's word; empty if it is not said.
    pub(super) level: String,
    /// True if LLVM is to optimise all crates together when the program is linked.
    pub(super) optimises_links: bool,
    /// True if the C library is asked to be part of the program.
    pub(super) has_static_c: bool,
    /// True if the arguments say how names are mangled, and how much there is for debuggers.
    pub(super) sets_mangling: bool,
    pub(super) sets_debuginfo: bool,
    /// True if they ask for more than lines.
    pub(super) has_whole_debuginfo: bool,
    /// Folder of its outputs, and the ending of their names there.
    folder: PathBuf,
    extra: String,
}

/// Options of which rustc takes the next word for the value, among those that matter here.
const WITH_NEXT_WORD: &[&str] = &[
    "--cap-lints",
    "--codegen",
    "--crate-name",
    "--crate-type",
    "--emit",
    "--error-format",
    "--json",
    "--out-dir",
    "--target",
    "-C",
    "-o",
];

/// An option, or a word that is none.
struct Argument<'a> {
    /// Its name; `-C` for all of its long forms.
    name: &'a str,
    /// Its value, empty if it has none.
    value: &'a str,
    /// The words as they were given.
    words: &'a [OsString],
}

impl Compilation {
    /// Reads the arguments of rustc; none, if they are not a compilation by cargo.
    pub(super) fn read(arguments: &[OsString]) -> Option<Self> {
        let mut compilation = Self::default();
        let mut has_type = false;
        for Argument { name, value, words } in each(arguments) {
            match name {
                // A folder of any name.
                "--out-dir" => {
                    compilation.folder = words.get(1).map_or(value.into(), PathBuf::from)
                }
                "--crate-name" => value.clone_into(&mut compilation.name),
                "--target" => compilation.is_for_target = true,
                "--emit" => {
                    let mut kinds = value.split(',').map(|kind| kind.split('=').next());
                    compilation.makes_code |= kinds.any(|kind| kind == Some("link"));
                }
                "--crate-type" => {
                    has_type = true;
                    compilation.makes_program |= value == "bin";
                    let mut kinds = value.split(',');
                    compilation.makes_library |= kinds.any(|it| it == "cdylib" || it == "dylib");
                }
                "-O" => {
                    compilation.is_optimised = true;
                    compilation.level = "3".to_owned();
                }
                "--test" => compilation.makes_program = true,
                "-C" => {
                    compilation.sets_mangling |= value.starts_with("symbol-mangling-version=");
                    if let Some(level) = value.strip_prefix("opt-level=") {
                        compilation.is_optimised = level != "0";
                        level.clone_into(&mut compilation.level);
                    }
                    if let ("lto", way) = value.split_once('=').unwrap_or((value, "yes")) {
                        compilation.optimises_links = !["off", "no", "n", "false"].contains(&way);
                    }
                    let features = value.strip_prefix("target-feature=").unwrap_or_default();
                    compilation.has_static_c |= features.split(',').any(|f| f == "+crt-static");
                    if let Some(amount) = value.strip_prefix("debuginfo=") {
                        compilation.sets_debuginfo = true;
                        compilation.has_whole_debuginfo =
                            ["1", "2", "limited", "full"].contains(&amount);
                    }
                    if let Some(extra) = value.strip_prefix("extra-filename=") {
                        extra.clone_into(&mut compilation.extra);
                    }
                }
                _ => {}
            }
        }
        // So cargo compiles benchmarks and tests that have a `main` of their own.
        compilation.makes_program |= !has_type;
        let is_question = compilation.name.is_empty() || compilation.name == "___";
        (!is_question).then_some(compilation)
    }

    /// Any that LLVM is to optimise so far.
    pub(super) fn optimised(level: &str) -> Self {
        Self { is_optimised: true, level: level.to_owned(), ..Self::default() }
    }

    /// A name that no other crate of the build has.
    pub(super) fn unit(&self) -> String {
        format!("{}{}", self.name, self.extra)
    }

    /// The file of the program or the shared library that comes out of it.
    pub(super) fn linked(&self) -> Option<PathBuf> {
        if self.makes_library {
            return Some(self.folder.join(format!("lib{}.so", self.unit())));
        }
        self.makes_program.then(|| self.folder.join(self.unit()))
    }
}

/// The arguments with which the functions of the crate are only listed, in LLVM's language: nothing
/// optimised, nothing said, nothing left where cargo would find it.
pub(super) fn for_listing(arguments: &[OsString], folder: &Path) -> Vec<OsString> {
    const REPLACED: &[&str] =
        &["--emit", "--out-dir", "-o", "--json", "--error-format", "--cap-lints"];
    const REPLACED_CODEGEN: &[&str] = &["incremental=", "lto", "linker-plugin-lto", "debuginfo="];
    let is_replaced = |Argument { name, value, .. }: &Argument<'_>| match *name {
        "-C" => REPLACED_CODEGEN.iter().any(|start| value.starts_with(start)),
        name => REPLACED.contains(&name),
    };
    let mut words: Vec<OsString> = each(arguments)
        .filter(|argument| !is_replaced(argument))
        .flat_map(|argument| argument.words.to_owned())
        .collect();
    let own = ["--emit=llvm-ir", "-Cno-prepopulate-passes", "--cap-lints=allow"];
    words.extend(own.map(OsString::from));
    words.extend(["--out-dir".into(), folder.into()]);
    words
}

/// The arguments that say how programs are linked, and for which target.
pub(super) fn about_linking(arguments: &[OsString]) -> Vec<OsString> {
    const CODEGEN: &[&str] = &["link", "target-feature=", "target-cpu=", "relocation-model="];
    /// Needs code that only other crates have.
    const LTO: &str = "linker-plugin-lto";
    let is_about = |Argument { name, value, .. }: &Argument<'_>| match *name {
        "-C" => CODEGEN.iter().any(|start| value.starts_with(start)) && !value.starts_with(LTO),
        name => name == "--target" || name == "--sysroot" || name.starts_with("-Z"),
    };
    each(arguments).filter(is_about).flat_map(|argument| argument.words.to_owned()).collect()
}

/// The arguments one by one.
fn each(arguments: &[OsString]) -> impl Iterator<Item = Argument<'_>> {
    let mut rest = arguments;
    iter::from_fn(move || {
        let word = rest.first()?.to_str().unwrap_or_default();
        let (name, value) = match (word.split_once('='), word.strip_prefix("-C")) {
            (_, Some(value)) if !value.is_empty() => ("-C", Some(value)),
            (Some((name, value)), _) if name.starts_with("--") => (name, Some(value)),
            _ => (word, None),
        };
        let takes_next = value.is_none() && WITH_NEXT_WORD.contains(&name) && rest.len() > 1;
        let (words, after) = rest.split_at(if takes_next { 2 } else { 1 });
        let value = value.or_else(|| words.get(1)?.to_str()).unwrap_or_default();
        rest = after;
        Some(Argument { name: if name == "--codegen" { "-C" } else { name }, value, words })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn calls_of_cargo_are_read() {
        let library = "--crate-name a_b --edition=2024 src/lib.rs --crate-type lib \
                       --emit=dep-info,metadata,link -C opt-level=3 -C linker-plugin-lto -Clto=off \
                       --target x";
        let program = "--crate-name p --crate-type bin --emit=dep-info,link -Cdebuginfo=1 \
                       -C lto --target=x -C symbol-mangling-version=v0 --out-dir d/e \
                       -C extra-filename=-7f";
        let expected = |name: &str| Compilation { name: name.to_owned(), ..Compilation::default() };
        for (line, compilation) in [
            (
                library,
                Some(Compilation {
                    is_for_target: true,
                    makes_code: true,
                    is_optimised: true,
                    level: "3".to_owned(),
                    ..expected("a_b")
                }),
            ),
            (
                program,
                Some(Compilation {
                    is_for_target: true,
                    makes_code: true,
                    makes_program: true,
                    optimises_links: true,
                    sets_debuginfo: true,
                    has_whole_debuginfo: true,
                    sets_mangling: true,
                    folder: "d/e".into(),
                    extra: "-7f".to_owned(),
                    ..expected("p")
                }),
            ),
            (
                "--crate-name build_script_build --crate-type bin --emit=dep-info,link",
                Some(Compilation {
                    makes_code: true,
                    makes_program: true,
                    ..expected("build_script_build")
                }),
            ),
            ("--crate-name c --crate-type lib --emit=metadata", Some(expected("c"))),
            (
                "--crate-name b --emit=dep-info,link --cfg test",
                Some(Compilation { makes_code: true, makes_program: true, ..expected("b") }),
            ),
            ("-vV", None),
            ("- --crate-name ___ --print=cfg --crate-type bin", None),
        ] {
            assert_eq!(Compilation::read(&words(line)), compilation, "{line}");
        }
        let made = |line| Compilation::read(&words(line)).and_then(|made| made.linked());
        assert_eq!(made(program), Some("d/e/p-7f".into()));
        let shared = "--crate-name c --crate-type cdylib --crate-type rlib --out-dir d";
        assert_eq!(made(shared), Some("d/libc.so".into()));
        assert_eq!(made(library), None);
    }

    #[test]
    fn a_link_is_tried_with_what_decides_it() {
        let line = "--crate-name a -C opt-level=3 -C linker=cc --target x -Clink-arg=-fuse-ld=lld \
                    -L d --extern b -C link-args=-z -C lto";
        let expected = "-C linker=cc --target x -Clink-arg=-fuse-ld=lld -C link-args=-z";
        assert_eq!(about_linking(&words(line)), words(expected));
    }

    #[test]
    fn listing_replaces_what_cargo_wants_made() {
        let line = "--crate-name a --emit=dep-info,link -C lto -C opt-level=3 --out-dir d \
                    --cap-lints warn --error-format=json --extern b=c.rlib -C incremental=i";
        let expected = "--crate-name a -C opt-level=3 --extern b=c.rlib --emit=llvm-ir \
                        -Cno-prepopulate-passes --cap-lints=allow --out-dir t";
        assert_eq!(for_listing(&words(line), Path::new("t")), words(expected));
    }
}
