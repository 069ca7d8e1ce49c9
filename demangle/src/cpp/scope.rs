//! Template arguments that the parameters stand for while a name is printed.

use super::print::Printer;
use super::tree::{Node, NodeId};

/// A place in the chain of templates around what is printed; none is outside of all.
pub(super) type Scope = Option<usize>;

/// A template whose parameters are printed as its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateScope {
    template: NodeId,
    outer: Scope,
}

/// No real name has as many functions within functions.
const SCOPE_LIMIT: usize = 1 << 16;

impl Printer<'_, '_> {
    /// Prints something in the scope of a template.
    pub(super) fn within(
        &mut self,
        template: NodeId,
        print: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        // Scopes are kept, since references remember theirs; the limit is for hostile names.
        let scope = (self.scopes.len() < SCOPE_LIMIT).then_some(self.scopes.len())?;
        self.scopes.push(TemplateScope { template, outer: self.scope });
        self.in_scope(Some(scope), print)
    }

    /// Prints something in a scope that is already known.
    pub(super) fn in_scope(
        &mut self,
        scope: Scope,
        print: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = print(self);
        self.scope = outer;
        result
    }

    /// The argument that a parameter stands for in `scope`, and the scope of that argument.
    /// Within a pattern that is repeated for each argument of a pack it is that argument.
    pub(super) fn argument(&self, number: u64, scope: Scope) -> Option<(NodeId, Scope)> {
        let (argument, outer) = self.whole_argument(number, scope)?;
        let argument = match (self.tree.get(argument), self.pack_place) {
            (Node::ArgumentPack(arguments), Some(place)) => *arguments.get(place)?,
            _ => argument,
        };
        Some((argument, outer))
    }

    /// The argument that a parameter stands for, which may be a whole pack.
    fn whole_argument(&self, number: u64, scope: Scope) -> Option<(NodeId, Scope)> {
        let TemplateScope { template, outer } = *self.scopes.get(scope?)?;
        let Node::Template(_, arguments) = self.tree.get(template) else { return None };
        let argument = *arguments.get(usize::try_from(number).ok()?)?;
        Some((argument, outer))
    }

    /// The type or expression itself, if it is a parameter, and its scope.
    pub(super) fn resolved(&self, mut id: NodeId, mut scope: Scope) -> (NodeId, Scope) {
        while let Node::Parameter(number) = *self.tree.get(id) {
            match self.argument(number, scope) {
                // Each step leads outwards, so this ends.
                Some(argument) if !self.in_lambda => (id, scope) = argument,
                _ => break,
            }
        }
        (id, scope)
    }

    /// The number of arguments of the first pack that a pattern mentions.
    pub(super) fn pack_len(&self, id: NodeId) -> Option<usize> {
        let mut budget = 1 << 12;
        self.pack_len_within(id, &mut budget)
    }

    /// `budget` is the number of parts that may still be looked at: shared parts could otherwise
    /// make this take very long.
    fn pack_len_within(&self, id: NodeId, budget: &mut u32) -> Option<usize> {
        *budget = budget.checked_sub(1)?;
        match self.tree.get(id) {
            Node::Parameter(number) if !self.in_lambda => {
                let (argument, _) = self.whole_argument(*number, self.scope)?;
                match self.tree.get(argument) {
                    Node::ArgumentPack(arguments) => Some(arguments.len()),
                    _ => None,
                }
            }
            Node::ArgumentPack(arguments) => Some(arguments.len()),
            node => node.parts().into_iter().find_map(|part| self.pack_len_within(part, budget)),
        }
    }
}
