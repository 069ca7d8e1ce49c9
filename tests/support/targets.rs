//! The machines that programs are built for: this one, and those of the table of ports.

use std::{
    env::consts::ARCH,
    panic::{AssertUnwindSafe, catch_unwind},
    process::Command,
    sync::LazyLock,
};

use super::command::quiet;

#[path = "../../build/ports.rs"]
mod table;

pub use table::{Port, read};

/// The table of ports.
pub static PORTS: LazyLock<Vec<Port<'static>>> = LazyLock::new(|| {
    read(include_str!("../../runtime/archive/ports.txt")).expect("a table of ports")
});

/// A machine, and how its programs run on this one.
pub struct Target {
    /// Its processor, as rustc calls it.
    pub architecture: &'static str,
    /// The argument of `gmon config --target`; empty for this machine.
    pub triple: &'static str,
    /// The emulator that runs its programs; empty where this machine does.
    pub emulator: &'static str,
    /// Where Debian's cross compilers have its libraries, for the emulator.
    root: &'static str,
    /// GNU gprof for it.
    pub gprof: &'static str,
}

/// This machine.
pub const HOST: &Target =
    &Target { architecture: ARCH, triple: "", emulator: "", root: "", gprof: "gprof" };

impl Target {
    /// The machine of a port.
    pub fn of(port: &Port<'static>) -> Self {
        let is_run_here = port.native == ARCH;
        Self {
            architecture: port.processor,
            triple: port.triple,
            emulator: if is_run_here { "" } else { port.emulator },
            root: port.root,
            gprof: port.gprof,
        }
    }

    /// Whether its emulator loses the upper halves of registers wherever a signal comes, which processors and kernels
    /// keep. The C library fills, copies and measures memory by them, so that a program that is sampled goes wrong now
    /// and then. (A program without any profiler that handles 2,000 signals loses them 2,000 times in qemu 7.2.)
    pub fn loses_registers(&self) -> bool {
        self.emulator == "qemu-sparc32plus"
    }

    /// Checks a program that signals interrupt, and does so again where its emulator may have harmed it: one run of some
    /// fifteen goes wrong there.
    ///
    /// # Panics
    ///
    /// If the check does, each time.
    pub fn check_with_signals(&self, check: impl Fn()) {
        const TIMES: usize = 6;
        let more = if self.loses_registers() { TIMES - 1 } else { 0 };
        let is_right = |_| {
            let is_right = catch_unwind(AssertUnwindSafe(&check)).is_ok();
            if !is_right {
                println!("{} may have harmed the program: once more", self.emulator);
            }
            is_right
        };
        if !(0..more).any(is_right) {
            check();
        }
    }

    /// Tells the emulator where the machine's libraries are.
    pub(crate) fn libraries(&self) -> [&str; 2] {
        ["-L", self.root]
    }

    /// The command that runs a program of the machine, perhaps with a library preloaded.
    pub fn run(&self, program: &std::path::Path, preload: Option<&str>) -> Command {
        if self.emulator.is_empty() {
            let mut command = quiet(program);
            command.envs(preload.map(|library| ("LD_PRELOAD", library)));
            return command;
        }
        let mut command = quiet(self.emulator);
        command.args(self.libraries());
        if let Some(library) = preload {
            command.args(["-E", &format!("LD_PRELOAD={library}")]);
        }
        command.arg(program);
        command
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// What an emulator harms may go wrong now and then; a fault of ours goes wrong each time.
    #[test]
    fn a_check_that_always_fails_is_not_forgiven() {
        let port = PORTS.iter().map(Target::of).find(Target::loses_registers);
        let harmed = port.expect("a port whose emulator loses registers");
        for (target, fails, passes) in
            [(&harmed, 0, true), (&harmed, 3, true), (&harmed, 1000, false), (HOST, 1, false)]
        {
            let runs = Cell::new(0);
            let check = || {
                runs.set(runs.get() + 1);
                assert!(runs.get() > fails, "wrong");
            };
            let result = catch_unwind(AssertUnwindSafe(|| target.check_with_signals(check)));
            assert_eq!(result.is_ok(), passes, "{fails} of {}", runs.get());
        }
    }
}
