//! Things the compiler makes for a class or function: tables, thunks, guards.

use super::parser::Parser;
use super::tree::{Node, NodeId};

/// Part behind the code of a special name.
#[derive(Clone, Copy)]
enum Subject {
    /// A type.
    Type,
    /// A function or variable.
    Encoding,
    /// A variable.
    Name,
    /// A variable and a number.
    Numbered,
    /// An offset, then a function.
    Thunk,
    /// Two offsets, then a function.
    VirtualThunk,
    /// Two whole offsets with their codes, then a function.
    CovariantThunk,
    /// A template argument.
    TemplateArgument,
}

/// Codes and how they are announced.
const SPECIAL: [(&[u8], &str, Subject); 17] = [
    (b"GA", "hidden alias for ", Subject::Encoding),
    (b"GR", "reference temporary #", Subject::Numbered),
    (b"GTn", "non-transaction clone for ", Subject::Encoding),
    (b"GTt", "transaction clone for ", Subject::Encoding),
    (b"GV", "guard variable for ", Subject::Name),
    (b"TA", "template parameter object for ", Subject::TemplateArgument),
    (b"TF", "typeinfo fn for ", Subject::Type),
    (b"TH", "TLS init function for ", Subject::Name),
    (b"TI", "typeinfo for ", Subject::Type),
    (b"TJ", "java Class for ", Subject::Type),
    (b"TS", "typeinfo name for ", Subject::Type),
    (b"TT", "VTT for ", Subject::Type),
    (b"TV", "vtable for ", Subject::Type),
    (b"TW", "TLS wrapper function for ", Subject::Name),
    (b"Tc", "covariant return thunk to ", Subject::CovariantThunk),
    (b"Th", "non-virtual thunk to ", Subject::Thunk),
    (b"Tv", "virtual thunk to ", Subject::VirtualThunk),
];

impl Parser<'_> {
    /// A name that begins with `G` or `T`.
    pub(super) fn special_name(&mut self) -> Option<NodeId> {
        if self.eat(b"TC") {
            return self.construction_vtable();
        }
        let (_, text, subject) = SPECIAL.iter().find(|(code, ..)| self.eat(code))?;
        let subject = match subject {
            Subject::Type => self.parse_type()?,
            Subject::Encoding => self.encoding()?,
            Subject::Name => self.entity_name()?.name,
            Subject::TemplateArgument => self.template_argument()?,
            Subject::Thunk => {
                self.offset()?;
                self.encoding()?
            }
            Subject::VirtualThunk => {
                self.offset()?;
                self.offset()?;
                self.encoding()?
            }
            Subject::CovariantThunk => {
                self.call_offset()?;
                self.call_offset()?;
                self.encoding()?
            }
            Subject::Numbered => return self.reference_temporary(),
        };
        Some(self.add(Node::Special(text, subject)))
    }

    fn reference_temporary(&mut self) -> Option<NodeId> {
        let name = self.entity_name()?.name;
        let number = self.digits().unwrap_or(b"0");
        Some(self.add(Node::ReferenceTemporary(number, name)))
    }

    fn construction_vtable(&mut self) -> Option<NodeId> {
        let derived = self.parse_type()?;
        self.number()?;
        self.expect(b"_")?;
        let base = self.parse_type()?;
        Some(self.add(Node::ConstructionVtable(base, derived)))
    }

    /// `h` with one number, or `v` with two.
    fn call_offset(&mut self) -> Option<()> {
        if self.eat(b"h") {
            return self.offset();
        }
        self.expect(b"v")?;
        self.offset()?;
        self.offset()
    }

    /// A number that may be negative, and is not shown.
    fn offset(&mut self) -> Option<()> {
        self.eat(b"n");
        self.digits()?;
        self.expect(b"_")
    }
}
