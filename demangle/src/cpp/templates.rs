//! The grammar of template arguments and of the parameters that stand for them.

use super::parser::Parser;
use super::tree::{Node, NodeId};

impl Parser<'_> {
    /// A parameter as a type, or as a template with arguments of its own.
    pub(super) fn parameter_type(&mut self) -> Option<NodeId> {
        let parameter = self.template_parameter()?;
        if self.peek() != b'I' {
            return Some(parameter);
        }
        if self.in_conversion {
            // These arguments are the operator's own, unless others follow.
            let own = self.attempt(|parser| {
                parser.remember(parameter);
                let arguments = parser.template_arguments()?;
                (parser.peek() == b'I').then_some(arguments)
            });
            return Some(match own {
                Some(arguments) => self.add(Node::Template(parameter, arguments)),
                None => parameter,
            });
        }
        self.remember(parameter);
        let arguments = self.template_arguments()?;
        Some(self.add(Node::Template(parameter, arguments)))
    }

    /// `T_`, `T0_` and so on.
    pub(super) fn template_parameter(&mut self) -> Option<NodeId> {
        self.expect(b"T")?;
        let number = self.count()?;
        Some(self.add(Node::Parameter(number)))
    }

    /// `I`, arguments, `E`.
    pub(super) fn template_arguments(&mut self) -> Option<Vec<NodeId>> {
        self.expect(b"I")?;
        // A constructor is not named after an argument of its class.
        let last_name = self.last_name;
        let arguments = self.list_until(b"E", Self::template_argument)?;
        self.last_name = last_name;
        Some(arguments)
    }

    pub(super) fn template_argument(&mut self) -> Option<NodeId> {
        match self.peek() {
            b'X' => {
                self.next();
                let expression = self.expression()?;
                self.expect(b"E")?;
                Some(expression)
            }
            b'L' => self.literal(),
            b'I' | b'J' => self.nested(|parser| {
                parser.next();
                let arguments = parser.list_until(b"E", Self::template_argument)?;
                Some(parser.add(Node::ArgumentPack(arguments)))
            }),
            _ => self.parse_type(),
        }
    }
}
