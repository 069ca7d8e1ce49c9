//! A module by its headers, as the loader has mapped them.
//!
//! *Context:* any.

use gmon_interpose::elf::{Headers, bias_of, find_note, notes_of, segment_of};
use gmon_system::memory::Memory;
use gmon_unwind::{Bytes, Kind, Native, Processor, Tables};

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

/// The segment that finds unwind rules: `PT_GNU_EH_FRAME`, or `PT_ARM_EXIDX`.
const PT_RULES: u32 = match Native::RULES {
    Kind::ArmExidx => 0x7000_0001,
    Kind::EhFrame => 0x6474_e550,
};
/// The note with the build id.
const BUILD_ID: (&[u8; 4], u32) = (b"GNU\0", 3);

impl Image {
    /// The image whose file's first bytes are mapped at an address.
    #[inline(never)]
    pub(super) fn at(address: usize) -> Option<Self> {
        let mut memory = Memory::shared();
        let headers = Headers::at(address, |place, at| memory.fill(place, at))?;
        let bias = bias_of(&headers, 0, address)?;
        let (mut low, mut high) = (usize::MAX, 0);
        for segment in headers.iter().filter(|segment| segment.p_type == libc::PT_LOAD) {
            let start = segment.p_vaddr as usize;
            low = low.min(start);
            high = high.max(start.checked_add(segment.p_memsz as usize)?);
        }
        let rules = headers.iter().rev().find(|segment| segment.p_type == PT_RULES);
        let header = rules.map_or(0, |rules| bias.wrapping_add(rules.p_vaddr as usize));
        // SAFETY: the loader has mapped the segment. Modules stay mapped as long as they are used here, which `dlclose`
        // sees to, and rules are never written.
        let segment = unsafe { segment_of(&headers, bias, header) };
        let tables = rules.zip(segment).map(|(rules, (start, segment))| Tables {
            segment: Bytes::of(start as _, segment),
            header: header as _,
            header_len: rules.p_filesz as usize,
        });
        Some(Self {
            start: bias.wrapping_add(low),
            end: bias.wrapping_add(high),
            bias,
            eh_frame_hdr: header,
            tables,
            build_id: build_id(&mut memory, &headers, bias).unwrap_or(BuildId::NONE),
        })
    }
}

/// The bias of a copy of some of a file's code: where the file's first bytes are, and which of them the copy begins with.
#[inline(never)]
pub(super) fn bias_of_copy(first: usize, offset: usize, address: usize) -> Option<usize> {
    let mut memory = Memory::shared();
    let headers = Headers::at(first, |place, at| memory.fill(place, at))?;
    bias_of(&headers, offset, address)
}

/// The build id among the notes.
#[inline(never)]
fn build_id(memory: &mut Memory, headers: &Headers, bias: usize) -> Option<BuildId> {
    let contents = notes_of(headers).find_map(|(notes, alignment)| {
        let notes = bias.wrapping_add(notes.start)..bias.wrapping_add(notes.end);
        find_note(notes, alignment, BUILD_ID, |place, at| memory.fill(place, at))
    })?;
    let mut build_id = BuildId { len: contents.len().min(BuildId::LEN), ..BuildId::NONE };
    memory.fill(build_id.bytes.get_mut(..build_id.len)?, contents.start)?;
    Some(build_id)
}
