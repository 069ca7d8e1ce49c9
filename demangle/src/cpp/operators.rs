//! The operators and their two-letter codes.

/// An operator.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Operator {
    /// Its code in a mangled name.
    pub(super) code: [u8; 2],
    /// Its spelling; words end with a blank if an operand follows.
    pub(super) text: &'static str,
    /// Form in an expression.
    pub(super) form: Form,
}

/// Forms in which an operator takes its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An operand after it.
    Prefix,
    /// Prefix, or postfix unless an underscore follows the code.
    Increment,
    /// A type after it.
    OfType,
    /// An operand on each side.
    Binary,
    /// A member name on the right.
    Member,
    /// An index in brackets.
    Index,
    /// Three operands.
    Conditional,
    /// A function and its arguments.
    Call,
    /// A type and an operand.
    NamedCast,
    /// An allocation.
    New,
    /// No operand.
    Nullary,
}

const fn operator(code: &[u8; 2], text: &'static str, form: Form) -> Operator {
    Operator { code: *code, text, form }
}

/// All operators, sorted by code.
static OPERATORS: &[Operator] = &[
    operator(b"aN", "&=", Form::Binary),
    operator(b"aS", "=", Form::Binary),
    operator(b"aa", "&&", Form::Binary),
    operator(b"ad", "&", Form::Prefix),
    operator(b"an", "&", Form::Binary),
    operator(b"at", "alignof ", Form::Prefix),
    operator(b"aw", "co_await ", Form::Prefix),
    operator(b"az", "alignof ", Form::Prefix),
    operator(b"cc", "const_cast", Form::NamedCast),
    operator(b"cl", "()", Form::Call),
    operator(b"cm", ",", Form::Binary),
    operator(b"co", "~", Form::Prefix),
    operator(b"dV", "/=", Form::Binary),
    operator(b"da", "delete[] ", Form::Prefix),
    operator(b"dc", "dynamic_cast", Form::NamedCast),
    operator(b"de", "*", Form::Prefix),
    operator(b"dl", "delete ", Form::Prefix),
    operator(b"ds", ".*", Form::Binary),
    operator(b"dt", ".", Form::Member),
    operator(b"dv", "/", Form::Binary),
    operator(b"eO", "^=", Form::Binary),
    operator(b"eo", "^", Form::Binary),
    operator(b"eq", "==", Form::Binary),
    operator(b"ge", ">=", Form::Binary),
    operator(b"gt", ">", Form::Binary),
    operator(b"ix", "[]", Form::Index),
    operator(b"lS", "<<=", Form::Binary),
    operator(b"le", "<=", Form::Binary),
    operator(b"ls", "<<", Form::Binary),
    operator(b"lt", "<", Form::Binary),
    operator(b"mI", "-=", Form::Binary),
    operator(b"mL", "*=", Form::Binary),
    operator(b"mi", "-", Form::Binary),
    operator(b"ml", "*", Form::Binary),
    operator(b"mm", "--", Form::Increment),
    operator(b"na", "new[]", Form::New),
    operator(b"ne", "!=", Form::Binary),
    operator(b"ng", "-", Form::Prefix),
    operator(b"nt", "!", Form::Prefix),
    operator(b"nw", "new", Form::New),
    operator(b"oR", "|=", Form::Binary),
    operator(b"oo", "||", Form::Binary),
    operator(b"or", "|", Form::Binary),
    operator(b"pL", "+=", Form::Binary),
    operator(b"pl", "+", Form::Binary),
    operator(b"pm", "->*", Form::Binary),
    operator(b"pp", "++", Form::Increment),
    operator(b"ps", "+", Form::Prefix),
    operator(b"pt", "->", Form::Member),
    operator(b"qu", "?", Form::Conditional),
    operator(b"rM", "%=", Form::Binary),
    operator(b"rS", ">>=", Form::Binary),
    operator(b"rc", "reinterpret_cast", Form::NamedCast),
    operator(b"rm", "%", Form::Binary),
    operator(b"rs", ">>", Form::Binary),
    operator(b"sc", "static_cast", Form::NamedCast),
    operator(b"ss", "<=>", Form::Binary),
    operator(b"st", "sizeof ", Form::OfType),
    operator(b"sz", "sizeof ", Form::Prefix),
    operator(b"tr", "throw", Form::Nullary),
    operator(b"tw", "throw ", Form::Prefix),
];

impl Operator {
    /// The operator with this code.
    pub(super) fn find(code: [u8; 2]) -> Option<&'static Self> {
        let place = OPERATORS.binary_search_by_key(&code, |operator| operator.code).ok()?;
        Some(&OPERATORS[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found() {
        for operator in OPERATORS {
            assert_eq!(Operator::find(operator.code), Some(operator));
        }
    }
}
