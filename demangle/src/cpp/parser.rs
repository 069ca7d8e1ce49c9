//! Reads a mangled name; the grammar itself is in `names`, `types` and `expressions`.

use super::tree::{Node, NodeId, Tree};

/// A mangled name while it is read.
pub(super) struct Parser<'a> {
    rest: &'a [u8],
    pub(super) tree: Tree<'a>,
    /// Parts that can be mentioned again as `S_`, `S0_` and so on.
    pub(super) substitutions: Vec<NodeId>,
    /// True if this is the type of a conversion operator, after which template arguments may come.
    pub(super) in_conversion: bool,
    /// The last source name: a constructor is named after it.
    pub(super) last_name: Option<NodeId>,
    depth: u32,
}

/// Names nested deeper than this are not real.
const DEPTH_LIMIT: u32 = 256;

impl<'a> Parser<'a> {
    /// Reads a whole name without its `_Z`.
    pub(super) fn parse(name: &'a [u8]) -> Option<(Tree<'a>, NodeId)> {
        let mut parser = Self {
            rest: name,
            tree: Tree::default(),
            substitutions: Vec::new(),
            in_conversion: false,
            last_name: None,
            depth: 0,
        };
        let mut root = parser.encoding()?;
        while let Some(suffix) = parser.clone_suffix() {
            root = parser.add(Node::Clone(root, suffix));
        }
        parser.rest.is_empty().then_some((parser.tree, root))
    }

    /// Tries one way of reading; if it fails, everything is as before.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (rest, known, last_name) = (self.rest, self.substitutions.len(), self.last_name);
        let result = read(self);
        if result.is_none() {
            self.rest = rest;
            self.substitutions.truncate(known);
            self.last_name = last_name;
        }
        result
    }

    pub(super) fn add(&mut self, node: Node<'a>) -> NodeId {
        self.tree.add(node)
    }

    /// Makes a part available for later mentions.
    pub(super) fn remember(&mut self, id: NodeId) -> NodeId {
        self.substitutions.push(id);
        id
    }

    /// Reads one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let result = if self.depth <= DEPTH_LIMIT { read(self) } else { None };
        self.depth -= 1;
        result
    }

    /// The next byte, without reading it; 0 at the end.
    pub(super) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> u8 {
        self.rest.get(offset).copied().unwrap_or(0)
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Reads `text` if it comes next.
    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads `text`, which must come next.
    pub(super) fn expect(&mut self, text: &[u8]) -> Option<()> {
        self.eat(text).then_some(())
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let len = self.rest.iter().take_while(|&&byte| belongs(byte)).count();
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    /// Decimal digits as they are; none if there are none.
    pub(super) fn digits(&mut self) -> Option<&'a [u8]> {
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        (!digits.is_empty()).then_some(digits)
    }

    /// A decimal number.
    pub(super) fn number(&mut self) -> Option<u64> {
        let digits = self.digits()?;
        digits.iter().try_fold(0_u64, |number, &digit| {
            number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        })
    }

    /// `_` is 0, `0_` is 1, `1_` is 2 and so on.
    pub(super) fn count(&mut self) -> Option<u64> {
        if self.eat(b"_") {
            return Some(0);
        }
        let number = self.number()?;
        self.expect(b"_")?;
        number.checked_add(1)
    }

    /// Items up to the letter that ends them.
    pub(super) fn list_until(
        &mut self,
        end: &[u8],
        item: impl Fn(&mut Self) -> Option<NodeId>,
    ) -> Option<Vec<NodeId>> {
        let mut items = Vec::new();
        while !self.eat(end) {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Suffix that a compiler appends to the name of a part or copy of a function: `.cold`,
    /// `.constprop.0`, `.llvm.123`.
    fn clone_suffix(&mut self) -> Option<&'a [u8]> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        let start = self.rest;
        if self.peek() != b'.' || !(is_word(self.peek_at(1)) || self.peek_at(1).is_ascii_digit()) {
            return None;
        }
        if is_word(self.peek_at(1)) {
            self.next();
            self.take_while(is_word);
        }
        while self.peek() == b'.' && self.peek_at(1).is_ascii_digit() {
            self.next();
            self.digits();
        }
        Some(&start[..start.len() - self.rest.len()])
    }
}
