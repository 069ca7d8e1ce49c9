//! Calls from a program into shared libraries, as a full profile has them and as callgrind has measured them, by library
//! and address: a function may have many names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use gmon_format::live::Live;
use gmon_format::{LoadedArc, SelfPc};
use object::{Architecture, Object, ObjectSymbol, SymbolFlags, elf};

use super::{
    callgrind,
    command::{quiet, text_of},
    compilers::Compiler,
    modes::{Mode, mode},
    suite::Suite,
    workplace::Workplace,
};

/// Calls of functions of libraries.
#[derive(Debug, Default)]
pub struct LibraryCalls {
    /// By library and address in its file.
    calls: BTreeMap<(PathBuf, u64), u64>,
}

/// Checks on a processor of x86 of either width that calls into a library keep all registers, by the program
/// `registers.c` of the suite `libcalls`.
///
/// # Panics
///
/// If they do not.
#[track_caller]
pub fn change_no_register(suite: Suite, compiler: &Compiler, flags: &[&str]) {
    let place = Workplace::new();
    let (source, library) = (place.path("nothing.s"), place.path("libnothing.so"));
    let code = ".globl nothing\n.type nothing, %function\nnothing: ret\n.size nothing, 1\n\
                .section .note.GNU-stack, \"\", %progbits\n";
    fs::write(&source, code).expect("a file");
    let mut link = quiet(compiler.c);
    link.args(compiler.options).args(["-shared", "-nostdlib"]).arg(source).arg("-o").arg(&library);
    text_of(&mut link);
    let library = format!("-Wl,{}", library.display());
    // The compiler must not have hooks between the calls.
    let mode = Mode { hooks: &[], link: &[], ..*mode("preloaded") };
    for binding in ["-Wl,-z,lazy", "-Wl,-z,now"] {
        let common = ["-Wl,--no-as-needed", &*library, binding];
        let program = suite.build_by(compiler, "registers.c", &mode, &[&common, flags].concat());
        let output = program.run(&[], &[("GMON_OPTIONS", "libcalls,sampler=none")]);
        assert!(output.status.success(), "{binding}: {output:?}");
        let said = (&*output.stdout, &*output.stderr);
        assert_eq!(said, (&b"done\n"[..], &b""[..]), "{binding}: {output:?}");
        let calls = LibraryCalls::read(&program.path("gmon.out.full"), &program.executable);
        assert_eq!(calls.of("libnothing", "nothing"), 3000, "{binding}");
    }
}

/// The symbols of a library.
struct Names {
    /// Addresses by names, several where a name has versions.
    addresses: BTreeMap<String, BTreeSet<u64>>,
    /// Addresses of functions that choose another one for the processor.
    choosers: BTreeSet<u64>,
}

impl LibraryCalls {
    /// Reads a full profile.
    ///
    /// # Panics
    ///
    /// If the file is missing or not whole.
    pub fn read(path: &Path, program: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let live = Live::new(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let program = program.canonicalize().expect("a path");
        let mut calls = BTreeMap::new();
        for LoadedArc { self_pc: SelfPc(callee), count, .. } in live.process_arcs() {
            let module = live.modules().find(|module| module.contains(callee));
            let module = module.unwrap_or_else(|| panic!("{callee:#x} is in no module"));
            let file = PathBuf::from(String::from_utf8_lossy(module.path).into_owned());
            let file = file.canonicalize().unwrap_or(file);
            if file != program {
                *calls.entry((file, module.file_pc(callee).0)).or_default() += count;
            }
        }
        Self { calls }
    }

    /// Calls of a function in all libraries whose file name begins so.
    pub fn of(&self, library: &str, function: &str) -> u64 {
        let is_it = |file: &Path, address: u64| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(library) && Names::read(file).is(function, address)
        };
        let calls = self.calls.iter().filter(|((file, address), _)| is_it(file, *address));
        calls.map(|(_, count)| count).sum()
    }

    /// Checks that they are what `calls.c` of the suite `libcalls` calls.
    ///
    /// # Panics
    ///
    /// If they are not.
    #[track_caller]
    pub fn are_those_of_calls_c(&self, what: &str) {
        for (library, function, count) in [
            ("libm", "fmod", 1000),
            ("libm", "hypot", 1000),
            ("libc", "strtod", 1000),
            ("libc", "div", 1000),
            ("libc", "_setjmp", 50),
            ("libc", "longjmp", 50),
            ("libc", "qsort", 1),
            ("libc", "vfork", 3),
            ("libc", "waitpid", 3),
            ("libc", "malloc", 4000),
            ("libc", "free", 4000),
            ("libc", "pthread_create", 4),
            ("libc", "pthread_join", 4),
            ("libc", "puts", 1),
        ] {
            assert_eq!(self.of(library, function), count, "{what}: {function}");
        }
        assert!(self.of("libc", "strcoll") >= 5, "{what}");
    }

    fn c_library(&self) -> &Path {
        let mut files = self.calls.keys().map(|(file, _)| file.as_path());
        files.find(|file| file.ends_with("libc.so.6")).expect("a call of the C library")
    }

    /// All calls.
    pub fn total(&self) -> u64 {
        self.calls.values().sum()
    }

    /// Checks that the calls are those of callgrind, function by function; gives the number of functions and of calls.
    /// What the dynamic loader does itself is not there. Functions that were chosen for the processor have names that
    /// only debug information knows: there the sums are equal. Callgrind does not tell whose the calls are that come by a
    /// table which it takes for a function; functions that are `unlike` for a reason are left out. The sums of chosen functions may differ by `slack`.
    ///
    /// # Panics
    ///
    /// If they differ.
    pub fn are(
        &self,
        truth: &[callgrind::LibraryCall],
        unlike: &[&str],
        slack: u64,
    ) -> (usize, u64) {
        let mut files = BTreeMap::new();
        let mut known: BTreeMap<(PathBuf, u64), [u64; 2]> = BTreeMap::new();
        let mut chosen: BTreeMap<PathBuf, u64> = BTreeMap::new();
        for call in truth.iter().filter(|call| !call.function.starts_with("_dl_runtime_resolve")) {
            let path = Path::new(&call.object);
            let name = call.function.split('@').next().unwrap_or_default();
            if unlike.contains(&name) {
                continue;
            }
            let mut file = path.canonicalize().unwrap_or(path.to_owned());
            if path.ends_with("libgmon.so") {
                // It stands before functions of the C library.
                file = self.c_library().to_owned();
            }
            let names = files.entry(file.clone()).or_insert_with(|| Names::read(&file));
            let addresses = names.addresses.get(name).into_iter().flatten();
            let is_called = |address: &&u64| self.calls.contains_key(&(file.clone(), **address));
            match addresses.clone().find(is_called).or(addresses.clone().next()) {
                Some(address) if !names.choosers.contains(address) => {
                    let sums = known.entry((file, *address)).or_default();
                    sums[usize::from(call.is_by_table)] += call.count;
                }
                _ => *chosen.entry(file).or_default() += call.count,
            }
        }
        let mut differences = Vec::new();
        for ((file, address), count) in &self.calls {
            let names = files.entry(file.clone()).or_insert_with(|| Names::read(file));
            if unlike.iter().any(|name| names.is(name, *address)) {
                continue;
            }
            if names.choosers.contains(address) {
                let left = chosen.entry(file.clone()).or_default();
                *left = left.wrapping_sub(*count);
            } else if !known.contains_key(&(file.clone(), *address)) {
                differences.push(format!("{}: {count}, not 0", names.at(*address)));
            }
        }
        for ((file, address), [direct, by_table]) in &known {
            let count = self.calls.get(&(file.clone(), *address)).copied().unwrap_or(0);
            if !(*direct..=direct + by_table).contains(&count) {
                let name = files[file].at(*address);
                differences.push(format!("{name}: {count}, not {direct} + {by_table}"));
            }
        }
        for (file, left) in &chosen {
            let left = *left as i64;
            if left.unsigned_abs() > slack {
                differences.push(format!("{}: {left} of chosen functions", file.display()));
            }
        }
        assert!(differences.is_empty(), "{differences:#?}");
        (self.calls.len(), self.total())
    }
}

impl Names {
    fn read(file: &Path) -> Self {
        let mut names = Self { addresses: BTreeMap::new(), choosers: BTreeSet::new() };
        let Ok(bytes) = fs::read(file) else { return names };
        let object = object::File::parse(&*bytes).expect("a library");
        for symbol in object.symbols().chain(object.dynamic_symbols()) {
            let SymbolFlags::Elf { st_info, .. } = symbol.flags() else { continue };
            if symbol.is_undefined() || symbol.address() == 0 {
                continue;
            }
            let name = symbol.name().unwrap_or_default();
            let name = name.split('@').next().unwrap_or_default();
            // Addresses of Thumb code are odd in symbols, and even where calls are counted.
            let is_arm = object.architecture() == Architecture::Arm;
            let address = symbol.address() & !u64::from(is_arm);
            if st_info.0 & 0xf == elf::STT_GNU_IFUNC.0 {
                names.choosers.insert(address);
            }
            names.addresses.entry(name.to_owned()).or_default().insert(address);
        }
        names
    }

    fn is(&self, name: &str, address: u64) -> bool {
        self.addresses.get(name).is_some_and(|addresses| addresses.contains(&address))
    }

    fn at(&self, address: u64) -> String {
        let names = self.addresses.keys().filter(|name| self.is(name, address));
        let names: Vec<&str> = names.map(String::as_str).collect();
        if names.is_empty() { format!("{address:#x}") } else { names.join("=") }
    }
}
