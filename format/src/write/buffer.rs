//! Gathers the bytes of a file, so that its sink is called once for many of them.

use crate::{Encoding, WordSize};

/// Receiver of the bytes of a file.
pub trait Sink {
    /// Errors of the receiver.
    type Error;

    /// Takes all of `bytes`.
    ///
    /// # Errors
    /// Whatever keeps the sink from taking them; the file is then incomplete.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Takes `count` zeros without being given them, as a file does that may have holes; false if it
    /// cannot. Bytes that are given always follow.
    ///
    /// # Errors
    /// As for [`write`](Self::write).
    fn skip(&mut self, count: u64) -> Result<bool, Self::Error> {
        _ = count;
        Ok(false)
    }
}

/// A sink with a buffer before it.
#[derive(Debug)]
pub(crate) struct Buffer<'b, S> {
    sink: S,
    encoding: Encoding,
    buffer: &'b mut [u8],
    used: usize,
}

impl<'b, S: Sink> Buffer<'b, S> {
    /// # Panics
    /// If `buffer` is empty.
    pub(crate) fn new(sink: S, encoding: Encoding, buffer: &'b mut [u8]) -> Self {
        assert!(!buffer.is_empty(), "a writer needs a buffer");
        Self { sink, encoding, buffer, used: 0 }
    }

    /// Hands the last bytes to the sink and returns it.
    pub(crate) fn finish(mut self) -> Result<S, S::Error> {
        self.flush()?;
        Ok(self.sink)
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    #[inline(never)]
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), S::Error> {
        self.extend(bytes.len() as u64, bytes.iter().copied())
    }

    #[inline(never)]
    pub(crate) fn zeros(&mut self, mut count: u64) -> Result<(), S::Error> {
        if count > self.buffer.len() as u64 {
            self.flush()?;
            // The last one is given: a file does not end with a hole.
            if self.sink.skip(count - 1)? {
                count = 1;
            }
        }
        self.extend(count, core::iter::repeat(0))
    }

    pub(super) fn u16(&mut self, value: u16) -> Result<(), S::Error> {
        self.put(&self.encoding.u16_bytes(value))
    }

    pub(crate) fn u32(&mut self, value: u32) -> Result<(), S::Error> {
        self.put(&self.encoding.u32_bytes(value))
    }

    /// Writes a number of the size of an address, or the largest of that size.
    pub(super) fn word(&mut self, value: u64) -> Result<(), S::Error> {
        match self.encoding.word {
            WordSize::Four => self.u32(u32::try_from(value).unwrap_or(u32::MAX)),
            WordSize::Eight => self.put(&self.encoding.u64_bytes(value)),
        }
    }

    fn flush(&mut self) -> Result<(), S::Error> {
        let used = core::mem::take(&mut self.used);
        self.sink.write(self.buffer.get(..used).unwrap_or_default())
    }

    /// Writes the first `count` of `bytes`.
    fn extend(
        &mut self,
        mut count: u64,
        mut bytes: impl Iterator<Item = u8>,
    ) -> Result<(), S::Error> {
        while count > 0 {
            if self.used >= self.buffer.len() {
                self.flush()?;
            }
            // The runtime writes with this where it must not panic: no index, no unwrap.
            let free = self.buffer.get_mut(self.used..).unwrap_or_default();
            let now = usize::try_from(count).unwrap_or(usize::MAX).min(free.len());
            for (place, byte) in free.iter_mut().take(now).zip(&mut bytes) {
                *place = byte;
            }
            self.used += now;
            count -= now as u64;
        }
        Ok(())
    }
}

/// Hands out a count of any width in parts of at most `most`; a count of zero is one part.
pub(super) fn parts(count: u64, most: u64) -> impl Iterator<Item = u64> + Clone {
    let mut rest = Some(count);
    core::iter::from_fn(move || {
        let part = rest?.min(most);
        rest = rest?.checked_sub(part).filter(|&rest| rest != 0);
        Some(part)
    })
}
