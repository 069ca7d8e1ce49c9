//! Reading the formats of BSD and 4.4BSD.

use super::{Cursor, CutShort};
use crate::{Arc, Bins, BsdHeader, Encoding, Error, ErrorKind, FilePc, bsd, header};

/// A data file of BSD or 4.4BSD.
#[derive(Clone, Debug)]
pub struct BsdFile<'a> {
    header: BsdHeader,
    bins: Bins<'a>,
    error: Option<Error>,
    arcs: Cursor<'a>,
}

impl<'a> BsdFile<'a> {
    /// Reads the header of `bytes`, a whole file written by a program of the given `encoding`. The
    /// version in the header tells whether it is that of 4.4BSD.
    ///
    /// # Errors
    /// [`ErrorKind::TooShort`] or [`ErrorKind::BadBsdHeader`].
    pub fn new(bytes: &'a [u8], encoding: Encoding) -> Result<Self, Error> {
        Self::read(bytes, encoding, |_| true)
    }

    /// Like [`new`](Self::new), but fails with [`ErrorKind::BadMagic`] if the header, which may make
    /// no sense yet, is not `wanted`.
    pub(super) fn read(
        bytes: &'a [u8],
        encoding: Encoding,
        wanted: impl Fn(&BsdHeader) -> bool,
    ) -> Result<Self, Error> {
        let too_short = Error { kind: ErrorKind::TooShort, offset: bytes.len() };
        let (size, header) = read_header(bytes, encoding).ok_or(too_short)?;
        if !wanted(&header) {
            return Err(Error { kind: ErrorKind::BadMagic, offset: 0 });
        }
        let len = header.len(encoding.word);
        let bins_size = usize::try_from(size).unwrap_or(usize::MAX).checked_sub(len);
        let Some(bins_size) = bins_size.filter(|_| header.low_pc <= header.high_pc) else {
            return Err(Error { kind: ErrorKind::BadBsdHeader, offset: 0 });
        };
        // Half of what has 32 bits.
        let header = BsdHeader { bins: (bins_size / 2) as u32, ..header };
        let mut cursor = Cursor::new(bytes, encoding);
        cursor.skip(len);
        let (bins, cut) = Bins::take(&mut cursor, header.bins);
        let error = cut.map(|CutShort(read)| Error {
            kind: ErrorKind::BsdBinsCutShort { read, announced: header.bins },
            offset: len,
        });
        Ok(Self { header, bins, error, arcs: cursor })
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &BsdHeader {
        &self.header
    }

    /// The bins of the histogram.
    ///
    /// # Errors
    /// [`ErrorKind::BsdBinsCutShort`] if they are not all there.
    pub fn bins(&self) -> Result<Bins<'a>, Error> {
        self.error.map_or(Ok(self.bins), Err)
    }

    /// Iterates over the arcs in file order. One that the end of the file cuts short is ignored.
    pub fn arcs(&self) -> impl Iterator<Item = Arc> + use<'a> {
        let mut cursor = self.arcs.clone();
        core::iter::from_fn(move || Some(Arc::new(cursor.word()?, cursor.word()?, cursor.word()?)))
    }

    /// Returns `true` if the file ends with a whole arc, or with the bins.
    pub(super) fn ends_whole(&self) -> bool {
        self.arcs.rest().len() % bsd::arc_len(self.arcs.encoding()) == 0
    }
}

/// Reads the size that the header states and the rest of it, but for the number of bins.
fn read_header(bytes: &[u8], encoding: Encoding) -> Option<(u32, BsdHeader)> {
    // Every reader looks for the GNU header first, so anything shorter is not a data file.
    bytes.get(..header::LEN)?;
    let mut cursor = Cursor::new(bytes, encoding);
    let (low_pc, high_pc) = (FilePc(cursor.word()?), FilePc(cursor.word()?));
    let size = cursor.u32()?;
    // A file of the old format that ends here would have neither bins nor arcs.
    let is_new = cursor.u32()? == BsdHeader::VERSION;
    let rate = if is_new { Some(cursor.u32()?) } else { None };
    Some((size, BsdHeader { low_pc, high_pc, bins: 0, rate }))
}
