//! One walk over all contexts, from the starts of the threads inwards and back.
//!
//! It needs no recursion, and time in proportion to the contexts, however deep they are.

use crate::profile::Context;
use crate::records::Looks;

/// Contexts with what lies below each of them.
pub(super) struct Tree {
    /// The samples of each context and of all below it.
    pub(super) total: Vec<Looks>,
    /// Children of each context, those of one behind those of another, and where each one's begin.
    children: Vec<u32>,
    starts: Vec<u32>,
}

/// What a walk meets.
pub(super) enum Step {
    /// A context, before everything below it.
    Enter(u32),
    /// A context, after everything below it.
    Leave(u32),
}

impl Tree {
    /// Takes contexts, each behind its parent; those that are not `wanted` have no samples.
    pub(super) fn new(contexts: &[Context], wanted: impl Fn(&Context) -> bool) -> Self {
        let looks =
            |context: &Context| if wanted(context) { context.own } else { Looks::default() };
        let mut total: Vec<Looks> = contexts.iter().map(looks).collect();
        for (index, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent {
                let own = total[index];
                total[parent as usize] += own;
            }
        }
        let mut starts = vec![0; contexts.len() + 1];
        let parents = || contexts.iter().map(|context| context.parent);
        parents().flatten().for_each(|parent| starts[parent as usize + 1] += 1);
        for index in 0..contexts.len() {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut children = vec![0; contexts.len()];
        for (child, parent) in (0..).zip(parents()) {
            if let Some(parent) = parent {
                let place = &mut next[parent as usize];
                children[*place as usize] = child;
                *place += 1;
            }
        }
        Self { total, children, starts }
    }

    /// What a context called, in the order of their positions.
    pub(super) fn children(&self, context: u32) -> &[u32] {
        let index = context as usize;
        &self.children[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Meets every context that has samples, or something below it that has.
    pub(super) fn walk(&self, contexts: &[Context], mut visit: impl FnMut(Step)) {
        let is_start = |position: &u32| contexts[*position as usize].parent.is_none();
        let mut ahead: Vec<Step> =
            (0..contexts.len() as u32).filter(is_start).rev().map(Step::Enter).collect();
        while let Some(step) = ahead.pop() {
            let &(Step::Enter(context) | Step::Leave(context)) = &step;
            if matches!(step, Step::Enter(_)) {
                if self.total[context as usize] == Looks::default() {
                    continue;
                }
                ahead.push(Step::Leave(context));
                ahead.extend(self.children(context).iter().rev().map(|child| Step::Enter(*child)));
            }
            visit(step);
        }
    }
}
