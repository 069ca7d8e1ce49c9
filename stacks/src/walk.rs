//! The walk of stacks, as the runtime knows the program.
//!
//! *Context:* signal, on a stack of its own.

use gmon_format::live::Label;
use gmon_system::arch;
use gmon_system::charge::{charged_pc, is_cost_of_profiling};
use gmon_system::memory::WalkMemory;
use gmon_system::platform::{Blocked, Context};
use gmon_system::program::Program;
use gmon_unwind::{
    Array, Frame, Incomplete, Native, OwnFrame, Packed, Processor, Registers, Tables,
};

use super::cache::{self, Epoch};
use super::frames::Frames;
use super::made;
use super::modules::{self, Code};
use super::python::{self, Merge, Verdict};

/// More will be known in a moment.
pub(super) struct TooEarly;

/// Fills `frames`, the innermost first, with the stack of code that was interrupted with these registers.
/// Says why it is not complete; `None` if it is.
///
/// # Errors
///
/// Somebody is about to learn whose code lies where, without which callers could only be guessed.
pub(super) fn walk(
    memory: &mut WalkMemory,
    python: (&mut python::Tools, python::Thread),
    registers: &Registers<Native>,
    frames: &mut Frames,
) -> Result<Option<Label>, TooEarly> {
    memory.share(false);
    walk_knowing(memory, python, registers, !0, frames)
}

/// Fills `frames` with the stack of a thread that waits in a system call, of whose registers two are known.
pub(super) fn walk_waiting(
    memory: &mut WalkMemory,
    python: (&mut python::Tools, python::Thread),
    at: &Blocked,
    frames: &mut Frames,
) -> Result<Option<Label>, TooEarly> {
    let registers = Registers::<Native>::from_fn(|number| match number {
        Native::RETURN_ADDRESS => at.pc as _,
        Native::STACK_POINTER => at.stack_pointer as _,
        _ => 0,
    });
    let known = 1 << Native::RETURN_ADDRESS | 1 << Native::STACK_POINTER;
    memory.share(true);
    walk_knowing(memory, python, &registers, known, frames)
}

/// Returns `true` if such a thread's stack can be walked: its code is a module's, and the processor's rules do not
/// depend on what else is in registers. An emulator tells where it waits itself.
pub(super) fn can_walk_waiting(at: &Blocked) -> bool {
    let asks_for_more = Native::WINDOWS.is_some() || !Native::ARE_RULES_EXACT;
    // It looks for modules that were loaded meanwhile.
    _ = modules::code(at.pc);
    !asks_for_more && modules::has(at.pc)
}

fn walk_knowing(
    memory: &mut WalkMemory,
    (tools, thread): (&mut python::Tools, python::Thread),
    registers: &Registers<Native>,
    known: u64,
    frames: &mut Frames,
) -> Result<Option<Label>, TooEarly> {
    let mut skip = Some(0);
    let mut is_first = true;
    loop {
        let merge = Merge::new(tools, thread, skip);
        let (label, verdict) = walk_once(memory, merge, registers, known, frames)?;
        match verdict {
            // Nothing has to be repeated twice for one reason: then no function of Python is put in.
            Verdict::Again(again) if skip.is_some() => {
                let is_new = |again: &usize| skip == Some(0) && (is_first || *again > 0);
                skip = again.filter(is_new);
                is_first = false;
                frames.clear();
            }
            _ => return Ok(label),
        }
    }
}

fn walk_once(
    memory: &mut WalkMemory,
    merge: Merge<'_>,
    registers: &Registers<Native>,
    known: u64,
    frames: &mut Frames,
) -> Result<(Option<Label>, Verdict), TooEarly> {
    memory.trust(modules::stays, modules::moment());
    memory.begin();
    let mut program = Here { epoch: cache::epoch() };
    let mut frames = Charged { frames, merge, is_inmost: true };
    let end =
        gmon_unwind::walk_knowing::<Native, _>(memory, &mut program, registers, known, &mut frames);
    let verdict = frames.merge.finish(frames.frames, end.is_ok());
    let label = match end {
        Ok(()) => return Ok((None, verdict)),
        Err(Incomplete::Unsure(Unsure::Awaited)) => return Err(TooEarly),
        Err(Incomplete::Unsure(Unsure::Leaving)) => Label::RuntimeBusy,
        Err(Incomplete::Deeper) => Label::Deeper,
        Err(Incomplete::NoModule) => Label::NoModule,
        Err(Incomplete::NoRules) => Label::NoRules,
        Err(Incomplete::Unreadable) => Label::Unreadable,
        Err(Incomplete::NoProgress) => Label::NoProgress,
        Err(Incomplete::BadRules) => Label::BadRules,
        Err(Incomplete::RegisterLost) => Label::RegisterLost,
    };
    Ok((Some(label), verdict))
}

/// The registers of interrupted code, in a handler.
pub(super) fn registers(context: &Context) -> Registers<Native> {
    #[cfg(any(target_arch = "sparc", target_arch = "sparc64"))]
    // SAFETY: the processor writes windows to where they belong on the stack.
    unsafe {
        core::arch::asm!("flushw")
    };
    Registers::<Native>::from_fn(|number| {
        Native::in_context(number).map_or(0, |place| context.word(place) as _)
    })
}

/// Frames as they are charged: what the runtime does is no part of the program, but its time is shown.
struct Charged<'f, 't> {
    frames: &'f mut Frames,
    merge: Merge<'t>,
    /// True until code is met that is not the runtime's.
    is_inmost: bool,
}

impl gmon_unwind::Frames for Charged<'_, '_> {
    fn clear(&mut self) {
        self.frames.clear();
        self.merge.clear();
        self.is_inmost = true;
    }

    fn push(&mut self, frame: Frame) -> bool {
        let pc = frame.pc as usize;
        let charged = if made::has(pc) { arch::hooks().start } else { charged_pc(pc) };
        let is_ours = arch::runtime_text().contains(&pc) && !arch::hooks().contains(&pc);
        if self.is_inmost && arch::library_functions().contains(&pc) {
            // What it does there is that function's time.
            self.frames.clear();
            self.merge.drop_held();
        }
        self.is_inmost &= is_ours;
        let is_first = self.frames.as_slice().is_empty() && !self.merge.holds();
        let Frame { is_guess, stack_pointer, .. } = frame;
        let native = python::Native { charged, pc, is_guess, stack_pointer };
        self.merge.push(self.frames, native, !is_ours || is_first)
    }
}

/// The program that the runtime is in.
struct Here {
    /// When the last rule that was not in the cache began to be looked up.
    epoch: Epoch,
}

/// Why it cannot be said whose code lies where.
enum Unsure {
    /// A module may be about to be unloaded.
    Leaving,
    /// Somebody looks for modules just now.
    Awaited,
}

impl gmon_unwind::Program<'static, Native> for Here {
    type Unsure = Unsure;

    fn tables(&mut self, pc: u64) -> Result<Option<Tables<'static, Native>>, Unsure> {
        match modules::code(pc as usize) {
            Code::Of(tables) => Ok(Some(tables)),
            Code::WithoutRules => Ok(None),
            Code::Leaving => Err(Unsure::Leaving),
            Code::Awaited => Err(Unsure::Awaited),
        }
    }

    fn is_code(&mut self, address: u64) -> bool {
        modules::has(address as usize)
    }

    fn is_made(&mut self, address: u64) -> bool {
        modules::has_made(address as usize)
    }

    fn entry(&self) -> Option<u64> {
        Program::get().map(|program| program.entry as u64)
    }

    fn kept(&mut self, pc: u64) -> Option<Packed> {
        let rule = cache::get(pc as usize);
        if rule.is_none() {
            self.epoch = cache::epoch();
        }
        rule
    }

    fn keep(&mut self, pc: u64, rule: Packed) {
        cache::put(pc as usize, rule, self.epoch);
    }

    /// The runtime's own frame between a call into a library and the function: in a stub nothing is on the stack but
    /// what the call has left there.
    fn frame(&self, pc: u64) -> Option<OwnFrame> {
        const WORD: usize = size_of::<usize>();
        let pc = pc as usize;
        match (made::has(pc), Native::LINK) {
            (true, Some(_)) => Some(OwnFrame { size: 0, return_address: None }),
            (true, None) => Some(OwnFrame { size: WORD, return_address: Some(WORD) }),
            #[cfg(target_arch = "arm")]
            (false, _) => super::arm::library_call(pc),
            #[cfg(not(target_arch = "arm"))]
            (false, _) => None,
        }
    }

    fn is_own(&self, pc: u64) -> bool {
        is_cost_of_profiling(pc as usize)
    }

    fn is_hook(&self, pc: u64) -> bool {
        arch::hooks().contains(&(pc as usize))
    }

    #[cfg(target_arch = "arm")]
    fn hooked(
        &self,
        memory: &mut impl gmon_unwind::Memory,
        registers: &Registers<Native>,
    ) -> Option<gmon_unwind::Hooked<u32>> {
        super::arm::hooked(memory, registers)
    }
}
