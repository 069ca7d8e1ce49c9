//! Word size and byte order of the profiled program.

use core::fmt;

/// The size of an address of the profiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordSize {
    /// 4 bytes, as in ELF class 32.
    Four,
    /// 8 bytes, as in ELF class 64.
    Eight,
}

impl WordSize {
    /// The size in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// The largest number of this size.
    #[must_use]
    pub const fn largest(self) -> u64 {
        match self {
            Self::Four => u32::MAX as u64,
            Self::Eight => u64::MAX,
        }
    }
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// Encoding of the profiled program's numbers in a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Size of an address.
    pub word: WordSize,
    /// Byte order of every number.
    pub order: ByteOrder,
}

impl Encoding {
    /// The encoding of the machine this code was compiled for.
    pub const NATIVE: Self = Self {
        word: if cfg!(target_pointer_width = "32") { WordSize::Four } else { WordSize::Eight },
        order: if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little },
    };

    /// All that there are.
    pub const ALL: [Self; 4] = [
        Self { word: WordSize::Four, order: ByteOrder::Little },
        Self { word: WordSize::Four, order: ByteOrder::Big },
        Self { word: WordSize::Eight, order: ByteOrder::Little },
        Self { word: WordSize::Eight, order: ByteOrder::Big },
    ];

    /// Decodes a 16-bit number.
    #[must_use]
    pub const fn u16(self, bytes: [u8; 2]) -> u16 {
        match self.order {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Decodes a 32-bit number.
    #[must_use]
    pub const fn u32(self, bytes: [u8; 4]) -> u32 {
        match self.order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        }
    }

    /// Decodes a 64-bit number.
    #[must_use]
    pub const fn u64(self, bytes: [u8; 8]) -> u64 {
        match self.order {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        }
    }

    /// Encodes a 16-bit number.
    #[must_use]
    pub const fn u16_bytes(self, value: u16) -> [u8; 2] {
        match self.order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }

    /// Encodes a 32-bit number.
    #[must_use]
    pub const fn u32_bytes(self, value: u32) -> [u8; 4] {
        match self.order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }

    /// Encodes a 64-bit number.
    #[must_use]
    pub const fn u64_bytes(self, value: u64) -> [u8; 8] {
        match self.order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.order {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        };
        write!(f, "{}-bit {order}-endian", 8 * self.word.bytes())
    }
}
