//! A module by its headers, as the loader has mapped them.
//!
//! *Context:* any.

use gmon_unwind::{Bytes, Kind, Memory as _, Native, Processor, Tables};

use super::memory::Memory;

#[cfg(target_pointer_width = "32")]
use libc::{Elf32_Ehdr as ElfHeader, Elf32_Phdr as ProgramHeader};
#[cfg(target_pointer_width = "64")]
use libc::{Elf64_Ehdr as ElfHeader, Elf64_Phdr as ProgramHeader};

/// Facts in the headers.
pub(super) struct Image {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) bias: usize,
    /// Address of `.eh_frame_hdr`, or what the processor has in its place; 0 if there is none.
    pub(super) eh_frame_hdr: usize,
    /// The segment that it lies in.
    pub(super) tables: Option<Tables<'static, Native>>,
    pub(super) build_id: BuildId,
}

/// As much of a build id as is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BuildId {
    bytes: [u8; Self::LEN],
    len: usize,
}

impl BuildId {
    const LEN: usize = gmon_format::live::Module::BUILD_ID_LEN;
    const NONE: Self = Self { bytes: [0; Self::LEN], len: 0 };

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// Headers that a module has at most.
const HEADERS: usize = 64;

const ELF: [u8; 4] = *b"\x7fELF";
/// The segment that finds unwind rules: `PT_GNU_EH_FRAME`, or `PT_ARM_EXIDX`.
const PT_RULES: u32 = match Native::RULES {
    Kind::ArmExidx => 0x7000_0001,
    Kind::EhFrame => 0x6474_e550,
};
const NT_GNU_BUILD_ID: u32 = 3;

impl Image {
    /// The image whose file's first bytes are mapped at an address.
    #[inline(never)]
    pub(super) fn at(address: usize) -> Option<Self> {
        let mut memory = Memory::shared();
        if memory.bytes(address as u64)? != ELF {
            return None;
        }
        // SAFETY: plain numbers, of any value.
        let mut elf: ElfHeader = unsafe { core::mem::zeroed() };
        // SAFETY: its fields are plain numbers.
        unsafe { read(&mut memory, address, core::slice::from_mut(&mut elf)) }?;
        let size = usize::from(elf.e_phentsize);
        if size != size_of::<ProgramHeader>() || usize::from(elf.e_phnum) > HEADERS {
            return None;
        }
        let first = address.checked_add(usize::try_from(elf.e_phoff).ok()?)?;
        // SAFETY: plain numbers, of any value.
        let mut headers: [ProgramHeader; HEADERS] = unsafe { core::mem::zeroed() };
        let headers = headers.get_mut(..usize::from(elf.e_phnum))?;
        // SAFETY: their fields are plain numbers.
        unsafe { read(&mut memory, first, headers) }?;

        // Where the file's first bytes are to be says what is added to all addresses.
        let mut bias = None;
        let (mut low, mut high) = (usize::MAX, 0);
        for segment in headers.iter() {
            if segment.p_type == libc::PT_LOAD {
                let start = segment.p_vaddr as usize;
                if segment.p_offset == 0 && bias.is_none() {
                    bias = Some(address.wrapping_sub(start));
                }
                low = low.min(start);
                high = high.max(start.checked_add(segment.p_memsz as usize)?);
            }
        }
        let bias = bias?;
        let mut image = Self {
            start: bias.wrapping_add(low),
            end: bias.wrapping_add(high),
            bias,
            eh_frame_hdr: 0,
            tables: None,
            build_id: BuildId::NONE,
        };
        let mut header_len = 0;
        for segment in headers.iter() {
            let start = bias.wrapping_add(segment.p_vaddr as usize);
            match segment.p_type {
                PT_RULES => {
                    image.eh_frame_hdr = start;
                    header_len = segment.p_filesz as usize;
                }
                libc::PT_NOTE => {
                    let end = start.checked_add(segment.p_memsz as usize)?;
                    if let Some(build_id) = build_id(&mut memory, start, end) {
                        image.build_id = build_id;
                    }
                }
                _ => {}
            }
        }
        for segment in headers.iter() {
            let start = bias.wrapping_add(segment.p_vaddr as usize);
            let len = segment.p_filesz as usize;
            let holds = image.eh_frame_hdr.wrapping_sub(start) < len;
            if segment.p_type == libc::PT_LOAD && holds && segment.p_flags & libc::PF_R != 0 {
                // SAFETY: the loader has mapped the segment readable. Modules stay mapped as long as
                // they are used here, which `dlclose` sees to.
                let segment = unsafe { core::slice::from_raw_parts(start as *const u8, len) };
                let segment = Bytes::of(start as _, segment);
                let header = image.eh_frame_hdr as _;
                image.tables = Some(Tables { segment, header, header_len });
            }
        }
        Some(image)
    }
}

/// Reads values that may not be there.
///
/// # Safety
/// Every value must be valid for the type.
unsafe fn read<T>(memory: &mut Memory, address: usize, values: &mut [T]) -> Option<()> {
    let len = size_of_val(values);
    // SAFETY: the values' own bytes, which may become any others.
    memory
        .fill(unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }, address)
}

/// The build id among the notes.
#[inline(never)]
fn build_id(memory: &mut Memory, mut at: usize, end: usize) -> Option<BuildId> {
    let number = |memory: &mut Memory, at| memory.bytes(at as u64).map(u32::from_ne_bytes);
    while at.checked_add(12)? <= end {
        let name_len = number(memory, at)? as usize;
        let len = number(memory, at + 4)? as usize;
        let kind = number(memory, at + 8)?;
        let name = at + 12;
        let content = name.checked_add(name_len.checked_next_multiple_of(4)?)?;
        if kind == NT_GNU_BUILD_ID && name_len == 4 && memory.bytes(name as u64)? == *b"GNU\0" {
            let mut build_id = BuildId { len: len.min(BuildId::LEN), ..BuildId::NONE };
            memory.fill(build_id.bytes.get_mut(..build_id.len)?, content)?;
            return Some(build_id);
        }
        at = content.checked_add(len.checked_next_multiple_of(4)?)?;
    }
    None
}
