//! Inlined code as a part of the functions that have it.

use serde::{Deserialize, Serialize};

use super::document::{Function, Model};
use super::ids::FunctionId;
use super::sampled::add_inclusive;
use super::timeline::{Moment, Timeline, placed};
use crate::analysis::stacks::Node;
use crate::records::Looks;

/// Inlined functions that are shown as a part of the function that has their code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fold {
    /// None: each has its own time.
    Nothing,
    /// Functions of which no inlined copy has more code than a screen has instructions.
    #[default]
    Small,
    /// All.
    All,
}

/// Bytes of a screen of instructions: 24 lines of 4 bytes, which is about what one has on average.
const SCREEN: u64 = 24 * 4;

impl Fold {
    /// Returns `true` for a function that has no time of its own where it was inlined. Counts say nothing of that: most
    /// are of its other copy, and a part of a run, which has none, must be like the whole.
    pub(super) fn has(self, function: &Function) -> bool {
        match self {
            Self::Nothing => false,
            Self::Small => function.size.is_some_and(|size| size <= SCREEN),
            Self::All => true,
        }
    }
}

impl Function {
    /// Returns `true` if it has time or counts. One of which all code is a part of others has neither.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        self.calls.is_some() || self.total_ns > 0
    }
}

impl Model {
    /// Returns `true` if all code of a function is a part of others where inlined code is folded so.
    #[must_use]
    pub fn is_part_of_others(&self, id: FunctionId, fold: Fold) -> bool {
        let own = self.stacks.nodes().iter().filter(|node| self.function_of(node) == id);
        let mut own = own.peekable();
        let function = &self.functions[id.index()];
        // A function that no sample found has its calls for itself.
        let is_by_itself = function.calls.is_some() && own.peek().is_none();
        fold.has(function) && !is_by_itself && own.all(|node| self.is_within_another(node))
    }

    /// Functions, by their numbers, that have time where they were inlined into others. Counts of calls are those of
    /// their other copy, so that their time is not that of these calls.
    #[must_use]
    pub fn timed_in_others(&self) -> Vec<bool> {
        let nodes = self.stacks.nodes();
        let mut is_timed = vec![false; self.functions.len()];
        for node in nodes.iter().filter(|node| self.is_within_another(node)) {
            let function = self.function_of(node);
            if !is_timed[function.index()] {
                let above = |node: &&Node| node.parent.map(|parent| &nodes[parent as usize]);
                // Code that is inlined into its own function is in a call of that.
                let mut outer = std::iter::successors(above(&node), above);
                is_timed[function.index()] = outer.all(|it| self.function_of(it) != function);
            }
        }
        is_timed
    }

    fn function_of(&self, node: &Node) -> FunctionId {
        self.frames[node.frame.index()].function
    }

    /// Returns `true` if the code of a node is in the function of the node above.
    fn is_within_another(&self, node: &Node) -> bool {
        self.frames[node.frame.index()].inlined && node.parent.is_some()
    }

    /// Gives the samples of inlined functions to the functions that have their code. Lines keep theirs.
    #[must_use]
    pub fn with_inlines_folded(mut self, fold: Fold) -> Self {
        let is_folded: Vec<bool> = self.functions.iter().map(|it| fold.has(it)).collect();
        let folded =
            |node: &Node| self.is_within_another(node) && is_folded[self.function_of(node).index()];
        let mut nodes = self.stacks.nodes().to_vec();
        if !self.has_stacks() || !nodes.iter().any(folded) {
            return self;
        }
        let mut places: Vec<u32> = Vec::with_capacity(nodes.len());
        for index in 0..nodes.len() {
            let parent = nodes[index].parent.map(|parent| places[parent as usize]);
            nodes[index].parent = parent;
            match parent.filter(|_| folded(&nodes[index])) {
                Some(parent) => {
                    let own = std::mem::take(&mut nodes[index].own);
                    nodes[parent as usize].own += own;
                    places.push(parent);
                }
                None => places.push(index as u32),
            }
        }
        debug_assert_eq!(
            nodes.iter().map(|node| node.own).sum::<Looks>(),
            self.stacks.nodes().iter().map(|node| node.own).sum()
        );
        let timeline = self.timeline.take();
        let moments = timeline.iter().flat_map(|it| it.at_nodes(&self.stacks));
        let moments = moments.map(|it| Moment { stack: places[it.stack as usize], ..it }).collect();
        let (stacks, moments) = placed(nodes, moments);
        let beside = timeline.map(|it| it.beside()).unwrap_or_default();
        self.timeline = Timeline::new(moments.into_iter(), beside);
        self.stacks = stacks;
        for arc in &mut self.arcs {
            if arc.caller.is_some_and(|caller| is_folded[caller.index()]) && arc.within.is_some() {
                (arc.caller, arc.within, arc.file, arc.line) = (arc.within, None, None, None);
            }
        }
        let (lines, places) = (self.lines.clone(), self.places.clone());
        Self { lines, places, ..add_inclusive(self) }
    }
}
