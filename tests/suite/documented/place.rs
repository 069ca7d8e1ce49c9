//! A folder that has what the documentation speaks of: programs, sources, builds, and their profiles.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use support::command::{go_environment, text_of};
use support::workplace::Workplace;

use crate::GMON;

/// A program that calls, allocates, waits, and takes some time.
const PROGRAM: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define NOINLINE __attribute__((noinline))
static volatile double sum;
NOINLINE void work(int key) { for (int i = 0; i < 20000; i++) sum += key * 0.5; }
NOINLINE double lookup(int key) { work(key); return sum; }
NOINLINE double parse_line(int key) { char *line = malloc(key + 1); lookup(key); free(line); return sum; }
NOINLINE int receive(void) { struct timespec time = {0, 200000000}; return nanosleep(&time, 0) + (sum < 0); }
int main(void) { receive(); for (int i = 0; i < 2000; i++) parse_line(i); puts(\"done\"); }
";

/// Builds by make, of C and of Fortran.
const MAKEFILE: &str = "\
ifeq ($(origin CC),default)
CC = gmon cc gcc
endif
ifeq ($(origin FC),default)
FC = gmon cc gfortran
endif
all: prog heat
prog: prog.c ; $(CC) -O2 -g -o $@ $<
heat: heat.f90 ; $(FC) -O2 -g -o $@ $<
check test: prog ; ./prog
.PHONY: all prog heat check test
";

const CMAKE: &str =
    "cmake_minimum_required(VERSION 3.13)\nproject(prog C)\nadd_executable(prog prog.c)\n";
const MESON: &str = "project('prog', 'c')\nexecutable('prog', 'prog.c')\n";

/// Who wants a profile of the program by each of its names, and of two builds.
const PROFILES: &str = "
for name in program shop old/prog new/prog base/prog; do mkdir -p \"$(dirname $name)\"; cp prog $name; done
gmon run ./prog
for name in gmon.out.1 gmon.out.2 run1.out run2.out; do cp gmon.out $name; done
mkdir earlier tests && gmon run -o earlier/gmon.out ./prog
touch tests/input input
for build in old new; do
    gmon export ./prog -o $build.pb.gz
    for run in 1 2 3 4 5; do gmon run -o run.out ./prog && gmon export ./prog run.out -o $build/$run.json; done
done
rm run.out*
for name in before.json after.json prog.json yesterday.json tests/base.json; do cp old/1.json $name; done
";

/// The example's source, with so many steps that its runs are sampled on any machine.
fn lengthened(heat: &str) -> String {
    let (few, many) = ("do k = 1, 10\n", "do k = 1, 4000\n");
    assert!(heat.contains(few), "{heat}");
    heat.replace(few, many)
}

/// A folder to work in.
pub(super) struct Place(Workplace);

impl Place {
    /// The folder as a user has it before the first command.
    pub(super) fn new() -> Self {
        let place = Self(Workplace::new());
        for (name, text) in [
            ("prog.c", PROGRAM),
            ("Makefile", MAKEFILE),
            ("CMakeLists.txt", CMAKE),
            ("meson.build", MESON),
            ("script.py", "print(sum(i * i for i in range(1000000)))\n"),
        ] {
            place.0.write(name, text);
        }
        place.0.write_executable("configure", "#!/bin/sh\nexit 0\n");
        place.0.copy("examples/languages/heat.f90");
        place.0.write("heat.f90", lengthened(&place.0.read("heat.f90")));
        place.0.copy("docs/gmon-profile-2.schema.json");
        let commands = Path::new(GMON).parent().expect("a folder");
        std::fs::create_dir(place.0.path("bin")).expect("a folder");
        for name in ["gmon", "cargo-gmon"] {
            symlink(commands.join(name), place.0.path(&format!("bin/{name}"))).expect("a link");
        }
        text_of(&mut place.shell("gmon cc gcc -O2 -g prog.c -o prog 2>&1"));
        text_of(&mut place.shell(&format!("exec 2>&1; {PROFILES}")));
        place
    }

    /// A copy of the folder, for commands that change it.
    pub(super) fn copy(&self) -> Self {
        let copy = Workplace::new();
        text_of(copy.command("cp").arg("-a").arg(self.0.path(".")).arg(copy.folder()));
        Self(copy)
    }

    /// These commands in a shell that ends at the first that fails.
    pub(super) fn shell(&self, commands: &str) -> Command {
        let mut shell = self.0.command("bash");
        shell.args(["-euo", "pipefail", "-c", commands]);
        let path = std::env::var("PATH").expect("a PATH");
        shell.env("PATH", format!("{}:{path}", self.0.path("bin").display()));
        // Nothing is to be found in a folder that others use, or to be put there.
        shell.env("DESTDIR", self.0.path("system"));
        shell.env("GITHUB_STEP_SUMMARY", self.0.path("summary.md"));
        shell.env("EDITOR", "true");
        shell.envs(go_environment()).env("PPROF_TMPDIR", self.0.folder());
        shell.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        shell
    }
}
