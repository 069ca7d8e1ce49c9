//! Prints expressions. Operands stand in parentheses unless they are plain names.

use super::expressions::literal_suffix;
use super::operators::{Form, Operator};
use super::print::Printer;
use super::tree::{Node, NodeId};

impl Printer<'_, '_> {
    pub(super) fn expression(&mut self, id: NodeId) -> Option<()> {
        match *self.tree.get(id) {
            Node::Literal { of, negative, digits } => self.literal(of, negative, digits)?,
            Node::FunctionParameter(None) => self.text("this"),
            Node::FunctionParameter(Some(number)) => {
                self.text(&format!("{{parm#{}}}", number + 1));
            }
            Node::Prefix(operator, operand) => self.prefix(operator, operand)?,
            Node::Postfix(operator, operand) => {
                self.operand(operand)?;
                self.text(operator.text);
            }
            Node::Binary(operator, left, right) => self.binary(operator, left, right)?,
            Node::Conditional(condition, yes, no) => {
                self.operand(condition)?;
                self.text("?");
                self.operand(yes)?;
                self.text(" : ");
                self.operand(no)?;
            }
            Node::Call(function, ref arguments) => {
                self.called(function)?;
                self.enclosed("(", arguments, ")")?;
            }
            Node::Cast(to, ref values) => {
                self.text("(");
                self.put(to)?;
                self.text(")");
                self.enclosed("(", values, ")")?;
            }
            Node::NamedCast(operator, to, value) => {
                self.text(operator.text);
                self.text("<");
                self.put(to)?;
                self.text(">(");
                self.put(value)?;
                self.text(")");
            }
            Node::Braced(of, ref values) => {
                if let Some(of) = of {
                    self.put(of)?;
                }
                self.enclosed("{", values, "}")?;
            }
            Node::PackSize(pack) => {
                let len = self.pack_len(pack)?;
                self.text(&len.to_string());
            }
            Node::New { operator, ref placement, of, values } => {
                self.text(operator.text);
                self.text(" ");
                if !placement.is_empty() {
                    self.enclosed("(", placement, ") ")?;
                }
                self.put(of)?;
                if let Some(values) = values {
                    self.operand(values)?;
                }
            }
            Node::Fold { operator, left, right } => self.fold(operator, left, right)?,
            Node::Global(of) => {
                self.text("::");
                self.put(of)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// A part of an expression, in parentheses unless it is a plain name.
    pub(super) fn operand(&mut self, id: NodeId) -> Option<()> {
        let is_plain = matches!(
            self.tree.get(id),
            Node::Name(_) | Node::Nested(..) | Node::Braced(..) | Node::FunctionParameter(_)
        );
        if is_plain {
            return self.put(id);
        }
        self.text("(");
        self.put(id)?;
        self.text(")");
        Some(())
    }

    fn enclosed(&mut self, open: &str, items: &[NodeId], close: &str) -> Option<()> {
        self.text(open);
        self.list(items)?;
        self.text(close);
        Some(())
    }

    fn prefix(&mut self, operator: &Operator, operand: NodeId) -> Option<()> {
        self.text(operator.text);
        if operator.code == *b"ad" {
            if let Some(name) = self.plain_member(operand) {
                return self.put(name);
            }
        }
        if operator.form == Form::OfType {
            self.text("(");
            self.put(operand)?;
            self.text(")");
            return Some(());
        }
        self.operand(operand)
    }

    /// The name of a member function without qualifiers: enough to take its address.
    fn plain_member(&self, id: NodeId) -> Option<NodeId> {
        let Node::Encoding(name, function) = *self.tree.get(id) else { return None };
        let is_plain =
            matches!(self.tree.get(function), Node::Function { after, .. } if after.is_empty());
        let is_member = matches!(self.tree.get(name), Node::Nested(..));
        (is_plain && is_member).then_some(name)
    }

    fn binary(&mut self, operator: &Operator, left: NodeId, right: NodeId) -> Option<()> {
        if operator.form == Form::Index {
            self.operand(left)?;
            self.text("[");
            self.put(right)?;
            self.text("]");
            return Some(());
        }
        // A greater-than sign would end the template arguments.
        let is_greater = operator.text == ">";
        if is_greater {
            self.text("(");
        }
        self.operand(left)?;
        self.text(operator.text);
        self.operand(right)?;
        if is_greater {
            self.text(")");
        }
        Some(())
    }

    /// A function that is called, without its type.
    fn called(&mut self, function: NodeId) -> Option<()> {
        match *self.tree.get(function) {
            Node::Encoding(name, _) => self.operand(name),
            _ => self.operand(function),
        }
    }

    fn fold(
        &mut self,
        operator: &Operator,
        left: Option<NodeId>,
        right: Option<NodeId>,
    ) -> Option<()> {
        self.text("(");
        if let Some(left) = left {
            self.operand(left)?;
            self.text(operator.text);
        }
        self.text("...");
        if let Some(right) = right {
            self.text(operator.text);
            self.operand(right)?;
        }
        self.text(")");
        Some(())
    }

    fn literal(&mut self, of: NodeId, negative: bool, digits: &[u8]) -> Option<()> {
        let builtin = match *self.tree.get(of) {
            Node::Builtin(name) => Some(name),
            _ => None,
        };
        match (builtin, digits, negative) {
            (Some("bool"), b"0", false) => self.text("false"),
            (Some("bool"), b"1", false) => self.text("true"),
            _ => {
                let suffix = builtin.and_then(literal_suffix);
                if suffix.is_none() {
                    self.text("(");
                    self.put(of)?;
                    self.text(")");
                }
                if negative {
                    self.text("-");
                }
                // The bits of a floating-point number, not its value.
                let is_float =
                    matches!(builtin, Some("float" | "double" | "long double" | "__float128"));
                if is_float {
                    self.text("[");
                }
                self.out.extend_from_slice(digits);
                if is_float {
                    self.text("]");
                }
                self.text(suffix.unwrap_or_default());
            }
        }
        Some(())
    }
}
