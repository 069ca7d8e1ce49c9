//! Callers of library functions in the program, by the time that they cause there.

use std::collections::HashMap;

use gmon_format::live::CodeKind;

use super::document::{Function, Kind, Model};
use super::ids::{FunctionId, ModuleId};
use crate::records::module_of;
use crate::signature::is_of_standard_library;

/// The function of the program that all threads of its own begin in: it works for nobody.
const START: &str = "_start";

/// The caller in the program on most of the stacks on which a function of a library was found working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The function of the program.
    pub function: FunctionId,
    /// The other callers, if this one has less than half of the function's time; 0 if it has more.
    pub others: usize,
}

impl Model {
    /// For each function of a library the function of the program that is next above it on most of the stacks on which it
    /// was found working; `None` for others, and where no stack has one. Functions of Python are the program's, too: its
    /// interpreter may be a library. What a standard library has put into the program, and modules that came with Python or
    /// were installed for it, are passed over where somebody called them.
    #[must_use]
    pub fn callers_in_program(&self) -> Vec<Option<Caller>> {
        let python = module_of(CodeKind::Python);
        let python = self.modules.iter().find(|module| module.path.as_bytes() == python);
        let python = python.map(|module| module.id);
        let modules = [Some(ModuleId(0)), python];
        let is_of_program = |function: &Function| {
            function.module.is_some()
                && modules.contains(&function.module)
                && function.name != START
                && matches!(function.kind, Kind::Code | Kind::Inlined)
        };
        let file = |function: &Function| self.files.get(function.file?.index());
        let is_standard = |function: &Function| match python.is_some() && function.module == python
        {
            true => file(function).is_some_and(|file| is_installed(file)),
            false => is_of_standard_library(&function.display),
        };
        let standard: Vec<bool> = self.functions.iter().map(is_standard).collect();
        let mut nearest: Vec<Option<FunctionId>> = Vec::with_capacity(self.stacks.nodes().len());
        let mut weights: HashMap<(FunctionId, FunctionId), u64> = HashMap::new();
        let mut sums = vec![0; self.functions.len()];
        for node in self.stacks.nodes() {
            let function = self.frames[node.frame.index()].function;
            let above = node.parent.and_then(|parent| nearest[parent as usize]);
            let is_own = is_of_program(&self.functions[function.index()]);
            let is_passed_over =
                standard[function.index()] && above.is_some_and(|it| !standard[it.index()]);
            nearest.push(if is_own && !is_passed_over { Some(function) } else { above });
            sums[function.index()] += node.own.weight;
            if let Some(caller) = above.filter(|_| !is_own && node.own.weight > 0) {
                *weights.entry((function, caller)).or_default() += node.own.weight;
            }
        }
        let mut most: Vec<Option<(u64, FunctionId, usize)>> = vec![None; self.functions.len()];
        for ((function, caller), weight) in weights {
            let known = &mut most[function.index()];
            let others = known.map_or(0, |(.., others)| others + 1);
            // Of equals the first, whatever the order of the table.
            let first = known.map_or((weight, caller), |(sum, id, _)| {
                if weight > sum || weight == sum && caller < id {
                    (weight, caller)
                } else {
                    (sum, id)
                }
            });
            *known = Some((first.0, first.1, others));
        }
        let caller = |(known, sum): (Option<(u64, FunctionId, usize)>, u64)| {
            let (weight, function, others) = known?;
            match weight >= sum - weight {
                true => Some(Caller { function, others: 0 }),
                // Alone and with little it says nothing of the rest.
                false => (others > 0).then_some(Caller { function, others }),
            }
        };
        most.into_iter().zip(sums).map(caller).collect()
    }
}

/// Returns `true` of a file of Python that came with the interpreter, or was installed for all programs.
fn is_installed(file: &str) -> bool {
    let mut folders = file.split('/').rev().skip(1);
    let is_of_python = |folder: &str| {
        let version = folder.strip_prefix("python3");
        version.is_some_and(|rest| rest.chars().all(|it| it == '.' || it.is_ascii_digit()))
    };
    file.starts_with("<frozen ") || folders.any(|it| it.ends_with("-packages") || is_of_python(it))
}

#[cfg(test)]
mod tests {
    use super::super::by_name::Run;
    use super::super::document::{Paths, Sampling};
    use super::super::ids::FileId;
    use crate::model::ByName;
    use crate::records::Looks;

    /// The caller and the number of others that are known for the function at the end of each stack.
    #[track_caller]
    fn check(stacks: &[(&str, u64)], expected: &[(&str, &str, usize)]) {
        let sampling =
            Sampling { rate_hz: 1, period_ns: 1, paths: Paths::Sampled, ..Sampling::none() };
        let mut sum = ByName::default();
        sum.begin(&Run::of("/usr/bin/python3", sampling)).unwrap();
        let thread = sum.thread("python3");
        for path in ["python3", "libm.so.6", "[python]"] {
            sum.add_module(path, None, None);
        }
        for (stack, weight) in stacks {
            let mut parent = None;
            let frames: Vec<_> = stack.split(' ').collect();
            for (at, frame) in (1..).zip(&frames) {
                let (module, name) = frame.split_once('=').unwrap();
                let function = sum.function(module, name);
                sum.add_function(function, name, None, 1);
                let weight = if at == frames.len() { *weight } else { 0 };
                let own = Looks { weight, samples: weight, ..Looks::default() };
                let frame = sum.frame(function, false);
                parent = Some(sum.add_node(parent, thread, frame, own));
            }
        }
        let mut model = sum.into_model();
        for id in 0..model.functions.len() {
            if let Some((_, file)) = model.functions[id].name.split_once('@') {
                model.files.push(file.to_owned());
                model.functions[id].file = Some(FileId(model.files.len() as u32 - 1));
            }
        }
        let callers = model.callers_in_program();
        for (name, caller, others) in expected {
            let function = model.functions.iter().position(|it| it.name == *name).unwrap();
            let known = callers[function];
            let known = known.map(|it| (&*model.functions[it.function.index()].name, it.others));
            assert_eq!(known.unwrap_or_default(), (*caller, *others), "{name}");
        }
    }

    #[test]
    fn python_is_the_program_s_and_the_start_is_nobody_s() {
        check(
            &[
                ("python3=_start libm.so.6=exp", 1),
                ("python3=_start [python]=grow libm.so.6=sin", 1),
                ("python3=main libm.so.6=cos", 1),
                ("python3=main [python]=shrink", 1),
            ],
            &[("exp", "", 0), ("sin", "grow", 0), ("cos", "main", 0), ("shrink", "", 0)],
        );
    }

    #[test]
    fn installed_modules_of_python_are_passed_over() {
        const DUMP: &str = "dump@/usr/lib/python3.11/json/__init__.py";
        const WRAP: &str = "wrap@/venv/lib/python3.13/site-packages/numpy/_core/fromnumeric.py";
        const OWN: &str = "own@/home/me/python3-work/own.py";
        check(
            &[
                (&format!("[python]={OWN} [python]={DUMP} libm.so.6=sin"), 1),
                (&format!("[python]={OWN} [python]={WRAP} libm.so.6=exp"), 1),
                (&format!("[python]={WRAP} libm.so.6=cos"), 1),
                (&format!("[python]={WRAP} [python]={OWN} libm.so.6=tan"), 1),
            ],
            &[("sin", OWN, 0), ("exp", OWN, 0), ("cos", WRAP, 0), ("tan", OWN, 0)],
        );
    }

    #[test]
    fn a_caller_with_less_than_half_is_not_the_only_one() {
        check(
            &[
                ("python3=a libm.so.6=half", 2),
                ("python3=b libm.so.6=half", 1),
                ("libm.so.6=half", 1),
                ("python3=a libm.so.6=less", 2),
                ("python3=b libm.so.6=less", 1),
                ("python3=c libm.so.6=less", 1),
                ("libm.so.6=less", 1),
                ("python3=a libm.so.6=alone", 1),
                ("libm.so.6=alone", 2),
            ],
            &[("half", "a", 0), ("less", "a", 2), ("alone", "", 0)],
        );
    }

    #[test]
    fn what_a_standard_library_put_into_the_program_is_passed_over() {
        check(
            &[
                ("python3=less python3=std::sort libm.so.6=cmp", 1),
                ("python3=std::sort libm.so.6=move", 1),
                ("python3=std::sort python3=less libm.so.6=swap", 1),
                ("python3=std::sort python3=std::swap libm.so.6=copy", 1),
            ],
            &[
                ("cmp", "less", 0),
                ("move", "std::sort", 0),
                ("swap", "less", 0),
                ("copy", "std::swap", 0),
            ],
        );
    }
}
