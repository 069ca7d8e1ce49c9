//! The grammar of names: functions, scopes, templates, operators, special symbols.

use super::operators::Operator;
use super::parser::Parser;
use super::tree::{After, Node, NodeId};

/// The name of a function or variable, and what belongs after a function's parameters.
pub(super) struct EntityName {
    pub(super) name: NodeId,
    pub(super) after: Vec<After>,
}

impl<'a> Parser<'a> {
    /// A function with its type, a variable, or something the compiler made.
    pub(super) fn encoding(&mut self) -> Option<NodeId> {
        self.nested(|parser| {
            if matches!(parser.peek(), b'G' | b'T') {
                return parser.special_name();
            }
            parser.function_or_variable()
        })
    }

    fn function_or_variable(&mut self) -> Option<NodeId> {
        let EntityName { name, after } = self.entity_name()?;
        if self.is_at_end() || self.peek() == b'E' {
            return Some(name);
        }
        let returned = if self.states_return_type(name) { Some(self.parse_type()?) } else { None };
        let parameters = self.parameters()?;
        let function = self.add(Node::Function { returned, parameters, after });
        Some(self.add(Node::Encoding(name, function)))
    }

    /// Only templates state what they return, and of them not those for which it is clear.
    fn states_return_type(&self, name: NodeId) -> bool {
        match self.tree.get(name) {
            Node::Template(name, _) => !self.needs_no_return_type(*name),
            Node::Nested(_, name) | Node::Local(_, name) => self.states_return_type(*name),
            Node::DefaultArgument(_, name) => self.states_return_type(*name),
            _ => false,
        }
    }

    fn needs_no_return_type(&self, name: NodeId) -> bool {
        match self.tree.get(name) {
            Node::Nested(_, name) | Node::Local(_, name) | Node::AbiTag(name, _) => {
                self.needs_no_return_type(*name)
            }
            Node::Constructor(_) | Node::Destructor(_) | Node::Conversion(_) => true,
            _ => false,
        }
    }

    /// The name of a function, variable or type.
    pub(super) fn entity_name(&mut self) -> Option<EntityName> {
        match self.peek() {
            b'N' => self.nested_name(),
            b'Z' => self.local_name(),
            _ => self.unscoped_name().map(|name| EntityName { name, after: Vec::new() }),
        }
    }

    /// A name within a scope that the whole file sees, perhaps with template arguments.
    pub(super) fn unscoped_name(&mut self) -> Option<NodeId> {
        let mut name;
        if self.peek() == b'S' && self.peek_at(1) != b't' {
            name = self.substitution(false)?;
        } else {
            name = self.std_or_unqualified_name()?;
            if self.peek() == b'I' {
                self.remember(name);
            }
        }
        if self.peek() == b'I' {
            let arguments = self.template_arguments()?;
            name = self.add(Node::Template(name, arguments));
        }
        Some(name)
    }

    fn std_or_unqualified_name(&mut self) -> Option<NodeId> {
        if !self.eat(b"St") {
            return self.unqualified_name(None);
        }
        let std = self.add(Node::Name(b"std"));
        let name = self.unqualified_name(Some(std))?;
        Some(self.add(Node::Nested(std, name)))
    }

    /// `N`, qualifiers, scopes and name, `E`.
    pub(super) fn nested_name(&mut self) -> Option<EntityName> {
        self.expect(b"N")?;
        let mut after = Vec::new();
        // The qualifier nearest to the type is written last, but printed first.
        for (code, word) in [(b"r", " restrict"), (b"V", " volatile"), (b"K", " const")] {
            if self.eat(code) {
                after.insert(0, After::Word(word));
            }
        }
        if self.eat(b"R") {
            after.push(After::Word(" &"));
        } else if self.eat(b"O") {
            after.push(After::Word(" &&"));
        }
        let name = self.prefix()?;
        Some(EntityName { name, after })
    }

    /// Scopes and name up to `E`.
    fn prefix(&mut self) -> Option<NodeId> {
        let mut scope: Option<NodeId> = None;
        loop {
            let next = match (self.peek(), scope) {
                (b'E', Some(name)) => {
                    self.next();
                    return Some(name);
                }
                (b'S', None) if self.peek_at(1) == b't' => {
                    self.next();
                    self.next();
                    // `std` alone is never mentioned again by number.
                    scope = Some(self.add(Node::Name(b"std")));
                    continue;
                }
                (b'S', None) => {
                    scope = Some(self.substitution(true)?);
                    continue;
                }
                (b'T', None) => {
                    let parameter = self.template_parameter()?;
                    scope = Some(self.remember(parameter));
                    continue;
                }
                (b'D', None) if matches!(self.peek_at(1), b't' | b'T') => {
                    scope = Some(self.parse_type()?);
                    continue;
                }
                (b'I', Some(name)) => {
                    let arguments = self.template_arguments()?;
                    self.add(Node::Template(name, arguments))
                }
                (b'M', Some(_)) => {
                    // The initializer of a data member, in which a lambda stands.
                    self.next();
                    continue;
                }
                (_, None) => self.unqualified_name(None)?,
                (_, Some(name)) => {
                    let member = self.unqualified_name(scope)?;
                    self.add(Node::Nested(name, member))
                }
            };
            if self.peek() != b'E' {
                self.remember(next);
            }
            scope = Some(next);
        }
    }

    /// A name without a scope; `scope` is what it stands in.
    pub(super) fn unqualified_name(&mut self, scope: Option<NodeId>) -> Option<NodeId> {
        let mut name = match self.peek() {
            b'L' => {
                // Internal linkage.
                self.next();
                let name = self.source_name()?;
                self.discriminator()?;
                name
            }
            b'0'..=b'9' => self.source_name()?,
            b'C' | b'D' if scope.is_some() && self.peek_at(1) != b'C' => {
                self.constructor_or_destructor()?
            }
            b'D' if self.peek_at(1) == b'C' => self.structured_binding()?,
            b'U' if self.peek_at(1) == b't' => {
                self.take(2);
                let number = self.count()?;
                let id = self.add(Node::UnnamedType(number + 1));
                self.remember(id)
            }
            b'U' if self.peek_at(1) == b'l' => {
                // Unlike a class without a name, it cannot be mentioned by number.
                self.lambda()?
            }
            b'a'..=b'z' => self.operator_name()?,
            _ => return None,
        };
        while self.eat(b"B") {
            let len = usize::try_from(self.number()?).ok()?;
            let tag = self.take(len)?;
            name = self.add(Node::AbiTag(name, tag));
        }
        Some(name)
    }

    /// A length and as many letters.
    pub(super) fn source_name(&mut self) -> Option<NodeId> {
        let len = usize::try_from(self.number()?).ok()?;
        let name = self.take(len).filter(|name| !name.is_empty())?;
        let is_anonymous =
            matches!(name.strip_prefix(b"_GLOBAL_"), Some([b'.' | b'_' | b'$', b'N', ..]));
        let name = if is_anonymous { b"(anonymous namespace)" } else { name };
        let id = self.add(Node::Name(name));
        self.last_name = Some(id);
        Some(id)
    }

    fn constructor_or_destructor(&mut self) -> Option<NodeId> {
        let is_constructor = self.next()? == b'C';
        let inherits = is_constructor && self.eat(b"I");
        self.next().filter(|kind| (b'0'..=b'5').contains(kind))?;
        if inherits {
            // The base class that the constructor is taken from, and named after.
            self.parse_type()?;
        }
        let class = self.last_name?;
        let node = if is_constructor { Node::Constructor(class) } else { Node::Destructor(class) };
        Some(self.add(node))
    }

    fn structured_binding(&mut self) -> Option<NodeId> {
        self.expect(b"DC")?;
        let names = self.list_until(b"E", Self::source_name)?;
        Some(self.add(Node::StructuredBinding(names)))
    }

    fn lambda(&mut self) -> Option<NodeId> {
        self.expect(b"Ul")?;
        let parameters = self.parameters()?;
        self.expect(b"E")?;
        let number = self.count()?;
        Some(self.add(Node::Lambda(parameters, number + 1)))
    }

    pub(super) fn operator_name(&mut self) -> Option<NodeId> {
        if self.eat(b"cv") {
            let outer = std::mem::replace(&mut self.in_conversion, true);
            let to = self.parse_type();
            self.in_conversion = outer;
            return to.map(|to| self.add(Node::Conversion(to)));
        }
        if self.eat(b"li") {
            let name = self.source_name()?;
            return Some(self.add(Node::LiteralOperator(name)));
        }
        let operator = Operator::find([self.next()?, self.next()?])?;
        Some(self.add(Node::OperatorName(operator)))
    }

    /// `Z`, a function, `E`, and what stands in the function.
    pub(super) fn local_name(&mut self) -> Option<EntityName> {
        self.expect(b"Z")?;
        let function = self.encoding()?;
        self.expect(b"E")?;
        if self.eat(b"s") {
            self.discriminator()?;
            let name = self.add(Node::Name(b"string literal"));
            let name = self.add(Node::Local(function, name));
            return Some(EntityName { name, after: Vec::new() });
        }
        let default_argument = if self.eat(b"d") { Some(self.count()?) } else { None };
        let EntityName { mut name, after } = self.entity_name()?;
        if !matches!(self.tree.get(name), Node::Lambda(..) | Node::UnnamedType(_)) {
            self.discriminator()?;
        }
        if let Some(number) = default_argument {
            name = self.add(Node::DefaultArgument(number + 1, name));
        }
        let name = self.add(Node::Local(function, name));
        Some(EntityName { name, after })
    }

    /// Passes over the part that tells variables of one name in one function apart: `_1` or
    /// `__10_`. It is not shown.
    fn discriminator(&mut self) -> Option<()> {
        if self.eat(b"_") {
            let is_long = self.eat(b"_");
            let number = if self.peek().is_ascii_digit() { self.number()? } else { 0 };
            if is_long && number >= 10 {
                return self.expect(b"_");
            }
        }
        Some(())
    }
}
