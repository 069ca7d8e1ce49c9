//! The grammar of types.

use super::parser::Parser;
use super::tree::{After, Node, NodeId};

/// The language's own type for a letter.
pub(super) fn builtin(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'a' => "signed char",
        b'b' => "bool",
        b'c' => "char",
        b'd' => "double",
        b'e' => "long double",
        b'f' => "float",
        b'g' => "__float128",
        b'h' => "unsigned char",
        b'i' => "int",
        b'j' => "unsigned int",
        b'l' => "long",
        b'm' => "unsigned long",
        b'n' => "__int128",
        b'o' => "unsigned __int128",
        b's' => "short",
        b't' => "unsigned short",
        b'v' => "void",
        b'w' => "wchar_t",
        b'x' => "long long",
        b'y' => "unsigned long long",
        b'z' => "...",
        _ => return None,
    })
}

/// The language's own type for a letter after `D`.
fn newer_builtin(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'a' => "auto",
        b'c' => "decltype(auto)",
        b'd' => "decimal64",
        b'e' => "decimal128",
        b'f' => "decimal32",
        b'h' => "half",
        b'i' => "char32_t",
        b'n' => "decltype(nullptr)",
        b's' => "char16_t",
        b'u' => "char8_t",
        _ => return None,
    })
}

impl Parser<'_> {
    /// Any type. All but the language's own and those mentioned by number are remembered.
    pub(super) fn parse_type(&mut self) -> Option<NodeId> {
        self.nested(|parser| {
            if let Some(name) = builtin(parser.peek()) {
                parser.next();
                return Some(parser.add(Node::Builtin(name)));
            }
            if parser.peek() == b'D' {
                if let Some(name) = newer_builtin(parser.peek_at(1)) {
                    parser.take(2);
                    return Some(parser.add(Node::Builtin(name)));
                }
            }
            if parser.peek() == b'S' && parser.peek_at(1) != b't' {
                return parser.substituted_type();
            }
            let id = parser.compound_type()?;
            Some(parser.remember(id))
        })
    }

    fn substituted_type(&mut self) -> Option<NodeId> {
        let id = self.substitution(false)?;
        if self.peek() != b'I' {
            return Some(id);
        }
        let arguments = self.template_arguments()?;
        let id = self.add(Node::Template(id, arguments));
        Some(self.remember(id))
    }

    fn compound_type(&mut self) -> Option<NodeId> {
        let node = match self.peek() {
            b'r' | b'V' | b'K' => return self.qualified_type(),
            b'P' => Node::Pointer(self.operand_type()?),
            b'R' => Node::LvalueReference(self.operand_type()?),
            b'O' => Node::RvalueReference(self.operand_type()?),
            b'C' => Node::Suffixed(" _Complex", self.operand_type()?),
            b'G' => Node::Suffixed(" _Imaginary", self.operand_type()?),
            b'F' => return self.function_type(Vec::new()),
            b'A' => return self.array_type(),
            b'M' => Node::PointerToMember(self.operand_type()?, self.parse_type()?),
            b'D' => return self.newer_type(),
            b'T' => return self.parameter_type(),
            b'N' => return self.nested_name().map(|entity| entity.name),
            b'Z' => return self.local_name().map(|entity| entity.name),
            b'U' if !matches!(self.peek_at(1), b't' | b'l') => return self.vendor_qualified(),
            b'u' => {
                self.next();
                return self.source_name();
            }
            b'0'..=b'9' | b'S' | b'U' => return self.unscoped_name(),
            _ => return None,
        };
        Some(self.add(node))
    }

    /// The type after a letter that changes it.
    fn operand_type(&mut self) -> Option<NodeId> {
        self.next();
        self.parse_type()
    }

    fn qualified_type(&mut self) -> Option<NodeId> {
        let mut words = Vec::new();
        for (code, word) in [(b"r", " restrict"), (b"V", " volatile"), (b"K", " const")] {
            if self.eat(code) {
                words.insert(0, word);
            }
        }
        if self.peek() == b'F' {
            return self.function_type(words.into_iter().map(After::Word).collect());
        }
        let mut id = self.parse_type()?;
        for word in words {
            id = self.add(Node::Qualified(word, id));
        }
        Some(id)
    }

    /// `F`, what is returned, parameters, `E`.
    fn function_type(&mut self, mut after: Vec<After>) -> Option<NodeId> {
        self.expect(b"F")?;
        // C linkage is not shown.
        self.eat(b"Y");
        let returned = Some(self.parse_type()?);
        let parameters = self.parameters()?;
        if self.eat(b"R") {
            after.push(After::Word(" &"));
        } else if self.eat(b"O") {
            after.push(After::Word(" &&"));
        }
        self.expect(b"E")?;
        Some(self.add(Node::Function { returned, parameters, after }))
    }

    /// Types of parameters up to the end of the list, which is left; a lone `void` means none.
    pub(super) fn parameters(&mut self) -> Option<Vec<NodeId>> {
        let mut parameters = Vec::new();
        loop {
            let ends = match self.peek() {
                b'E' | b'.' => true,
                b'R' | b'O' => self.peek_at(1) == b'E',
                _ => self.is_at_end(),
            };
            if ends {
                break;
            }
            parameters.push(self.parse_type()?);
        }
        match parameters[..] {
            [] => None,
            [only] if matches!(self.tree.get(only), Node::Builtin("void")) => Some(Vec::new()),
            _ => Some(parameters),
        }
    }

    fn array_type(&mut self) -> Option<NodeId> {
        self.expect(b"A")?;
        let size = match self.peek() {
            b'_' => None,
            b'0'..=b'9' => {
                let digits = self.digits()?;
                Some(self.add(Node::Name(digits)))
            }
            _ => Some(self.expression()?),
        };
        self.expect(b"_")?;
        let element = self.parse_type()?;
        Some(self.add(Node::Array(size, element)))
    }

    /// A type whose code begins with `D`.
    fn newer_type(&mut self) -> Option<NodeId> {
        match self.peek_at(1) {
            b'p' => {
                self.take(2);
                let pattern = self.parse_type()?;
                Some(self.add(Node::Expansion(pattern)))
            }
            b't' | b'T' => {
                self.take(2);
                let expression = self.expression()?;
                self.expect(b"E")?;
                Some(self.add(Node::Decltype(expression)))
            }
            b'v' => self.vector_type(),
            b'F' => self.float_type(),
            b'o' | b'O' | b'w' | b'x' => {
                let mut after = Vec::new();
                while self.peek() == b'D' {
                    after.push(self.exception_specification()?);
                }
                self.function_type(after)
            }
            _ => None,
        }
    }

    fn vector_type(&mut self) -> Option<NodeId> {
        self.expect(b"Dv")?;
        let size = if self.eat(b"_") {
            self.expression()?
        } else {
            let digits = self.digits()?;
            self.add(Node::Name(digits))
        };
        self.expect(b"_")?;
        let element = self.parse_type()?;
        Some(self.add(Node::Vector(size, element)))
    }

    fn float_type(&mut self) -> Option<NodeId> {
        self.expect(b"DF")?;
        let name = match self.number()? {
            16 if self.eat(b"b") => "std::bfloat16_t",
            16 => "_Float16",
            32 => "_Float32",
            64 => "_Float64",
            128 => "_Float128",
            _ => return None,
        };
        let name = match (name, self.eat(b"x")) {
            (name, false) => {
                if name != "std::bfloat16_t" {
                    self.expect(b"_")?;
                }
                name
            }
            ("_Float32", true) => "_Float32x",
            ("_Float64", true) => "_Float64x",
            _ => return None,
        };
        Some(self.add(Node::Builtin(name)))
    }

    fn exception_specification(&mut self) -> Option<After> {
        if self.eat(b"Do") {
            Some(After::Word(" noexcept"))
        } else if self.eat(b"Dx") {
            Some(After::Word(" transaction_safe"))
        } else if self.eat(b"DO") {
            let condition = self.expression()?;
            self.expect(b"E")?;
            Some(After::Noexcept(condition))
        } else {
            self.expect(b"Dw")?;
            self.list_until(b"E", Self::parse_type).map(After::Throw)
        }
    }

    fn vendor_qualified(&mut self) -> Option<NodeId> {
        self.expect(b"U")?;
        let mut qualifier = self.source_name()?;
        if self.peek() == b'I' {
            let arguments = self.template_arguments()?;
            qualifier = self.add(Node::Template(qualifier, arguments));
        }
        let of = self.parse_type()?;
        Some(self.add(Node::VendorQualified(qualifier, of)))
    }
}
