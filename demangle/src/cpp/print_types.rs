//! Prints types, which can stand on both sides of what they are the type of: `int (*f())[3]`.

use super::print::Printer;
use super::scope::Scope;
use super::tree::{Node, NodeId};

/// Referent of a reference.
struct Referent {
    to: NodeId,
    scope: Scope,
    /// True if it, or a reference it refers to, is one to an lvalue.
    is_lvalue: bool,
}

impl Printer<'_, '_> {
    /// The part of a type before a name; names and expressions are printed whole.
    pub(super) fn left(&mut self, id: NodeId) -> Option<()> {
        self.nested(|printer| printer.left_here(id))
    }

    fn left_here(&mut self, id: NodeId) -> Option<()> {
        match *self.tree.get(id) {
            Node::Builtin(name) => self.text(self.language.builtin(name)),
            Node::Qualified(word, of) => {
                self.left(of)?;
                if !self.has_qualifier(of, self.scope, word) {
                    self.text(word);
                }
            }
            Node::VendorQualified(qualifier, of) => {
                self.left(of)?;
                self.text(" ");
                self.put(qualifier)?;
            }
            Node::Pointer(to) => self.left_with(to, self.language.pointer())?,
            Node::LvalueReference(_) | Node::RvalueReference(_) => {
                let Referent { to, scope, is_lvalue } = self.referent(id);
                self.under_way.push(id);
                let sign = if is_lvalue { "&" } else { "&&" };
                let printed = self.in_scope(scope, |printer| printer.left_with(to, sign));
                self.under_way.pop();
                printed?;
            }
            Node::Suffixed(word, of) => {
                self.left(of)?;
                self.text(word);
            }
            Node::Function { returned, .. } => {
                if let Some(returned) = returned {
                    self.returned(returned)?;
                }
            }
            Node::Array(_, element) => self.left(element)?,
            Node::Vector(size, element) => {
                self.left(element)?;
                self.text(" __vector(");
                self.put(size)?;
                self.text(")");
            }
            Node::PointerToMember(class, member) => {
                self.left(member)?;
                if self.out.last() != Some(&b' ') {
                    self.text(" ");
                }
                self.open(member);
                self.put(class)?;
                self.text("::*");
            }
            Node::Parameter(number) => self.parameter(number)?,
            Node::ArgumentPack(ref arguments) => {
                self.list(arguments)?;
            }
            Node::Expansion(pattern) => self.expansion(pattern)?,
            Node::Decltype(expression) => {
                self.text("decltype (");
                self.put(expression)?;
                self.text(")");
            }
            _ => return self.name(id).or_else(|| self.expression(id)),
        }
        Some(())
    }

    /// The part of a type after a name.
    pub(super) fn right(&mut self, id: NodeId) -> Option<()> {
        self.nested(|printer| printer.right_here(id))
    }

    fn right_here(&mut self, id: NodeId) -> Option<()> {
        match *self.tree.get(id) {
            Node::Qualified(_, of) | Node::VendorQualified(_, of) | Node::Suffixed(_, of) => {
                self.right(of)
            }
            Node::Pointer(to) => self.right_with(to),
            Node::LvalueReference(_) | Node::RvalueReference(_) => {
                let Referent { to, scope, .. } = self.referent(id);
                self.in_scope(scope, |printer| printer.right_with(to))
            }
            Node::PointerToMember(_, member) => self.right_with(member),
            Node::Function { returned, ref parameters, ref after } => {
                self.parameters(parameters, after)?;
                returned.map_or(Some(()), |returned| self.right(returned))
            }
            Node::Array(size, element) => {
                // Sizes of an array of arrays stand together.
                if self.out.last() != Some(&b']') {
                    self.text(" ");
                }
                self.text("[");
                if let Some(size) = size {
                    self.put(size)?;
                }
                self.text("]");
                self.right(element)
            }
            Node::Parameter(number) if !self.in_lambda => {
                let (argument, scope) = self.argument(number, self.scope)?;
                self.in_scope(scope, |printer| printer.right(argument))
            }
            _ => Some(()),
        }
    }

    /// A pointer or reference to `to`.
    fn left_with(&mut self, to: NodeId, sign: &str) -> Option<()> {
        self.left(to)?;
        self.open(to);
        self.text(sign);
        Some(())
    }

    fn right_with(&mut self, to: NodeId) -> Option<()> {
        if self.is_array(to) || self.is_function(to) {
            self.text(")");
        }
        self.right(to)
    }

    /// A pointer to a function or array stands in parentheses.
    fn open(&mut self, to: NodeId) {
        let last = self.out.last().copied().unwrap_or(b' ');
        if self.is_array(to) {
            self.text(" (");
        } else if self.is_function(to) {
            self.text(if matches!(last, b' ' | b'(' | b'*') { "(" } else { " (" });
        }
    }

    /// Returns `true` if the left part of a type ends within parentheses, so that no blank follows
    /// it.
    pub(super) fn is_open(&self, id: NodeId) -> bool {
        self.is_open_in(id, self.scope)
    }

    fn is_open_in(&self, id: NodeId, scope: Scope) -> bool {
        let (id, scope) = self.resolved(id, scope);
        match *self.tree.get(id) {
            Node::Pointer(to)
            | Node::LvalueReference(to)
            | Node::RvalueReference(to)
            | Node::PointerToMember(_, to) => {
                matches!(self.unqualified(to, scope), Node::Array(..) | Node::Function { .. })
                    || self.is_open_in(to, scope)
            }
            Node::Qualified(_, of) => self.is_open_in(of, scope),
            _ => false,
        }
    }

    fn is_function(&self, id: NodeId) -> bool {
        matches!(self.unqualified(id, self.scope), Node::Function { .. })
    }

    fn is_array(&self, id: NodeId) -> bool {
        matches!(self.unqualified(id, self.scope), Node::Array(..))
    }

    fn unqualified(&self, id: NodeId, scope: Scope) -> &Node<'_> {
        let (mut id, mut scope) = self.resolved(id, scope);
        while let Node::Qualified(_, of) = *self.tree.get(id) {
            (id, scope) = self.resolved(of, scope);
        }
        self.tree.get(id)
    }

    /// Referent of the reference `id`; a reference to a reference is one reference.
    fn referent(&mut self, id: NodeId) -> Referent {
        let (mut to, mut scope, mut is_lvalue) = (id, self.scope, false);
        loop {
            let (resolved, inner) = self.resolved(to, scope);
            let next = match *self.tree.get(resolved) {
                Node::LvalueReference(next) => {
                    is_lvalue = true;
                    next
                }
                Node::RvalueReference(next) => next,
                _ => return Referent { to, scope, is_lvalue },
            };
            let is_direct = to == id && matches!(self.tree.get(next), Node::Parameter(_));
            (to, scope) = (next, if is_direct { self.remembered_scope(id, next) } else { inner });
        }
    }

    /// GNU's printer fixes what a reference to a parameter refers to when it first prints it, even
    /// if the same reference is printed again in another template.
    fn remembered_scope(&mut self, reference: NodeId, parameter: NodeId) -> Scope {
        if self.in_lambda || self.under_way.contains(&reference) {
            return self.scope;
        }
        *self.reference_scopes.entry(parameter).or_insert(self.scope)
    }

    /// Returns `true` if a type has a qualifier already, which is then not repeated.
    fn has_qualifier(&self, id: NodeId, scope: Scope, word: &str) -> bool {
        let (id, scope) = self.resolved(id, scope);
        match *self.tree.get(id) {
            Node::Qualified(other, of) => other == word || self.has_qualifier(of, scope, word),
            _ => false,
        }
    }

    fn parameter(&mut self, number: u64) -> Option<()> {
        if self.in_lambda {
            self.text(&format!("auto:{}", number + 1));
            return Some(());
        }
        let (argument, scope) = self.argument(number, self.scope)?;
        self.in_scope(scope, |printer| printer.left(argument))
    }

    /// The pattern once for each argument of the first pack in it.
    fn expansion(&mut self, pattern: NodeId) -> Option<()> {
        let Some(len) = self.pack_len(pattern) else {
            // No pack is known, so the pattern itself must do.
            self.operand(pattern)?;
            self.text("...");
            return Some(());
        };
        let outer = self.pack_place;
        for place in 0..len {
            if place > 0 {
                self.text(", ");
            }
            self.pack_place = Some(place);
            self.put(pattern)?;
        }
        self.pack_place = outer;
        Some(())
    }
}
