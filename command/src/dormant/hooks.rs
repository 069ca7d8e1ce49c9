//! Hooks of a running program that are awake.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

use gmon_format::dormant::{LONGEST, Processor};

use super::file::ProgramFile;

/// The hooks of a program that sleep unless somebody wakes them.
#[derive(Debug)]
pub(crate) struct Hooks {
    process: u32,
    processor: &'static Processor,
    /// The address of `__fentry__` in the program's file, as all here.
    fentry: u64,
    /// The address of the hook, by that of the function.
    by_function: BTreeMap<u32, u64>,
}

impl Hooks {
    /// Hooks of a process; `None` if it has none, or its file cannot be read or has no symbols.
    pub(crate) fn of(process: u32) -> Option<Self> {
        let data = fs::read(format!("/proc/{process}/exe")).ok()?;
        let program = ProgramFile::read(&data).ok()?.filter(ProgramFile::is_dormant)?;
        let functions = program.functions().ok()?.into_iter();
        let hooks = functions.filter_map(|(_, function)| {
            Some((u32::try_from(function.start).ok()?, program.hook(function.start)?))
        });
        let by_function: BTreeMap<_, _> = hooks.collect();
        let (processor, fentry) = (program.processor, program.fentry);
        (!by_function.is_empty()).then_some(Self { process, processor, fentry, by_function })
    }

    /// Number of functions that have a hook.
    pub(crate) fn len(&self) -> usize {
        self.by_function.len()
    }

    /// Returns `true` if the function at an address in the program's file has one.
    pub(crate) fn has(&self, function: u32) -> bool {
        self.by_function.contains_key(&function)
    }

    /// The functions whose hooks are awake, by their addresses in the program's file. The program runs on: its memory is only
    /// read. It lies so much higher than in the file.
    ///
    /// # Errors
    /// If the system does not let us read it.
    pub(crate) fn awake(&self, bias: u64) -> io::Result<Vec<u32>> {
        let memory = File::open(format!("/proc/{}/mem", self.process))?;
        let mut awake = Vec::new();
        let mut code = [0; LONGEST];
        for (function, hook) in &self.by_function {
            memory.read_exact_at(&mut code[..self.processor.hook.len], hook.wrapping_add(bias))?;
            if self.processor.hook.is_awake(&code, *hook, self.fentry) == Some(true) {
                awake.push(*function);
            }
        }
        Ok(awake)
    }
}
