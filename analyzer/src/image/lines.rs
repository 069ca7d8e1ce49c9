//! Source lines from DWARF 2 to 5, decoded only when somebody asks.

use std::cell::OnceCell;
use std::fmt;
use std::io::Read as _;
use std::ops::Range;

use gmon_format::ByteOrder;
use object::{Object, ObjectSection};

type Bytes<'image> = gimli::EndianSlice<'image, gimli::RunTimeEndian>;

/// A place in the program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Path of the source file as the compiler recorded it.
    pub file: String,
    /// Line number, from 1.
    pub line: u32,
}

/// Answers which source line made the code at an address.
pub struct Lines<'image> {
    sections: &'image DebugSections,
    bytes: &'image [u8],
    endian: gimli::RunTimeEndian,
    context: OnceCell<Option<addr2line::Context<Bytes<'image>>>>,
}

/// Where the image keeps its DWARF sections.
#[derive(Debug)]
pub(super) struct DebugSections(gimli::DwarfSections<Section>);

/// A section as it lies in the file, or unpacked if it is stored compressed.
#[derive(Debug)]
enum Section {
    Stored(Range<usize>),
    Unpacked(Vec<u8>),
}

impl Default for Section {
    fn default() -> Self {
        Self::Stored(0..0)
    }
}

impl DebugSections {
    /// Finds the sections of `bytes`; a section that is missing or damaged counts as empty, since
    /// line information only adds to a report.
    pub(super) fn find(bytes: &[u8]) -> Self {
        let file = object::File::parse(bytes).ok();
        let section = |id: gimli::SectionId| {
            file.as_ref()
                .and_then(|file| section_of(file, id.name()))
                .and_then(|section| Section::read(&section, bytes.len()))
                .unwrap_or_default()
        };
        let load = |id| Ok::<_, std::convert::Infallible>(section(id));
        let Ok(sections) = gimli::DwarfSections::load(load);
        Self(sections)
    }
}

impl Section {
    fn read<'data>(section: &impl ObjectSection<'data>, file_len: usize) -> Option<Self> {
        let range = section.compressed_file_range().ok()?;
        if range.format == object::CompressionFormat::None {
            let start = usize::try_from(range.offset).ok()?;
            let end = start.checked_add(usize::try_from(range.uncompressed_size).ok()?)?;
            return (end <= file_len).then_some(Self::Stored(start..end));
        }
        unpack(section.compressed_data().ok()?).map(Self::Unpacked)
    }

    fn bytes<'a>(&'a self, image: &'a [u8]) -> &'a [u8] {
        match self {
            Self::Stored(range) => image.get(range.clone()).unwrap_or_default(),
            Self::Unpacked(bytes) => bytes,
        }
    }
}

/// The section of a name, or of the name that the GNU tools once gave it when they compressed it.
fn section_of<'data, 'file>(
    file: &'file object::File<'data>,
    name: &str,
) -> Option<object::Section<'data, 'file>> {
    file.section_by_name(name).or_else(|| {
        let rest = name.strip_prefix(".debug_")?;
        file.section_by_name(&format!(".zdebug_{rest}"))
    })
}

/// The contents of a compressed section. The size that its header announces is only believed as far
/// as the data goes.
fn unpack(section: object::CompressedData<'_>) -> Option<Vec<u8>> {
    let mut contents = Vec::new();
    let read = match section.format {
        object::CompressionFormat::Zlib => {
            flate2::read::ZlibDecoder::new(section.data).read_to_end(&mut contents)
        }
        object::CompressionFormat::Zstandard => {
            let mut decoder = ruzstd::decoding::StreamingDecoder::new(section.data).ok()?;
            decoder.read_to_end(&mut contents)
        }
        _ => return None,
    };
    (read.ok()? as u64 == section.uncompressed_size).then_some(contents)
}

impl<'image> Lines<'image> {
    pub(super) fn new(
        sections: &'image DebugSections,
        bytes: &'image [u8],
        order: ByteOrder,
    ) -> Self {
        let endian = match order {
            ByteOrder::Little => gimli::RunTimeEndian::Little,
            ByteOrder::Big => gimli::RunTimeEndian::Big,
        };
        Self { sections, bytes, endian, context: OnceCell::new() }
    }

    /// The same, but without an answer to any question.
    pub(super) fn unanswered(self) -> Self {
        Self { context: OnceCell::from(None), ..self }
    }

    /// The source line of the code at `address`, if both file and line are known.
    #[must_use]
    pub fn locate(&self, address: u64) -> Option<Location> {
        let context = self.context.get_or_init(|| self.decode()).as_ref()?;
        let location = context.find_location(address).ok().flatten()?;
        let line = location.line.filter(|&line| line != 0)?;
        Some(Location { file: location.file?.to_owned(), line })
    }

    fn decode(&self) -> Option<addr2line::Context<Bytes<'image>>> {
        let dwarf = self
            .sections
            .0
            .borrow(|section| gimli::EndianSlice::new(section.bytes(self.bytes), self.endian));
        addr2line::Context::from_dwarf(dwarf).ok()
    }
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("decoded", &self.context.get().is_some()).finish()
    }
}
