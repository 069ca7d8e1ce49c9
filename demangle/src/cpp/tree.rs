//! Parts of a C++ name.

use super::operators::Operator;

/// A position in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// All parts of one name; parts that the name mentions twice are shared.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
}

/// A part of a name.
#[derive(Debug)]
pub(super) enum Node<'a> {
    // Names.
    /// A name as it is in the source, or a fixed text.
    Name(&'a [u8]),
    /// `scope::name`.
    Nested(NodeId, NodeId),
    /// Something within a function: `function()::name`.
    Local(NodeId, NodeId),
    /// A lambda in the default value of a parameter, numbered from the last one.
    DefaultArgument(u64, NodeId),
    /// `name<arguments>`.
    Template(NodeId, Vec<NodeId>),
    /// `name[abi:tag]`.
    AbiTag(NodeId, &'a [u8]),
    /// The constructor of the class with this name.
    Constructor(NodeId),
    /// The destructor of the class with this name.
    Destructor(NodeId),
    /// `operator+`.
    OperatorName(&'static Operator),
    /// `operator"" name`.
    LiteralOperator(NodeId),
    /// `operator type`.
    Conversion(NodeId),
    /// A class or enumeration without a name, numbered in its scope.
    UnnamedType(u64),
    /// A lambda with these parameters, numbered in its scope.
    Lambda(Vec<NodeId>, u64),
    /// `[a, b]`.
    StructuredBinding(Vec<NodeId>),
    /// A text before a name, such as `vtable for `.
    Special(&'static str, NodeId),
    /// `reference temporary #number for name`.
    ReferenceTemporary(&'a [u8], NodeId),
    /// `construction vtable for base-in-derived`.
    ConstructionVtable(NodeId, NodeId),
    /// A function: its name and its type.
    Encoding(NodeId, NodeId),
    /// A part or copy of a function: `name [clone .suffix]`.
    Clone(NodeId, &'a [u8]),

    // Types.
    /// A type of the language itself.
    Builtin(&'static str),
    /// `const`, `volatile` or `restrict`.
    Qualified(&'static str, NodeId),
    /// A type with a qualifier of one compiler.
    VendorQualified(NodeId, NodeId),
    Pointer(NodeId),
    LvalueReference(NodeId),
    RvalueReference(NodeId),
    /// A type with a word after it, such as `_Complex`.
    Suffixed(&'static str, NodeId),
    /// A function; `after` is what stands after the parameters, such as ` const`.
    Function {
        returned: Option<NodeId>,
        parameters: Vec<NodeId>,
        after: Vec<After>,
    },
    /// An array of a size, if that is known.
    Array(Option<NodeId>, NodeId),
    /// `element __vector(size)`.
    Vector(NodeId, NodeId),
    /// A pointer to a member: class and type.
    PointerToMember(NodeId, NodeId),
    /// The template parameter of this number. What it stands for depends on where it is printed,
    /// since functions within functions have parameters of their own.
    Parameter(u64),
    /// The arguments of a parameter pack.
    ArgumentPack(Vec<NodeId>),
    /// A pattern repeated for each argument of the packs in it.
    Expansion(NodeId),
    /// `decltype (expression)`.
    Decltype(NodeId),

    // Expressions.
    /// A constant of a type, as digits.
    Literal {
        of: NodeId,
        negative: bool,
        digits: &'a [u8],
    },
    /// A parameter of the function, from 0; none is `this`.
    FunctionParameter(Option<u64>),
    Prefix(&'static Operator, NodeId),
    Postfix(&'static Operator, NodeId),
    Binary(&'static Operator, NodeId, NodeId),
    Conditional(NodeId, NodeId, NodeId),
    /// `function(arguments)`.
    Call(NodeId, Vec<NodeId>),
    /// `(type)(arguments)`.
    Cast(NodeId, Vec<NodeId>),
    /// `static_cast<type>(expression)`.
    NamedCast(&'static Operator, NodeId, NodeId),
    /// `type{values}`; without a type just the list.
    Braced(Option<NodeId>, Vec<NodeId>),
    /// `sizeof...(pack)`, which is a number.
    PackSize(NodeId),
    /// `new (placement) type(values)`.
    New {
        operator: &'static Operator,
        placement: Vec<NodeId>,
        of: NodeId,
        values: Option<NodeId>,
    },
    /// `(pack+...)` and the other three forms.
    Fold {
        operator: &'static Operator,
        left: Option<NodeId>,
        right: Option<NodeId>,
    },
    /// `::expression`.
    Global(NodeId),
}

/// Parts that can stand after a function's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// A qualifier or similar, with the blank before it.
    Word(&'static str),
    /// `noexcept(expression)`.
    Noexcept(NodeId),
    /// `throw(types)`.
    Throw(Vec<NodeId>),
}

impl<'a> Tree<'a> {
    /// Adds a part.
    pub(super) fn add(&mut self, node: Node<'a>) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(super) fn get(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0 as usize]
    }
}

impl Node<'_> {
    /// The parts that a node is made of, in the order in which they are printed.
    pub(super) fn parts(&self) -> Vec<NodeId> {
        match *self {
            Self::Name(_)
            | Self::OperatorName(_)
            | Self::UnnamedType(_)
            | Self::Builtin(_)
            | Self::Parameter(_)
            | Self::FunctionParameter(_) => Vec::new(),
            Self::DefaultArgument(_, a)
            | Self::AbiTag(a, _)
            | Self::Constructor(a)
            | Self::Destructor(a)
            | Self::LiteralOperator(a)
            | Self::Conversion(a)
            | Self::Special(_, a)
            | Self::ReferenceTemporary(_, a)
            | Self::Clone(a, _)
            | Self::Qualified(_, a)
            | Self::Pointer(a)
            | Self::LvalueReference(a)
            | Self::RvalueReference(a)
            | Self::Suffixed(_, a)
            | Self::Expansion(a)
            | Self::Decltype(a)
            | Self::Literal { of: a, .. }
            | Self::Prefix(_, a)
            | Self::Postfix(_, a)
            | Self::PackSize(a)
            | Self::Global(a) => vec![a],
            Self::Nested(a, b)
            | Self::Local(a, b)
            | Self::ConstructionVtable(a, b)
            | Self::Encoding(a, b)
            | Self::VendorQualified(a, b)
            | Self::Vector(a, b)
            | Self::PointerToMember(a, b)
            | Self::Binary(_, a, b)
            | Self::NamedCast(_, a, b) => vec![a, b],
            Self::Conditional(a, b, c) => vec![a, b, c],
            Self::Array(size, element) => size.into_iter().chain([element]).collect(),
            Self::Fold { left, right, .. } => left.into_iter().chain(right).collect(),
            Self::Lambda(ref all, _)
            | Self::StructuredBinding(ref all)
            | Self::ArgumentPack(ref all) => all.clone(),
            Self::Template(a, ref all) | Self::Call(a, ref all) | Self::Cast(a, ref all) => {
                [&[a], &all[..]].concat()
            }
            Self::Braced(of, ref all) => of.into_iter().chain(all.iter().copied()).collect(),
            Self::Function { returned, ref parameters, .. } => {
                returned.into_iter().chain(parameters.iter().copied()).collect()
            }
            Self::New { ref placement, of, values, .. } => {
                placement.iter().copied().chain([of]).chain(values).collect()
            }
        }
    }
}
