//! Inspects the libraries that profiled programs link or preload: what they define, what they ask
//! of the linker, and that the code behind a hook stays within its limits.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    env::consts::ARCH,
    path::Path,
};

use support::{
    command::{quiet, shared_library, static_library, text_of},
    compilers::GCC,
    disassembly::{Disassembly, Instruction, WayOut},
};

/// The names that the libraries define: nothing else of ours may meet the program's own names.
const EXPORTS: &str = include_str!("../runtime/archive/exports.txt");

/// The member that only the shared library has.
const ONLY_SHARED: &str = "preloaded";

/// Names, each with the member that defines it; the runtime itself has no name.
fn exports() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = EXPORTS.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| {
        let (line, only) = line.split_once(" on ").unwrap_or((line, ARCH));
        (only == ARCH || only == "linux").then(|| line.split_once(": ").unwrap_or(("", line)))
    })
}

/// The names of all members.
fn exported_names() -> BTreeSet<&'static str> {
    exports().map(|(_, name)| name).collect()
}

/// What `readelf` says about a file, with these options.
fn readelf(options: &str, file: &Path) -> String {
    text_of(quiet("readelf").arg(options).arg(file))
}

/// Names that a file defines for others, as `nm` lists them with these options.
fn defined_names(options: &[&str], file: &Path) -> String {
    text_of(quiet("nm").args(["--defined-only", "--format=just-symbols"]).args(options).arg(file))
}

/// One object for the runtime, because a static link that found only some of the names here would take
/// the others from the C library and report duplicates. Hooks that a program may define itself are
/// objects of their own.
#[test]
fn archive_defines_the_exports_member_by_member() {
    let mut nm = quiet("nm");
    nm.args(["--defined-only", "--extern-only", "--print-file-name"]).arg(static_library());
    let listing = text_of(&mut nm);
    // ARCHIVE:MEMBER:ADDRESS TYPE NAME
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in listing.lines() {
        let (place, name) = line.rsplit_once(' ').expect("a place and a name");
        let member = place.rsplit(':').nth(1).expect("a member");
        found.entry(member).or_default().insert(name);
    }
    let mut expected: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (member, name) in exports().filter(|(member, _)| *member != ONLY_SHARED) {
        expected.entry(member).or_default().insert(name);
    }
    assert_eq!(found.len(), expected.len(), "{listing}");
    for (member, names) in expected {
        let suffix = if member.is_empty() { "gmon.o".to_owned() } else { format!("-{member}.o") };
        let object = found.iter().find(|(file, _)| file.ends_with(&suffix));
        assert_eq!(object.map(|(_, names)| names), Some(&names), "{member}: {listing}");
    }
}

#[test]
fn shared_library_defines_the_exports_and_nothing_else() {
    let names = defined_names(&["--dynamic"], &shared_library());
    assert_eq!(names.lines().collect::<BTreeSet<_>>(), exported_names());
}

#[test]
fn libraries_are_for_this_machine() {
    let machine = match ARCH {
        "x86_64" => "Advanced Micro Devices X86-64",
        other => panic!("the libraries for {other} are not inspected yet"),
    };
    for (file, kind) in [(static_library(), "REL"), (shared_library(), "DYN")] {
        let header = readelf("-hW", &file);
        let field = |name| header.lines().find_map(|line| line.trim().strip_prefix(name));
        assert_eq!(field("Machine:").map(str::trim), Some(machine), "{header}");
        assert!(field("Type:").is_some_and(|line| line.trim().starts_with(kind)), "{header}");
    }
}

#[test]
fn archive_does_not_ask_for_an_executable_stack() {
    let sections = readelf("-SW", &static_library());
    let notes = sections.lines().filter_map(|line| line.split_once(" .note.GNU-stack "));
    let notes: Vec<&str> = notes.map(|(_, note)| note).collect();
    assert_eq!(notes.len(), sections.matches("File: ").count(), "{sections}");
    for note in notes {
        // type, address, offset, size, entry size, then flags unless there are none
        assert_eq!(note.split_whitespace().nth(5), Some("0"), "{note}");
    }
}

#[test]
fn shared_library_has_no_executable_stack_and_no_writable_code() {
    let segments = readelf("-lW", &shared_library());
    assert!(segments.lines().any(|line| line.trim().starts_with("GNU_STACK")), "{segments}");
    for segment in segments.lines().filter(|line| line.contains("0x")) {
        assert!(!segment.contains(" RWE "), "{segment}");
    }
}

#[test]
fn shared_library_has_no_relocations_in_its_code() {
    let dynamic = readelf("-dW", &shared_library());
    assert!(dynamic.contains("SONAME"), "not a dynamic section:\n{dynamic}");
    assert!(!dynamic.contains("TEXTREL"), "{dynamic}");
}

#[test]
fn library_is_marked_with_its_version() {
    let mark = readelf("-p.note.gmon", &shared_library());
    assert_eq!(mark.split_whitespace().last(), Some(env!("CARGO_PKG_VERSION")), "{mark}");
}

/// Without this note the linker turns off indirect branch tracking and shadow stacks for the whole
/// program.
#[test]
#[cfg(target_arch = "x86_64")]
fn libraries_allow_branch_tracking_and_shadow_stacks() {
    for file in [static_library(), shared_library()] {
        let notes = readelf("-nW", &file);
        let features = notes.lines().filter(|line| line.contains("x86 feature:"));
        let features: Vec<&str> = features.collect();
        assert_eq!(features.len(), notes.matches("File: ").count().max(1), "{notes}");
        for feature in features {
            assert!(feature.contains("IBT") && feature.contains("SHSTK"), "{feature}");
        }
    }
}

/// The archive as it lies in a program: linked, so that every call has its target, and with its
/// private names.
fn linked() -> Disassembly {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("inspected.so");
    let mut link = quiet(GCC.c);
    link.args(["-shared", "-nostdlib", "-Wl,-Bsymbolic,-z,now,--whole-archive"]);
    text_of(link.arg(static_library()).arg("-o").arg(&file));
    Disassembly::read(&file)
}

const HOOKS: [&str; 4] = ["mcount", "_mcount", "__fentry__", "__gmon_count"];

/// Hooks that are members of their own and come to the runtime by its ways for them.
const MEMBERS: [&str; 5] = [
    "__cyg_profile_func_enter",
    "__cyg_profile_func_exit",
    "__sanitizer_cov_trace_pc",
    "__sanitizer_cov_trace_pc_guard",
    "__bb_init_func",
];

#[test]
fn hit_takes_no_lock_and_calls_nobody() {
    let code = linked();
    for hook in HOOKS {
        let function = code.function(hook);
        let end = function.iter().position(|instruction| instruction.mnemonic == "ret");
        let hit = &function[..=end.unwrap_or_else(|| panic!("{hook} never returns"))];
        assert!(hit.iter().any(|instruction| instruction.mnemonic.starts_with("inc")), "{hit:?}");
        for instruction in hit {
            assert!(!instruction.is_call() && !instruction.is_locked(), "{hook}: {instruction:?}");
        }
    }
}

/// Everything that is wrong with the code behind a hook, each with the shortest way there. Which way a
/// pointer leads is not known: without `pointers` it leads nowhere, with them to every function that
/// is known to have its address somewhere, which is more than really is behind a hook.
fn violations(code: &Disassembly, starts: Vec<u64>, pointers: bool) -> Vec<String> {
    let mut waiting: VecDeque<(u64, String)> =
        starts.into_iter().map(|address| (address, String::new())).collect();
    let mut reached = BTreeSet::new();
    let mut violations = Vec::new();
    while let Some((address, way)) = waiting.pop_front() {
        if !reached.insert(address) {
            continue;
        }
        let Some((name, function)) = code.at(address) else {
            violations.push(format!("{address:#x}, which is not in the library:{way}"));
            continue;
        };
        let way = format!("{way} → {name}");
        if name.contains("panic") {
            if !pointers {
                violations.push(format!("a panic:{way}"));
            }
            continue;
        }
        for instruction in function {
            if instruction.uses_unsaved_registers() {
                violations.push(format!("{instruction:?}:{way}"));
            }
            match code.way_out(address, instruction) {
                Some(WayOut::To(next)) => waiting.push_back((next, way.clone())),
                Some(WayOut::PerhapsTo(next)) if pointers => {
                    waiting.extend(next.into_iter().map(|next| (next, way.clone())));
                }
                Some(WayOut::OfTheFile) => violations.push(format!("{instruction:?}:{way}")),
                Some(WayOut::PerhapsTo(_)) | None => {}
            }
        }
    }
    // A function of its own, and what it calls.
    assert!(reached.len() > 20, "the starts lead nowhere");
    violations
}

/// The stubs save the general registers and the low halves of the vector registers, and a hook may
/// run before the C library is ready or inside it. So what is behind a hook may use neither other
/// registers nor other code, and it must not end the program.
#[test]
fn miss_stays_in_the_library_and_in_the_registers_that_are_saved() {
    let code = linked();
    let hooks = || HOOKS.iter().chain(&MEMBERS).map(|name| code.address(name)).collect();
    for pointers in [false, true] {
        let violations = violations(&code, hooks(), pointers);
        assert!(violations.is_empty(), "a hook leads to\n  {}", violations.join("\n  "));
    }
}

/// A signal handler must not end the program either, whatever it finds on a stack and in the unwind rules of a
/// program.
#[test]
fn handlers_and_walks_cannot_panic() {
    let code = linked();
    for part in ["stacks8recorder4Call3run", "on_signal", "on_tick"] {
        let starts = code.addresses(part);
        let violations = violations(&code, starts, false);
        assert!(violations.is_empty(), "{part} leads to\n  {}", violations.join("\n  "));
    }
}

#[test]
fn inspection_sees_what_it_forbids() {
    let forbidden = [
        ("vmovdqu", "(%rdi),%xmm0"),
        ("vpxor", "%ymm1,%ymm1,%ymm1"),
        ("vmovups", "%zmm31,(%rax)"),
        ("movq", "%mm0,%rax"),
        ("fld1", ""),
        ("fxsave", "(%rsp)"),
        ("kmovw", "%k1,%eax"),
        ("emms", ""),
    ];
    for (mnemonic, operands) in forbidden {
        let instruction = Instruction::new(0, mnemonic, operands);
        assert!(instruction.uses_unsaved_registers(), "{instruction:?}");
    }
    for (mnemonic, operands) in [("movups", "(%rdi),%xmm0"), ("verr", "%ax"), ("mfence", "")] {
        assert!(!Instruction::new(0, mnemonic, operands).uses_unsaved_registers());
    }
    assert!(Instruction::new(0, "jmp", "*%rax").is_through_pointer());
    assert!(Instruction::new(0, "lock incq", "(%rax)").is_locked());
    assert!(Instruction::new(0, "xchg", "%rax,(%rdx)").is_locked());
}
