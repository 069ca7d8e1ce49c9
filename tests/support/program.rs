//! Compiles, links and runs profiled programs, each in a folder of its own.

use std::{
    cell::OnceCell,
    collections::HashMap,
    env,
    ffi::OsString,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use super::{
    command::{gmon, libraries, output_of, quiet, shared_library_for, text_of},
    compilers::Compiler,
    counts::{Counts, FunctionNames},
    executable,
    modes::{Mode, Runtime},
    targets::{HOST, Target},
    workplace::Workplace,
};

/// What every object file is compiled with.
const COMPILE: &[&str] = &["-O2", "-g", "-Wall", "-Wextra"];

/// Builds one source file in several modes.
pub struct Builder<'a> {
    compiler: &'a Compiler,
    source: &'a Path,
    flags: &'a [String],
    place: Workplace,
    /// What a mode compiles with → the object file that came of it.
    objects: HashMap<(bool, &'static [&'static str], &'static [&'static str]), PathBuf>,
}

/// The options of programs whose hooks sleep otherwise.
const AWAKE: &str = "hooks=*";

/// A linked program, alone in its folder.
pub struct Program {
    /// The executable.
    pub executable: PathBuf,
    runtime: Runtime,
    /// The machine that it is for.
    pub target: &'static Target,
    place: Workplace,
    options: Option<OsString>,
    names: OnceCell<FunctionNames>,
}

impl<'a> Builder<'a> {
    /// Prepares to build `source` with `flags` added to every compilation and every link.
    pub fn new(compiler: &'a Compiler, source: &'a Path, flags: &'a [String]) -> Self {
        Self { compiler, source, flags, place: Workplace::new(), objects: HashMap::new() }
    }

    /// The program as `mode` makes it. Compiler and linker must have nothing to say about it.
    pub fn build(&mut self, mode: &Mode) -> Program {
        let object = self.object(mode);
        let place = Workplace::new();
        let executable = place.path("program");
        let mut link = self.driver(mode);
        link.args(self.compiler.options)
            .args(mode.link)
            .args(self.flags)
            .arg(object)
            .arg("-o")
            .arg(&executable);
        if mode.runtime == Runtime::Linked {
            link.args(libraries(self.compiler.target));
        }
        text_of(&mut link);
        let (runtime, target) = (mode.runtime, self.compiler.target);
        // Some options want shared libraries.
        let options = env::var_os("GMON_TEST_OPTIONS").filter(|_| !mode.is_static());
        let options = if runtime == Runtime::Dormant { Some(AWAKE.into()) } else { options };
        Program { executable, runtime, target, place, options, names: OnceCell::new() }
    }

    /// The compiler.
    fn driver(&self, mode: &Mode) -> Command {
        let driver = self.compiler.driver(self.source);
        if mode.runtime != Runtime::Dormant {
            return quiet(driver);
        }
        let mut command = gmon();
        command.args(["cc", "--dormant", driver]);
        command
    }

    fn object(&mut self, mode: &Mode) -> PathBuf {
        let mut compile = self.driver(mode);
        let Self { compiler, source, flags, place, objects } = self;
        let file = place.path(&format!("{}.o", objects.len()));
        let key = (mode.runtime == Runtime::Dormant, mode.hooks, mode.compile);
        let object = objects.entry(key).or_insert_with(|| {
            compile
                .args(compiler.options)
                .args(COMPILE)
                .args(mode.hooks)
                .args(mode.compile)
                .args(flags.iter())
                .arg("-c")
                .arg(source);
            text_of(compile.arg("-o").arg(&file));
            file
        });
        object.clone()
    }
}

impl Program {
    /// What somebody else has built with hooks that sleep, for this machine, alone in a folder.
    pub fn dormant(built: &Path) -> Self {
        let place = Workplace::new();
        let executable = place.path("program");
        executable::copy(built, &executable);
        let (runtime, names) = (Runtime::Dormant, OnceCell::new());
        Self { executable, runtime, target: HOST, place, options: None, names }
    }

    /// Runs the program to its end, in its folder, with some environment variables set.
    #[must_use = "a program that failed leaves nothing to look at"]
    pub fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        output_of(self.command().args(arguments).envs(variables.iter().copied()))
    }

    /// The program, to be run in its folder. If a test gives it no options, it has those of the variable
    /// `GMON_TEST_OPTIONS`.
    pub fn command(&self) -> Command {
        let preload = (self.runtime == Runtime::Preloaded)
            .then(|| shared_library_for(self.target).display().to_string());
        let mut command = self.target.run(&self.executable, preload.as_deref());
        command.current_dir(self.place.folder());
        command.envs(self.options.as_ref().map(|options| ("GMON_OPTIONS", options)));
        command
    }

    /// The data file that a run has left.
    pub fn data(&self) -> PathBuf {
        self.path("gmon.out")
    }

    /// A file in the program's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path(name)
    }

    /// What a data file in the program's folder says.
    pub fn counts(&self, name: &str) -> Counts {
        Counts::read(self.names(), &self.path(name))
    }

    /// The address of a function in the executable.
    pub fn address(&self, function: &str) -> u64 {
        self.names().place(function).0
    }

    /// The addresses of a function in the executable, with what is between it and the next.
    pub fn addresses(&self, function: &str) -> Range<u64> {
        self.names().places(function)
    }

    fn names(&self) -> &FunctionNames {
        self.names.get_or_init(|| FunctionNames::read(&self.executable))
    }

    /// What `gmon recover` makes of a live file in the program's folder.
    pub fn recovered(&self, name: &str) -> Counts {
        let data = format!("{name}.recovered");
        let mut recover = gmon();
        recover.arg("recover").arg(self.path(name)).arg("-o").arg(self.path(&data));
        let text = text_of(&mut recover);
        assert!(text.contains(" of program, process "), "{text}");
        self.counts(&data)
    }

    /// Removes what earlier runs have left in the program's folder.
    pub fn clear(&self) {
        for name in self.files().iter().filter(|name| **name != "program") {
            fs::remove_file(self.path(name)).expect("a file that can be removed");
        }
    }

    /// Names of all files in the program's folder, in order.
    pub fn files(&self) -> Vec<String> {
        self.place.files()
    }
}
