//! A library as the command carries it: compressed, or each port would make the command a megabyte larger.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};

use flate2::read::DeflateDecoder;

/// A compressed library, as the build of the executable makes it.
#[derive(Debug)]
pub struct Packed {
    /// Its size in bytes before it was compressed.
    pub size: usize,
    /// Its hash before it was compressed. The build script computes it with the standard library of the same
    /// compiler, so the algorithm is the same.
    pub hash: u64,
    /// The compressed library.
    pub deflated: &'static [u8],
}

/// The content of a carried file.
pub(crate) enum Content {
    /// The bytes themselves.
    Plain(Cow<'static, [u8]>),
    /// A compressed library.
    Packed(&'static Packed),
}

impl Content {
    /// Size in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Packed(packed) => packed.size,
        }
    }

    /// Tells whether a file contains this. Comparing hashes takes a tenth of the time to decompress a library.
    pub(crate) fn is(&self, found: &[u8]) -> bool {
        match self {
            Self::Plain(bytes) => **bytes == *found,
            Self::Packed(packed) => {
                let mut hasher = DefaultHasher::new();
                hasher.write(found);
                packed.size == found.len() && packed.hash == hasher.finish()
            }
        }
    }

    /// The bytes to write.
    ///
    /// # Errors
    /// If a library cannot be decompressed: the command's own file is damaged.
    pub(crate) fn bytes(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Plain(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Packed(packed) => {
                let mut bytes = Vec::with_capacity(packed.size);
                DeflateDecoder::new(packed.deflated).read_to_end(&mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}
