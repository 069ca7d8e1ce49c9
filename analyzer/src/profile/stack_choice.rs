//! Choice of stacks, by the functions and calls that they hold.

use std::collections::HashSet;

use super::contexts::{Context, Contexts, FunctionId};
use crate::records::Looks;

/// Pattern for a stack: one of some functions or, with callees, a call of one by another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackPattern {
    /// The functions; of calls, the callers.
    pub functions: HashSet<FunctionId>,
    /// Functions called directly.
    pub callees: Option<HashSet<FunctionId>>,
}

/// Choice of stacks. Where on a stack something is does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackChoice {
    /// Stacks that hold one of these, if there are any.
    pub only: Vec<StackPattern>,
    /// Leaves out stacks that hold one of these.
    pub without: Vec<StackPattern>,
}

impl StackChoice {
    /// The functions, by the numbers that they have among other contexts of these stacks.
    #[must_use]
    pub fn renumbered(&self, from: &Contexts, to: &Contexts) -> Self {
        let renumbered = |functions: &HashSet<FunctionId>| {
            let functions = functions.iter().map(|id| &from.functions()[id.index()]);
            functions.filter_map(|function| to.find(function)).collect()
        };
        let patterns = |patterns: &[StackPattern]| {
            let pattern = |pattern: &StackPattern| StackPattern {
                functions: renumbered(&pattern.functions),
                callees: pattern.callees.as_ref().map(renumbered),
            };
            patterns.iter().map(pattern).collect()
        };
        Self { only: patterns(&self.only), without: patterns(&self.without) }
    }
}

impl StackPattern {
    fn fits(&self, function: FunctionId, caller: Option<FunctionId>) -> bool {
        match &self.callees {
            None => self.functions.contains(&function),
            Some(callees) => {
                let is_caller = caller.is_some_and(|caller| self.functions.contains(&caller));
                is_caller && callees.contains(&function)
            }
        }
    }
}

impl Contexts {
    /// Keeps the samples of the chosen stacks alone. Counts and the time in the profiler's hooks are gone: nobody
    /// knows which stack they belong to.
    #[must_use]
    pub fn narrowed(&self, choice: &StackChoice) -> Self {
        let list = self.contexts();
        let holds = |patterns: &[StackPattern]| {
            let mut holds: Vec<bool> = Vec::with_capacity(list.len());
            for context in list {
                let parent = context.parent.map(|parent| parent as usize);
                let caller = parent.map(|parent| list[parent].function);
                let fits = patterns.iter().any(|pattern| pattern.fits(context.function, caller));
                holds.push(fits || parent.is_some_and(|parent| holds[parent]));
            }
            holds
        };
        let (only, without) = (holds(&choice.only), holds(&choice.without));
        let contexts =
            list.iter().zip(only.iter().zip(&without)).map(|(context, (only, without))| {
                let is_chosen = (choice.only.is_empty() || *only) && !without;
                Context { own: if is_chosen { context.own } else { Looks::default() }, ..*context }
            });
        self.with_contexts(contexts.collect())
    }

    /// Only the contexts that have samples, in themselves or in what they called, and their functions.
    #[must_use]
    pub fn sampled(&self) -> Self {
        let list = self.contexts();
        let mut has_samples: Vec<bool> = list.iter().map(|it| it.own != Looks::default()).collect();
        for (position, context) in list.iter().enumerate().rev() {
            if let Some(parent) = context.parent.filter(|_| has_samples[position]) {
                has_samples[parent as usize] = true;
            }
        }
        let mut sampled = self.without_functions();
        let mut positions: Vec<Option<u32>> = Vec::with_capacity(list.len());
        for (context, has_samples) in list.iter().zip(has_samples) {
            positions.push(has_samples.then(|| {
                let function = sampled.function(self.functions()[context.function.index()].clone());
                let parent = context.parent.and_then(|parent| positions[parent as usize]);
                sampled.push(Context { function, parent, ..*context })
            }));
        }
        sampled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Function;
    use crate::records::{Thread, ThreadId};

    /// Samples of each function itself, of main > (cheap, dear) > work > log, under a choice.
    fn samples(choice: &StackChoice) -> [u64; 6] {
        let mut contexts = Contexts::new(vec![Thread::default()]);
        let [main, cheap, dear, work, log] = ["main", "cheap", "dear", "work", "log"].map(|name| {
            contexts.function(Function { name: name.as_bytes().into(), ..Function::default() })
        });
        let looks = Looks { weight: 1, samples: 1, waiting: 0 };
        let mut push =
            |function, parent| contexts.push(Context::new(function, parent, ThreadId(0), looks));
        let start = push(main, None);
        let (by_cheap, by_dear) = (push(cheap, Some(start)), push(dear, Some(start)));
        push(work, Some(by_cheap));
        let of_dear = push(work, Some(by_dear));
        push(log, Some(of_dear));
        contexts.add_calls(main, cheap, 7);
        let narrowed = contexts.narrowed(choice);
        assert_eq!(narrowed.all_calls().count(), 0);
        let own: Vec<u64> = narrowed.contexts().iter().map(|it| it.own.weight).collect();
        own.try_into().expect("all contexts")
    }

    #[test]
    fn what_has_no_samples_is_left_out() {
        let mut contexts = Contexts::new(vec![Thread::default()]);
        let [main, idle, work] = ["main", "idle", "work"].map(|name| {
            contexts.function(Function { name: name.as_bytes().into(), ..Function::default() })
        });
        let looks = Looks { weight: 2, samples: 1, waiting: 0 };
        let none = Looks::default();
        let start = contexts.push(Context::new(main, None, ThreadId(0), none));
        contexts.push(Context::new(idle, Some(start), ThreadId(0), none));
        contexts.push(Context::new(work, Some(start), ThreadId(0), looks));
        let sampled = contexts.sampled();
        let names: Vec<_> = sampled.functions().iter().map(|it| it.name.to_vec()).collect();
        assert_eq!(names, [b"main", b"work"]);
        let [main, work] = [0, 1].map(FunctionId);
        let expected = [
            Context::new(main, None, ThreadId(0), none),
            Context::new(work, Some(0), ThreadId(0), looks),
        ];
        assert_eq!(sampled.contexts(), expected);
        let choice = |id| StackChoice {
            only: vec![StackPattern { functions: [id].into(), callees: None }],
            without: Vec::new(),
        };
        assert_eq!(choice(FunctionId(2)).renumbered(&contexts, &sampled), choice(work));
    }

    #[test]
    fn stacks_are_chosen_by_what_they_hold_anywhere() {
        let [main, _, dear, work, log] = [0, 1, 2, 3, 4].map(FunctionId);
        let function = |id| StackPattern { functions: [id].into(), callees: None };
        let call = |caller, callee| StackPattern {
            functions: [caller].into(),
            callees: Some([callee].into()),
        };
        // main, cheap, dear, work of cheap, work of dear, log.
        for (only, without, expected) in [
            (vec![], vec![], [1, 1, 1, 1, 1, 1]),
            (vec![function(work)], vec![], [0, 0, 0, 1, 1, 1]),
            (vec![function(dear), function(work)], vec![], [0, 0, 1, 1, 1, 1]),
            (vec![], vec![function(dear)], [1, 1, 0, 1, 0, 0]),
            (vec![function(work)], vec![function(log)], [0, 0, 0, 1, 1, 0]),
            (vec![call(dear, work)], vec![], [0, 0, 0, 0, 1, 1]),
            (vec![call(main, work)], vec![], [0; 6]),
            (vec![], vec![function(main)], [0; 6]),
        ] {
            let choice = StackChoice { only, without };
            assert_eq!(samples(&choice), expected, "{choice:?}");
        }
    }
}
