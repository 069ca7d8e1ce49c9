//! Callers of library functions in the program, by the time that they cause there.

use std::collections::HashMap;

use gmon_format::live::CodeKind;

use super::document::{Kind, Model};
use super::ids::{FunctionId, ModuleId};
use crate::records::module_of;

/// The function of the program that all threads of its own begin in: it works for nobody.
const START: &str = "_start";

impl Model {
    /// For each function of a library the function of the program that is next above it on most of the stacks on which it
    /// was found working; `None` for others, and where no stack has one. Functions of Python are the program's, too: its
    /// interpreter may be a library.
    #[must_use]
    pub fn callers_in_program(&self) -> Vec<Option<FunctionId>> {
        let python = module_of(CodeKind::Python);
        let python = self.modules.iter().find(|module| module.path.as_bytes() == python);
        let modules = [Some(ModuleId(0)), python.map(|module| module.id)];
        let is_of_program = |id: FunctionId| {
            let function = &self.functions[id.index()];
            function.module.is_some()
                && modules.contains(&function.module)
                && function.name != START
                && matches!(function.kind, Kind::Code | Kind::Inlined)
        };
        let mut nearest: Vec<Option<FunctionId>> = Vec::with_capacity(self.stacks.nodes().len());
        let mut weights: HashMap<(FunctionId, FunctionId), u64> = HashMap::new();
        for node in self.stacks.nodes() {
            let function = self.frames[node.frame.index()].function;
            let above = node.parent.and_then(|parent| nearest[parent as usize]);
            let is_own = is_of_program(function);
            nearest.push(if is_own { Some(function) } else { above });
            if let Some(caller) = above.filter(|_| !is_own && node.own.weight > 0) {
                *weights.entry((function, caller)).or_default() += node.own.weight;
            }
        }
        let mut most: Vec<Option<(u64, FunctionId)>> = vec![None; self.functions.len()];
        for ((function, caller), weight) in weights {
            let known = &mut most[function.index()];
            // Of equals the first, whatever the order of the table.
            let is_more =
                known.is_none_or(|(sum, id)| weight > sum || weight == sum && caller < id);
            if is_more {
                *known = Some((weight, caller));
            }
        }
        most.into_iter().map(|known| known.map(|(_, caller)| caller)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_name::Run;
    use super::super::document::{Paths, Sampling};
    use crate::model::ByName;
    use crate::records::Looks;

    #[test]
    fn python_is_the_program_s_and_the_start_is_nobody_s() {
        let sampling =
            Sampling { rate_hz: 1, period_ns: 1, paths: Paths::Sampled, ..Sampling::none() };
        let program = "/usr/bin/python3".to_owned();
        let mut sum = ByName::default();
        let run = Run { program, host: None, pid: None, start_ns: None, sampling, python: None };
        sum.begin(&run).unwrap();
        let thread = sum.thread("python3");
        for path in ["python3", "libm.so.6", "[python]"] {
            sum.add_module(path, None, None);
        }
        let stacks = [
            ("python3:_start libm.so.6:exp", ""),
            ("python3:_start [python]:grow libm.so.6:sin", "grow"),
            ("python3:main libm.so.6:cos", "main"),
            ("python3:main [python]:shrink", ""),
        ];
        for (stack, _) in stacks {
            let mut parent = None;
            for frame in stack.split(' ') {
                let (module, name) = frame.split_once(':').unwrap();
                let function = sum.function(module, name);
                sum.add_function(function, name, None, 1);
                let own = Looks { weight: 1, samples: 1, ..Looks::default() };
                parent = Some(sum.add_frame(parent, thread, function, own));
            }
        }
        let model = sum.into_model();
        let callers = model.callers_in_program();
        for (stack, expected) in stacks {
            let last = stack.rsplit(':').next().unwrap();
            let function = model.functions.iter().position(|it| it.name == last).unwrap();
            let caller = callers[function].map(|id| model.functions[id.index()].name.as_str());
            assert_eq!(caller.unwrap_or_default(), expected, "{stack}");
        }
    }
}
