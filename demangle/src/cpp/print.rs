//! Prints the tree of a name: names and everything made of them.

use std::collections::HashMap;

use super::language::Language;
use super::scope::{Scope, TemplateScope};
use super::tree::{After, Node, NodeId, Tree};

/// The name as far as it is printed.
pub(super) struct Printer<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) out: Vec<u8>,
    pub(super) language: Language,
    /// The templates around what is printed, and the innermost of them.
    pub(super) scopes: Vec<TemplateScope>,
    pub(super) scope: Scope,
    /// The scope in which a reference to each parameter was first printed.
    pub(super) reference_scopes: HashMap<NodeId, Scope>,
    /// The references that are being printed.
    pub(super) under_way: Vec<NodeId>,
    /// The template whose name is printed: a conversion operator's type may need its arguments.
    named_template: Option<NodeId>,
    /// Argument of a pack that is meant, within a pattern that is repeated for each.
    pub(super) pack_place: Option<usize>,
    /// True if these are a lambda's parameters, in which template parameters are `auto`.
    pub(super) in_lambda: bool,
    /// Length of the output when the last item of a list turned out to be a pack without arguments.
    emptied_at: usize,
    depth: u32,
    steps: u32,
}

/// Names longer than this are not real.
const LENGTH_LIMIT: usize = 1 << 20;

/// Nor are those nested deeper than this,
const DEPTH_LIMIT: u32 = 512;

/// or made of more parts. A part can be empty, so the length alone does not bound the work.
const STEP_LIMIT: u32 = 1 << 20;

impl<'t, 'a> Printer<'t, 'a> {
    /// Prints a whole name, if it is not too long.
    pub(super) fn print(tree: &'t Tree<'a>, root: NodeId, language: Language) -> Option<Vec<u8>> {
        let mut printer = Printer {
            tree,
            out: Vec::new(),
            language,
            scopes: Vec::new(),
            scope: None,
            reference_scopes: HashMap::new(),
            under_way: Vec::new(),
            named_template: None,
            pack_place: None,
            in_lambda: false,
            emptied_at: 0,
            depth: 0,
            steps: 0,
        };
        printer.put(root)?;
        Some(printer.out)
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Prints one part; none if it is too deep, too long or makes no sense.
    pub(super) fn put(&mut self, id: NodeId) -> Option<()> {
        self.left(id)?;
        self.right(id)
    }

    /// Guards one level of printing.
    pub(super) fn nested(&mut self, print: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        self.steps += 1;
        let fits =
            self.depth <= DEPTH_LIMIT && self.steps <= STEP_LIMIT && self.out.len() <= LENGTH_LIMIT;
        let result = if fits { print(self) } else { None };
        self.depth -= 1;
        result
    }

    /// Prints a name. Types and expressions are printed elsewhere.
    pub(super) fn name(&mut self, id: NodeId) -> Option<()> {
        match *self.tree.get(id) {
            Node::Name(name) => self.out.extend_from_slice(name),
            Node::Nested(scope, name) => {
                self.put(scope)?;
                self.text(self.language.separator());
                self.put(name)?;
            }
            Node::Local(function, name) => {
                self.without_return_type(function)?;
                self.text(self.language.separator());
                self.put(name)?;
            }
            Node::DefaultArgument(number, name) => {
                self.text(&format!("{{default arg#{number}}}::"));
                self.put(name)?;
            }
            Node::Template(name, ref arguments) if self.is_java_array(name) => {
                self.list(arguments)?;
                self.text("[]");
            }
            Node::Template(name, ref arguments) => {
                let outer = self.named_template.replace(id);
                let named = self.put(name);
                self.named_template = outer;
                named?;
                self.template_arguments(arguments)?;
            }
            Node::AbiTag(name, tag) => {
                self.put(name)?;
                self.text("[abi:");
                self.out.extend_from_slice(tag);
                self.text("]");
            }
            Node::Constructor(class) => self.put(class)?,
            Node::Destructor(class) => {
                self.text("~");
                self.put(class)?;
            }
            Node::OperatorName(operator) => {
                self.text("operator");
                if operator.text.starts_with(|first: char| first.is_ascii_lowercase()) {
                    self.text(" ");
                }
                self.text(operator.text.trim_end());
            }
            Node::LiteralOperator(name) => {
                self.text("operator\"\" ");
                self.put(name)?;
            }
            Node::Conversion(to) => {
                self.text("operator ");
                match self.named_template {
                    Some(template) => self.within(template, |printer| printer.put(to))?,
                    None => self.put(to)?,
                }
            }
            Node::UnnamedType(number) => self.text(&format!("{{unnamed type#{number}}}")),
            Node::Lambda(ref parameters, number) => self.lambda(parameters, number)?,
            Node::StructuredBinding(ref names) => {
                self.text("[");
                self.list(names)?;
                self.text("]");
            }
            Node::Special(text, of) => {
                self.text(text);
                self.put(of)?;
            }
            Node::ReferenceTemporary(number, of) => {
                self.text("reference temporary #");
                self.out.extend_from_slice(number);
                self.text(" for ");
                self.put(of)?;
            }
            Node::ConstructionVtable(base, derived) => {
                self.text("construction vtable for ");
                self.put(base)?;
                self.text("-in-");
                self.put(derived)?;
            }
            Node::Encoding(name, function) => self.function(name, function, true)?,
            Node::Clone(name, suffix) => {
                self.put(name)?;
                self.text(" [clone ");
                self.out.extend_from_slice(suffix);
                self.text("]");
            }
            _ => return None,
        }
        Some(())
    }

    /// A scope that is a function does not say what it returns.
    fn without_return_type(&mut self, id: NodeId) -> Option<()> {
        match *self.tree.get(id) {
            Node::Encoding(name, function) => self.function(name, function, false),
            _ => self.put(id),
        }
    }

    fn function(&mut self, name: NodeId, function: NodeId, with_return_type: bool) -> Option<()> {
        let Node::Function { returned, parameters, after } = self.tree.get(function) else {
            return None;
        };
        let returned = returned.filter(|_| with_return_type);
        let template = self.template_of(name);
        if self.language == Language::Java {
            self.put(name)?;
            return self.within_if(template, |printer| {
                printer.parameters(parameters, after)?;
                returned.map_or(Some(()), |returned| printer.put(returned))
            });
        }
        if let Some(returned) = returned {
            self.within_if(template, |printer| printer.returned(returned))?;
        }
        self.put(name)?;
        self.within_if(template, |printer| {
            printer.parameters(parameters, after)?;
            returned.map_or(Some(()), |returned| printer.right(returned))
        })
    }

    /// Java's arrays are a template without a name of its own.
    fn is_java_array(&self, name: NodeId) -> bool {
        self.language == Language::Java && matches!(self.tree.get(name), Node::Name(b"JArray"))
    }

    /// Prints the part before a function's name.
    pub(super) fn returned(&mut self, returned: NodeId) -> Option<()> {
        self.left(returned)?;
        if !self.is_open(returned) {
            self.text(" ");
        }
        Some(())
    }

    /// The template that a function is made of.
    fn template_of(&self, name: NodeId) -> Option<NodeId> {
        match *self.tree.get(name) {
            Node::Template(..) => Some(name),
            Node::Local(_, name) | Node::DefaultArgument(_, name) => self.template_of(name),
            _ => None,
        }
    }

    fn within_if(
        &mut self,
        template: Option<NodeId>,
        print: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        match template {
            Some(template) => self.within(template, print),
            None => print(self),
        }
    }

    /// Parameters in parentheses and what stands after them.
    pub(super) fn parameters(&mut self, parameters: &[NodeId], after: &[After]) -> Option<()> {
        self.text("(");
        self.list(parameters)?;
        self.text(")");
        for part in after {
            match *part {
                After::Word(word) => self.text(word),
                After::Noexcept(condition) => {
                    self.text(" noexcept(");
                    self.put(condition)?;
                    self.text(")");
                }
                After::Throw(ref types) => {
                    self.text(" throw(");
                    self.list(types)?;
                    self.text(")");
                }
            }
        }
        Some(())
    }

    fn lambda(&mut self, parameters: &[NodeId], number: u64) -> Option<()> {
        self.text("{lambda(");
        let outer = std::mem::replace(&mut self.in_lambda, true);
        let listed = self.list(parameters);
        self.in_lambda = outer;
        listed?;
        self.text(&format!(")#{number}}}"));
        Some(())
    }

    pub(super) fn template_arguments(&mut self, arguments: &[NodeId]) -> Option<()> {
        // No two angle brackets may touch.
        if self.out.last() == Some(&b'<') {
            self.text(" ");
        }
        self.text("<");
        self.list(arguments)?;
        // GNU's printer forgets what came before an argument that turned out empty.
        if self.out.last() == Some(&b'>') && self.emptied_at != self.out.len() {
            self.text(" ");
        }
        self.text(">");
        Some(())
    }

    /// Items with commas between them; those at the end that print nothing take theirs back.
    pub(super) fn list(&mut self, items: &[NodeId]) -> Option<()> {
        let mut end = self.out.len();
        for (place, &item) in items.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            let start = self.out.len();
            self.put(item)?;
            if self.out.len() > start {
                end = self.out.len();
            }
        }
        if self.out.len() > end {
            self.out.truncate(end);
            self.emptied_at = end;
        }
        Some(())
    }
}
