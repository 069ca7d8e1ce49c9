//! A symbol for each line of each function.

use object::elf;

use super::symbol::Symbol;
use super::table::SymbolTable;
use crate::error::Error;
use crate::image::{Dialect, ElfSymbol, Image, Label, SymbolPlace, spans};

/// Cuts the section `.text` into lines: each stretch of code that comes from one line of one function
/// is a symbol with that function's name.
pub(super) fn line_symbols<'image>(
    image: &'image Image,
    table: &'image SymbolTable,
) -> Result<Vec<Symbol<'image>>, Error> {
    let labels = labels(image)?;
    let (lines, functions) = (image.line_table(Dialect::Gnu), image.functions(Dialect::Gnu));
    let spans = spans(lines, functions, labels, image.text());
    let mut symbols: Vec<Symbol<'_>> = Vec::with_capacity(spans.len());
    let mut last_file = None;
    for span in spans {
        let same_function = symbols
            .last()
            .filter(|last| last.name == span.function && last_file == Some(span.location.file));
        let is_static = match same_function {
            Some(last) => last.is_static,
            None => table.find(span.address).is_some_and(|id| table.get(id).is_static),
        };
        last_file = Some(span.location.file);
        symbols.push(Symbol {
            name: span.function,
            address: span.address,
            end: Symbol::OPEN,
            is_static,
            ..Symbol::default()
        });
    }
    Ok(symbols)
}

/// Names for code whose function debug information does not name.
fn labels(image: &Image) -> Result<Vec<Label<'_>>, Error> {
    let text = image.text();
    Ok(image
        .symbols()?
        .iter()
        .filter(|symbol| !symbol.is_described && symbol.place == SymbolPlace::Text)
        .filter(|symbol| text.contains(&symbol.address))
        .filter_map(label)
        .collect())
}

fn label<'image>(symbol: &ElfSymbol<'image>) -> Option<Label<'image>> {
    let &ElfSymbol { address, size, name, kind, .. } = symbol;
    if matches!(kind, elf::STT_OBJECT | elf::STT_SECTION | elf::STT_FILE | elf::STT_TLS) {
        return None;
    }
    // Marks that tools leave in the code.
    let is_mark = symbol.binding == elf::STB_LOCAL && kind == elf::STT_NOTYPE;
    if is_mark && symbol.is_hidden && size == 0 {
        return None;
    }
    Some(Label { address, size, name })
}
