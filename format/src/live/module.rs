//! The program, the libraries and the plugins that lay in the process.

use super::{field, put};
use crate::{Encoding, FilePc, LoadedPc};

/// A file that was loaded: an entry of a block of modules, whose strings follow the entries.
///
/// The ranges of two modules overlap only if one was unloaded before the other was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module<'a> {
    /// The lowest address.
    pub start: LoadedPc,
    /// The address behind the highest.
    pub end: LoadedPc,
    /// Difference between an address and the file's.
    pub bias: u64,
    /// Address of the table of unwind rules; 0 if there is none.
    pub eh_frame_hdr: LoadedPc,
    /// When it was loaded, in nanoseconds since the profile began.
    pub loaded_ns: u64,
    /// When it was unloaded, in nanoseconds since the profile began; 0 if it was not.
    pub unloaded_ns: u64,
    /// Number of modules that lay at these addresses before it.
    pub generation: u32,
    /// The build id, as far as there is room for it; empty if the module has none.
    pub build_id: &'a [u8],
    /// The path of the file, as the loader knows it.
    pub path: &'a [u8],
}

/// Offsets of the fields. Numbers without a size have 64 bits.
const START_AT: usize = 0;
const END_AT: usize = 8;
const BIAS_AT: usize = 16;
const EH_FRAME_HDR_AT: usize = 24;
const LOADED_AT: usize = 32;
const UNLOADED_AT: usize = 40;
const GENERATION_AT: usize = 48; // 32 bits
const BUILD_ID_LEN_AT: usize = 52; // 8 bits
const BUILD_ID_AT: usize = 53; // 20 bytes
const PATH_AT_AT: usize = 76; // 32 bits
const PATH_LEN_AT: usize = 80; // 32 bits

/// Size in bytes of an entry.
const MODULE_LEN: usize = 96;

impl<'a> Module<'a> {
    /// Size in bytes of an entry.
    pub const LEN: usize = MODULE_LEN;

    /// Bytes of a build id that are kept.
    pub const BUILD_ID_LEN: usize = 20;

    /// Returns `true` if an address lay in the module.
    #[must_use]
    pub fn contains(&self, pc: LoadedPc) -> bool {
        (self.start..self.end).contains(&pc)
    }

    /// An address of the process in those of the module's file.
    #[must_use]
    pub fn file_pc(&self, pc: LoadedPc) -> FilePc {
        pc.in_file(self.bias)
    }

    /// The entry's bytes. `path_at` says where the path lies, in bytes from the start of the block.
    #[must_use]
    pub fn encode(&self, encoding: Encoding, path_at: u32) -> [u8; MODULE_LEN] {
        let numbers = [
            (START_AT, self.start.0),
            (END_AT, self.end.0),
            (BIAS_AT, self.bias),
            (EH_FRAME_HDR_AT, self.eh_frame_hdr.0),
            (LOADED_AT, self.loaded_ns),
            (UNLOADED_AT, self.unloaded_ns),
        ];
        let path_len = u32::try_from(self.path.len()).unwrap_or(0);
        let small_numbers =
            [(GENERATION_AT, self.generation), (PATH_AT_AT, path_at), (PATH_LEN_AT, path_len)];
        let build_id = self.build_id.get(..Self::BUILD_ID_LEN).unwrap_or(self.build_id);

        let mut bytes = [0; MODULE_LEN];
        for (offset, number) in numbers {
            put(&mut bytes, offset, &encoding.u64_bytes(number));
        }
        for (offset, number) in small_numbers {
            put(&mut bytes, offset, &encoding.u32_bytes(number));
        }
        put(&mut bytes, BUILD_ID_LEN_AT, &[build_id.len() as u8]);
        put(&mut bytes, BUILD_ID_AT, build_id);
        bytes
    }

    /// The module of an entry in the bytes of a block; `None` if the entry is free. Strings that are
    /// not in the block are empty.
    pub(super) fn decode(entry: &'a [u8], block: &'a [u8], encoding: Encoding) -> Option<Self> {
        let number = |offset| encoding.u64(field(entry, offset));
        let small_number = |offset| encoding.u32(field(entry, offset));
        let [build_id_len] = field(entry, BUILD_ID_LEN_AT);
        let build_id_len = usize::from(build_id_len).min(Self::BUILD_ID_LEN);
        let string = |bytes: &'a [u8], at: usize, len: usize| {
            bytes.get(at..).and_then(|rest| rest.get(..len)).unwrap_or_default()
        };
        let path_at = usize::try_from(small_number(PATH_AT_AT)).ok()?;
        let path_len = usize::try_from(small_number(PATH_LEN_AT)).ok()?;
        let start = LoadedPc(number(START_AT));
        (start != LoadedPc(0)).then(|| Self {
            start,
            end: LoadedPc(number(END_AT)),
            bias: number(BIAS_AT),
            eh_frame_hdr: LoadedPc(number(EH_FRAME_HDR_AT)),
            loaded_ns: number(LOADED_AT),
            unloaded_ns: number(UNLOADED_AT),
            generation: small_number(GENERATION_AT),
            build_id: string(entry, BUILD_ID_AT, build_id_len),
            path: string(block, path_at, path_len),
        })
    }
}
