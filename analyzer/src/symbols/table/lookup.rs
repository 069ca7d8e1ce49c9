//! Answers of a table: symbols by number and by address, and how functions belong together.

use gmon_format::{CallSite, FilePc, SelfPc};

use super::{Entry, SymbolId, SymbolTable};
use crate::symbols::name_order::NameOrder;
use crate::symbols::pieces::Title;
use crate::symbols::suffixes::Origin;
use crate::symbols::symbol::Symbol;

impl SymbolTable {
    /// The number of symbols.
    #[must_use]
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// The end of the section `.text`.
    pub(crate) fn code_end(&self) -> FilePc {
        self.code_end
    }

    /// Returns `true` if there is no symbol; never so for a table of an image.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Returns `true` if there are symbols of lines beside those of functions.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// The symbols in address order.
    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = Symbol<'_>> + ExactSizeIterator {
        self.ids().map(|id| self.get(id))
    }

    /// The numbers of all symbols, in address order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = SymbolId> + ExactSizeIterator + use<> {
        (0..self.symbols.len()).map(|index| SymbolId(index as u32))
    }

    /// The order of the names, found at the first call.
    pub fn name_order(&self) -> &NameOrder {
        self.name_order.get_or_init(|| NameOrder::new(self.len(), |id| self.get(id).name))
    }

    /// The symbol of a number.
    ///
    /// # Panics
    /// If `id` is from a larger table.
    #[must_use]
    pub fn get(&self, id: SymbolId) -> Symbol<'_> {
        let index = id.index();
        let Entry { name_end, address, end, size, is_function, is_static, is_object_file } =
            self.symbols[index];
        let name_start = if index == 0 { 0 } else { self.symbols[index - 1].name_end };
        let name = &self.names[name_start..name_end];
        Symbol { name, address, end, size, is_function, is_static, is_object_file }
    }

    /// The symbol that owns `address`.
    #[must_use]
    pub fn find(&self, address: FilePc) -> Option<SymbolId> {
        let id = self.last_up_to(address)?;
        (address <= self.symbols[id.index()].end).then_some(id)
    }

    /// The symbol that owns a call site. A function that nobody called, because its caller was made up
    /// (makecontext(3), the kernel before a signal handler), returns to the beginning of another one: that is
    /// its caller then, although the byte before lies between two functions.
    #[must_use]
    pub fn find_caller(&self, CallSite(site): CallSite) -> Option<SymbolId> {
        self.find(site).or_else(|| {
            let entry = site.checked_add(1).filter(|_| self.is_between(site))?;
            self.find(entry).filter(|&id| self.get(id).address == entry)
        })
    }

    /// Returns `true` if `address` lies between two symbols and belongs to neither.
    pub(crate) fn is_between(&self, address: FilePc) -> bool {
        let before = self.last_up_to(address);
        before.is_some_and(|id| address > self.get(id).end && id.index() + 1 < self.locator.len())
    }

    /// The symbol that stands for code in no function, in a table that has one.
    #[must_use]
    pub fn unknown(&self) -> Option<SymbolId> {
        self.unknown
    }

    /// The function that a symbol is a piece of; itself, if it is none.
    #[must_use]
    pub fn owner(&self, id: SymbolId) -> SymbolId {
        self.pieces.owner(id)
    }

    /// The function that the compiler moved another out of, and which has a library call that.
    #[must_use]
    pub fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        self.pieces.parent(id)
    }

    /// Returns `true` if one symbol calls another only to go on with a call of their function.
    pub(crate) fn goes_on(&self, caller: SymbolId, callee: SymbolId) -> bool {
        // A part that calls itself is a function that does: the way to the part was inlined.
        self.pieces.is_part(callee)
            && self.owner(caller) == self.owner(callee)
            && !self.get(caller).name.starts_with(self.get(callee).name)
    }

    /// The function that a call enters; none if it is not known, or if the call only goes on with one.
    pub(crate) fn called(&self, site: CallSite, self_pc: SelfPc) -> Option<SymbolId> {
        let callee = self.find_function(self_pc)?;
        let goes_on = |caller| self.goes_on(caller, callee);
        (!self.find_caller(site).is_some_and(goes_on)).then(|| self.owner(callee))
    }

    /// Returns `true` if a symbol is all of a function, or a copy of it, as far as the name says.
    pub(crate) fn is_whole(&self, id: SymbolId) -> bool {
        let origin = Origin::of(self.get(id).name);
        origin.is_none_or(|origin| !origin.is_part && origin.outlined.is_none())
    }

    /// A function's name for people, if that is not its linker's name.
    pub(crate) fn title(&self, id: SymbolId) -> Option<&Title> {
        self.pieces.title(id)
    }

    /// Returns `true` if the compiler made a function of a region of another that OpenMP's threads
    /// run.
    #[must_use]
    pub fn is_parallel_region(&self, id: SymbolId) -> bool {
        self.title(id).is_some_and(|title| title.is_parallel)
    }

    /// The last symbol that begins at or before `address`.
    pub(crate) fn last_up_to(&self, address: FilePc) -> Option<SymbolId> {
        self.locator.last_up_to(address).map(|index| SymbolId(index as u32))
    }

    /// The function that was called: the symbol that owns the address or, if that is a label, the function
    /// around or before it.
    #[must_use]
    pub fn find_function(&self, SelfPc(pc): SelfPc) -> Option<SymbolId> {
        self.functions[self.find(pc)?.index()]
    }
}
