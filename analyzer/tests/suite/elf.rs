//! Writes small executables for any class and byte order, independently of the crate that reads them.

use gmon_format::{ByteOrder, Encoding, WordSize};

/// An executable with one section of code, one of data, and a symbol table.
#[derive(Clone, Debug)]
pub(crate) struct Elf {
    pub(crate) encoding: Encoding,
    /// The `e_machine` number.
    pub(crate) machine: u16,
    pub(crate) text_address: u64,
    pub(crate) text_size: u64,
    /// Instructions and their addresses; all others are zero.
    pub(crate) code: Vec<(u64, Vec<u8>)>,
    pub(crate) symbols: Vec<Symbol>,
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) address: u64,
    /// 0 if it is not known.
    pub(crate) size: u64,
    pub(crate) binding: u8,
    pub(crate) kind: u8,
    pub(crate) section: u16,
}

/// Section numbers that symbols refer to.
pub(crate) const TEXT: u16 = 1;
pub(crate) const DATA: u16 = 2;
pub(crate) const ABSOLUTE: u16 = 0xfff1;

pub(crate) const LOCAL: u8 = 0;
pub(crate) const GLOBAL: u8 = 1;
pub(crate) const WEAK: u8 = 2;

pub(crate) const NOTYPE: u8 = 0;
pub(crate) const OBJECT: u8 = 1;
pub(crate) const FUNC: u8 = 2;

pub(crate) const LITTLE_64: Encoding = Encoding { word: WordSize::Eight, order: ByteOrder::Little };
pub(crate) const BIG_64: Encoding = Encoding { word: WordSize::Eight, order: ByteOrder::Big };
pub(crate) const LITTLE_32: Encoding = Encoding { word: WordSize::Four, order: ByteOrder::Little };
pub(crate) const BIG_32: Encoding = Encoding { word: WordSize::Four, order: ByteOrder::Big };

const X86_64: u16 = 62;

impl Elf {
    /// A 64-bit x86 program with nothing in it yet.
    pub(crate) fn new(text_address: u64, text_size: u64) -> Self {
        Self {
            encoding: LITTLE_64,
            machine: X86_64,
            text_address,
            text_size,
            code: Vec::new(),
            symbols: Vec::new(),
        }
    }

    /// Adds a global function.
    pub(crate) fn function(&mut self, name: &str, address: u64) -> &mut Self {
        self.symbol(name, address, GLOBAL, FUNC, TEXT)
    }

    pub(crate) fn symbol(
        &mut self,
        name: &str,
        address: u64,
        binding: u8,
        kind: u8,
        section: u16,
    ) -> &mut Self {
        let size = 0;
        self.symbols.push(Symbol { name: name.to_owned(), address, size, binding, kind, section });
        self
    }

    /// Tells the size of the symbol that was added last.
    pub(crate) fn sized(&mut self, size: u64) -> &mut Self {
        self.symbols.last_mut().expect("a symbol").size = size;
        self
    }

    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let is_64 = self.encoding.word == WordSize::Eight;
        let (symtab, strtab, locals) = self.symbol_table();
        let names = b"\0.text\0.data\0.symtab\0.strtab\0.shstrtab\0";
        let header_size = if is_64 { 64 } else { 52 };
        let mut text = vec![0; self.text_size as usize];
        for (address, code) in &self.code {
            let start = (address - self.text_address) as usize;
            text[start..start + code.len()].copy_from_slice(code);
        }
        let contents: [&[u8]; 5] = [&text, &[0; 64], &symtab, &strtab, names];
        let data_address = self.text_address + self.text_size;
        let symbol_size = if is_64 { 24 } else { 16 };
        // name, type, flags, address, link, info, entry size
        let sections: [(u32, u32, u64, u64, u32, u32, u64); 5] = [
            (1, 1, 2 | 4, self.text_address, 0, 0, 0),
            (7, 1, 1 | 2, data_address, 0, 0, 0),
            (13, 2, 0, 0, 4, locals, symbol_size),
            (21, 3, 0, 0, 0, 0, 0),
            (29, 3, 0, 0, 0, 0, 0),
        ];
        let mut body = Bytes { encoding: self.encoding, bytes: Vec::new() };
        let mut headers = Bytes { encoding: self.encoding, bytes: Vec::new() };
        headers.section(&(0, 0, 0, 0, 0, 0, 0), 0, 0);
        for (section, content) in sections.iter().zip(contents) {
            body.align();
            headers.section(section, header_size + body.bytes.len() as u64, content.len() as u64);
            body.bytes.extend_from_slice(content);
        }
        body.align();
        let mut file = Bytes { encoding: self.encoding, bytes: Vec::new() };
        file.file_header(self.machine, header_size as u16, header_size + body.bytes.len() as u64);
        file.bytes.extend(body.bytes);
        file.bytes.extend(headers.bytes);
        file.bytes
    }

    /// Symbols (local ones first, as ELF demands), their names, and one past the last local.
    fn symbol_table(&self) -> (Vec<u8>, Vec<u8>, u32) {
        let is_local = |symbol: &&Symbol| symbol.binding == LOCAL;
        let locals = self.symbols.iter().filter(is_local);
        let others = self.symbols.iter().filter(|symbol| !is_local(symbol));
        let mut table = Bytes { encoding: self.encoding, bytes: Vec::new() };
        let mut names = vec![0];
        table.symbol(0, 0, 0, 0, 0);
        for symbol in locals.clone().chain(others) {
            let info = symbol.binding << 4 | symbol.kind;
            let at = names.len() as u32;
            table.symbol(at, info, symbol.section, symbol.address, symbol.size);
            names.extend_from_slice(symbol.name.as_bytes());
            names.push(0);
        }
        (table.bytes, names, locals.count() as u32 + 1)
    }
}

/// Bytes of a file, written number by number.
struct Bytes {
    encoding: Encoding,
    bytes: Vec<u8>,
}

impl Bytes {
    fn u16(&mut self, value: u16) {
        self.bytes.extend(self.encoding.u16_bytes(value));
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend(self.encoding.u32_bytes(value));
    }

    fn word(&mut self, value: u64) {
        match self.encoding.word {
            WordSize::Four => self.u32(value as u32),
            WordSize::Eight => self.bytes.extend(self.encoding.u64_bytes(value)),
        }
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        // The 32-bit file header is not a multiple of 8 bytes long, which nobody minds.
    }

    fn file_header(&mut self, machine: u16, size: u16, section_headers: u64) {
        let is_64 = self.encoding.word == WordSize::Eight;
        let class = if is_64 { 2 } else { 1 };
        let order = if self.encoding.order == ByteOrder::Little { 1 } else { 2 };
        self.bytes.extend([0x7f, b'E', b'L', b'F', class, order, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        self.u16(2); // an executable
        self.u16(machine);
        self.u32(1);
        self.word(0); // entry point
        self.word(0); // no program headers
        self.word(section_headers);
        self.u32(0);
        self.u16(size);
        self.u16(if is_64 { 56 } else { 32 });
        self.u16(0);
        self.u16(if is_64 { 64 } else { 40 });
        self.u16(6);
        self.u16(5);
    }

    fn section(
        &mut self,
        &(name, kind, flags, address, link, info, entry): &(u32, u32, u64, u64, u32, u32, u64),
        offset: u64,
        size: u64,
    ) {
        self.u32(name);
        self.u32(kind);
        self.word(flags);
        self.word(address);
        self.word(offset);
        self.word(size);
        self.u32(link);
        self.u32(info);
        self.word(if kind == 0 { 0 } else { 4 });
        self.word(entry);
    }

    fn symbol(&mut self, name: u32, info: u8, section: u16, address: u64, size: u64) {
        self.u32(name);
        if self.encoding.word == WordSize::Eight {
            self.bytes.extend([info, 0]);
            self.u16(section);
            self.word(address);
            self.word(size);
        } else {
            self.word(address);
            self.word(size);
            self.bytes.extend([info, 0]);
            self.u16(section);
        }
    }
}
