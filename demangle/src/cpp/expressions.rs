//! The grammar of expressions, which stand in template arguments and in `decltype`.

use super::operators::{Form, Operator};
use super::parser::Parser;
use super::tree::{Node, NodeId};
use super::types::builtin;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Option<NodeId> {
        self.nested(Self::expression_here)
    }

    fn expression_here(&mut self) -> Option<NodeId> {
        match self.peek() {
            b'L' => return self.literal(),
            b'T' => return self.template_parameter(),
            b'0'..=b'9' => return self.unresolved_name(),
            _ => {}
        }
        match [self.peek(), self.peek_at(1)] {
            [b's', b'r'] => self.scope_resolution(),
            [b's', b'p'] => {
                self.take(2);
                let pattern = self.expression()?;
                Some(self.add(Node::Expansion(pattern)))
            }
            [b's', b'Z'] => {
                self.take(2);
                let pack = match self.peek() {
                    b'T' => self.template_parameter()?,
                    _ => self.expression()?,
                };
                Some(self.add(Node::PackSize(pack)))
            }
            [b's', b'P'] => {
                self.take(2);
                let arguments = self.list_until(b"E", Self::template_argument)?;
                let pack = self.add(Node::ArgumentPack(arguments));
                Some(self.add(Node::PackSize(pack)))
            }
            [b'f', b'p'] => self.function_parameter(),
            [b'f', b'l' | b'r' | b'L' | b'R'] => self.fold(),
            [b'o', b'n'] => {
                self.take(2);
                self.unresolved_name()
            }
            [b't', b'l'] => {
                self.take(2);
                let of = self.parse_type()?;
                let values = self.list_until(b"E", Self::expression)?;
                Some(self.add(Node::Braced(Some(of), values)))
            }
            [b'i', b'l'] => {
                self.take(2);
                let values = self.list_until(b"E", Self::expression)?;
                Some(self.add(Node::Braced(None, values)))
            }
            [b'g', b's'] => {
                self.take(2);
                let name = self.expression()?;
                Some(self.add(Node::Global(name)))
            }
            [b'c', b'v'] => self.cast(),
            [b'c', b'p'] => {
                self.take(2);
                self.call()
            }
            code => self.operation(code),
        }
    }

    /// A name, perhaps of a template with arguments.
    fn unresolved_name(&mut self) -> Option<NodeId> {
        let name = self.unqualified_name(None)?;
        self.with_arguments(name)
    }

    fn with_arguments(&mut self, name: NodeId) -> Option<NodeId> {
        if self.peek() != b'I' {
            return Some(name);
        }
        let arguments = self.template_arguments()?;
        Some(self.add(Node::Template(name, arguments)))
    }

    /// `sr`, a scope, and a name within it.
    fn scope_resolution(&mut self) -> Option<NodeId> {
        self.expect(b"sr")?;
        if let Some(name) = self.attempt(Self::name_in_levels) {
            return Some(name);
        }
        let scope = self.parse_type()?;
        self.name_in(scope)
    }

    /// Scopes that are not known to be types, which are never mentioned again, then `E` and a name.
    fn name_in_levels(&mut self) -> Option<NodeId> {
        let mut scope = self.source_name_with_arguments()?;
        while !self.eat(b"E") {
            let level = self.source_name_with_arguments()?;
            scope = self.add(Node::Nested(scope, level));
        }
        self.name_in(scope)
    }

    fn name_in(&mut self, scope: NodeId) -> Option<NodeId> {
        self.eat(b"on");
        let name = self.unqualified_name(None)?;
        let nested = self.add(Node::Nested(scope, name));
        self.with_arguments(nested)
    }

    fn source_name_with_arguments(&mut self) -> Option<NodeId> {
        let name = self.source_name()?;
        self.with_arguments(name)
    }

    fn function_parameter(&mut self) -> Option<NodeId> {
        self.expect(b"fp")?;
        if self.eat(b"T") {
            return Some(self.add(Node::FunctionParameter(None)));
        }
        let number = self.count()?;
        Some(self.add(Node::FunctionParameter(Some(number))))
    }

    fn fold(&mut self) -> Option<NodeId> {
        self.expect(b"f")?;
        let kind = self.next()?;
        let operator = Operator::find([self.next()?, self.next()?])?;
        let first = self.expression()?;
        let second = if matches!(kind, b'L' | b'R') { Some(self.expression()?) } else { None };
        let (left, right) = match kind {
            b'l' => (None, Some(first)),
            b'r' => (Some(first), None),
            _ => (Some(first), second),
        };
        Some(self.add(Node::Fold { operator, left, right }))
    }

    fn cast(&mut self) -> Option<NodeId> {
        self.expect(b"cv")?;
        let to = self.parse_type()?;
        let values = if self.eat(b"_") {
            self.list_until(b"E", Self::expression)?
        } else {
            vec![self.expression()?]
        };
        Some(self.add(Node::Cast(to, values)))
    }

    fn call(&mut self) -> Option<NodeId> {
        let function = self.expression()?;
        let arguments = self.list_until(b"E", Self::expression)?;
        Some(self.add(Node::Call(function, arguments)))
    }

    fn operation(&mut self, code: [u8; 2]) -> Option<NodeId> {
        let operator = Operator::find(code)?;
        self.take(2);
        let node = match operator.form {
            Form::Nullary => Node::Name(operator.text.as_bytes()),
            Form::Prefix => Node::Prefix(operator, self.expression()?),
            Form::OfType => {
                let of = self.parse_type()?;
                Node::Prefix(operator, of)
            }
            Form::Increment if self.eat(b"_") => Node::Prefix(operator, self.expression()?),
            Form::Increment => Node::Postfix(operator, self.expression()?),
            Form::Binary | Form::Index => {
                Node::Binary(operator, self.expression()?, self.expression()?)
            }
            Form::Member => {
                let object = self.expression()?;
                let member = match self.peek() {
                    b'0'..=b'9' => self.unresolved_name()?,
                    _ => self.expression()?,
                };
                Node::Binary(operator, object, member)
            }
            Form::Conditional => {
                Node::Conditional(self.expression()?, self.expression()?, self.expression()?)
            }
            Form::Call => return self.call(),
            Form::NamedCast => {
                let to = self.parse_type()?;
                Node::NamedCast(operator, to, self.expression()?)
            }
            Form::New => return self.allocation(operator),
        };
        Some(self.add(node))
    }

    /// Placement, `_`, a type, and perhaps initial values.
    fn allocation(&mut self, operator: &'static Operator) -> Option<NodeId> {
        let placement = self.list_until(b"_", Self::expression)?;
        let of = self.parse_type()?;
        let values = if self.eat(b"pi") {
            let values = self.list_until(b"E", Self::expression)?;
            Some(self.add(Node::ArgumentPack(values)))
        } else if self.peek() == b'i' && self.peek_at(1) == b'l' {
            Some(self.expression()?)
        } else {
            self.expect(b"E")?;
            None
        };
        Some(self.add(Node::New { operator, placement, of, values }))
    }

    /// `L`, a type and digits, or a name; `E`.
    pub(super) fn literal(&mut self) -> Option<NodeId> {
        self.nested(|parser| {
            parser.expect(b"L")?;
            if parser.peek() == b'_' || parser.peek() == b'Z' {
                parser.eat(b"_");
                parser.expect(b"Z")?;
                let name = parser.encoding()?;
                parser.expect(b"E")?;
                return Some(name);
            }
            let of = parser.parse_type()?;
            let is_null = matches!(parser.tree.get(of), Node::Builtin("decltype(nullptr)"));
            if is_null && parser.eat(b"E") {
                return Some(of);
            }
            let negative = parser.eat(b"n");
            let digits = parser.take_while(|byte| byte != b'E');
            parser.expect(b"E")?;
            if digits.is_empty() {
                return None;
            }
            Some(parser.add(Node::Literal { of, negative, digits }))
        })
    }
}

/// The letters that follow a number of a type, as in `5ul`; none if a cast must be written.
pub(super) fn literal_suffix(of: &str) -> Option<&'static str> {
    const PLAIN: [(u8, &str); 6] =
        [(b'i', ""), (b'j', "u"), (b'l', "l"), (b'm', "ul"), (b'x', "ll"), (b'y', "ull")];
    let find = |&&(letter, _): &&(u8, &str)| builtin(letter) == Some(of);
    PLAIN.iter().find(find).map(|&(_, suffix)| suffix)
}
