//! The machine code of a linked file, as `objdump` shows it.

use std::{collections::BTreeMap, path::Path};

use super::command::{quiet, text_of};

/// One instruction, in AT&T syntax.
#[derive(Debug)]
pub struct Instruction {
    /// Where it is.
    pub address: u64,
    /// The operation, prefixes included.
    pub mnemonic: String,
    /// Everything behind it.
    pub operands: String,
}

/// All functions of a file.
pub struct Disassembly {
    /// First address → name and code.
    functions: BTreeMap<u64, (String, Vec<Instruction>)>,
    /// Name → first address; several names may have one address.
    addresses: BTreeMap<String, u64>,
    /// Where the file's data holds an address of the file itself → that address.
    pointers: BTreeMap<u64, u64>,
}

impl Disassembly {
    /// Disassembles the code of `file`.
    ///
    /// # Panics
    ///
    /// If objdump or nm, which come with the linker, cannot read it.
    pub fn read(file: &Path) -> Self {
        let mut functions = BTreeMap::new();
        let mut current = 0;
        let listing = text_of(quiet("objdump").args(["-dwC", "--no-show-raw-insn"]).arg(file));
        for line in listing.lines() {
            if let Some((address, name)) = header(line) {
                functions.insert(address, (name.to_owned(), Vec::new()));
                current = address;
            } else if let (Some(instruction), Some((_, code))) =
                (instruction(line), functions.get_mut(&current))
            {
                code.push(instruction);
            }
        }
        let symbols = text_of(quiet("nm").arg(file));
        let addresses = symbols.lines().filter_map(|line| {
            let mut fields = line.split_whitespace();
            let address = u64::from_str_radix(fields.next()?, 16).ok()?;
            let name = fields.nth(1)?;
            functions.contains_key(&address).then(|| (name.to_owned(), address))
        });
        Self { addresses: addresses.collect(), pointers: pointers(file), functions }
    }

    /// Where the function `name` begins.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn address(&self, name: &str) -> u64 {
        *self.addresses.get(name).unwrap_or_else(|| panic!("no function {name}"))
    }

    /// Where the functions begin in whose linker names `part` is.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn addresses(&self, part: &str) -> Vec<u64> {
        let named = self.addresses.iter().filter(|(name, _)| name.contains(part));
        let found: Vec<u64> = named.map(|(_, address)| *address).collect();
        assert!(!found.is_empty(), "no function {part}");
        found
    }

    /// The code of the function `name`.
    pub fn function(&self, name: &str) -> &[Instruction] {
        &self.functions[&self.address(name)].1
    }

    /// The function that begins at `address`. A linkage table is not one.
    pub fn at(&self, address: u64) -> Option<(&str, &[Instruction])> {
        let (name, code) = self.functions.get(&address)?;
        (!name.contains("@plt")).then_some((name, code))
    }

    /// Where `instruction` of the function at `address` leads to, if that is out of this function.
    pub fn way_out(&self, address: u64, instruction: &Instruction) -> Option<WayOut> {
        let is_function = |pointer: &u64| self.functions.contains_key(pointer);
        if let Some(slot) = instruction.slot() {
            return Some(self.pointers.get(&slot).map_or(WayOut::OfTheFile, |to| WayOut::To(*to)));
        }
        if instruction.is_through_pointer() {
            let known = self.pointers.values().copied().filter(is_function);
            return Some(WayOut::PerhapsTo(known.collect()));
        }
        if let Some(taken) = instruction.address_taken() {
            return is_function(&taken).then(|| WayOut::PerhapsTo(vec![taken]));
        }
        let target = instruction.target()?;
        let (containing, _) = self.functions.range(..=target).next_back()?;
        let stays = *containing == address && !instruction.is_call();
        (!stays).then_some(WayOut::To(*containing))
    }
}

/// Where the execution of a function may go on.
pub enum WayOut {
    /// In the function that begins there.
    To(u64),
    /// In one of the functions that begin there: those that the file's tables of pointers know, at
    /// a call through a pointer, or the one whose address is taken here and called somewhere.
    PerhapsTo(Vec<u64>),
    /// In another file.
    OfTheFile,
}

impl Instruction {
    /// An instruction at `address`.
    pub fn new(address: u64, mnemonic: &str, operands: &str) -> Self {
        Self { address, mnemonic: mnemonic.to_owned(), operands: operands.to_owned() }
    }

    /// Whether it pushes a return address.
    pub fn is_call(&self) -> bool {
        self.operation().starts_with("call")
    }

    /// The entry of the file's linkage table that it goes through: `*0x2f(%rip) # 3fd8 <name>`.
    fn slot(&self) -> Option<u64> {
        self.data_address().filter(|_| self.is_indirect())
    }

    /// The address that it puts into a register: `0x2f(%rip),%rax # 1040 <name>`.
    fn address_taken(&self) -> Option<u64> {
        self.data_address().filter(|_| self.operation().starts_with("lea"))
    }

    /// What objdump computes of an operand that is relative to the instruction.
    fn data_address(&self) -> Option<u64> {
        let (operands, comment) = self.operands.split_once(" # ")?;
        let address = u64::from_str_radix(comment.split(' ').next()?, 16);
        address.ok().filter(|_| operands.contains("(%rip)"))
    }

    /// Whether it leads to an address that is computed, or read from a table, at run time.
    pub fn is_through_pointer(&self) -> bool {
        self.is_indirect() && self.slot().is_none()
    }

    fn is_indirect(&self) -> bool {
        (self.is_call() || self.operation().starts_with("jmp")) && self.operands.contains('*')
    }

    /// Whether it reads and writes memory in one step that other processors wait for.
    pub fn is_locked(&self) -> bool {
        let exchanges_with_memory =
            self.operation().starts_with("xchg") && self.operands.contains('(');
        self.mnemonic.split(' ').any(|word| word == "lock") || exchanges_with_memory
    }

    /// True if it changes a part of the machine's state that the stubs of `asm/x86_64/hooks.S` do not
    /// save: the upper parts of vector registers, mask registers, x87 and MMX.
    pub fn uses_unsaved_registers(&self) -> bool {
        let operation = self.operation();
        let is_x87 = operation.starts_with('f');
        let is_vex = operation.starts_with('v') && self.operands.contains("mm");
        let saves_all = ["xsave", "xrstor", "emms"].iter().any(|name| operation.starts_with(name));
        let registers = ["%ymm", "%zmm", "%mm", "%st", "%k", "%tmm"];
        is_x87 || is_vex || saves_all || registers.iter().any(|name| self.operands.contains(name))
    }

    /// The operation without its prefixes.
    fn operation(&self) -> &str {
        self.mnemonic.rsplit(' ').next().unwrap_or_default()
    }

    /// Where it leads to, if it is a direct jump or call.
    fn target(&self) -> Option<u64> {
        let operation = self.operation();
        if !self.is_call() && !operation.starts_with('j') && !operation.starts_with("loop") {
            return None;
        }
        u64::from_str_radix(self.operands.split(' ').next()?, 16).ok()
    }
}

/// The addends of relocations that only add the load address, which fill in pointers to the file's
/// own code and data. What the tables of constructors and destructors hold, no code calls.
fn pointers(file: &Path) -> BTreeMap<u64, u64> {
    let hexadecimal = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let sections = text_of(quiet("readelf").arg("-SW").arg(file));
    let startup: Vec<(u64, u64)> = sections
        .lines()
        .filter_map(|line| {
            let (_, fields) = line.split_once("_array")?;
            let mut fields = fields.split_whitespace().skip(1);
            let (address, size) = (hexadecimal(fields.next()?)?, hexadecimal(fields.nth(1)?)?);
            Some((address, address + size))
        })
        .collect();
    let relocations = text_of(quiet("readelf").arg("-rW").arg(file));
    let relative = relocations.lines().filter(|line| line.contains("_RELATIVE "));
    let pointers = relative.filter_map(|line| {
        let mut fields = line.split_whitespace();
        let place = hexadecimal(fields.next()?)?;
        let is_startup = startup.iter().any(|(from, to)| (*from..*to).contains(&place));
        hexadecimal(fields.last()?).filter(|_| !is_startup).map(|target| (place, target))
    });
    pointers.collect()
}

/// `0000000000001040 <mcount>:`
fn header(line: &str) -> Option<(u64, &str)> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    Some((u64::from_str_radix(address, 16).ok()?, name))
}

/// An address, a colon, a tab, and `lock cmpxchg %rcx,(%rdx)`.
fn instruction(line: &str) -> Option<Instruction> {
    let (address, text) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    let mut words = text.split_whitespace().peekable();
    let mut mnemonic = words.next()?.to_owned();
    const PREFIXES: [&str; 9] =
        ["lock", "rep", "repz", "repnz", "notrack", "bnd", "data16", "addr32", "cs"];
    while PREFIXES.contains(&mnemonic.rsplit(' ').next().unwrap_or_default()) {
        let Some(word) = words.next() else { break };
        mnemonic = mnemonic + " " + word;
    }
    let operands: Vec<&str> = words.collect();
    Some(Instruction { address, mnemonic, operands: operands.join(" ") })
}
