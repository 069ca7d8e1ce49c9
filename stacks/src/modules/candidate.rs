//! A file that is mapped, and may be a module.
//!
//! *Context:* any.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use gmon_format::mapping::Mapping;
use gmon_system::atomic::AtomicU64;
use gmon_system::{loader, valgrind};

use super::super::clock::now;
use super::super::elf::{Image, bias_of_copy};
use super::super::python;
use super::index::index;
use super::record::{HAS_GIVEN_UP, MODULES, Module, modules, take};

/// A file that may be a module: it is one if some of it is code.
pub(super) struct Candidate {
    image: Image,
    inode: u64,
    offset: u64,
    has_code: bool,
    path: [u8; Module::PATH],
    path_len: usize,
}

impl Candidate {
    pub(super) fn new(mapping: &Mapping<'_>) -> Option<Self> {
        // What no file is behind, such as the pages of events, has no code.
        let is_file = !mapping.path.is_empty() && !mapping.path.starts_with(b"anon_inode:");
        if !is_file || !mapping.is_readable || valgrind::is_its_own(mapping.path) {
            return None;
        }
        let image = match mapping.offset {
            0 => Image::at(mapping.here().start),
            _ => copy(mapping),
        }?;
        let mut path = [0; Module::PATH];
        path.iter_mut().zip(mapping.path).for_each(|(place, byte)| *place = *byte);
        let &Mapping { inode, offset, is_code: has_code, .. } = mapping;
        let path_len = mapping.path.len().min(Module::PATH);
        Some(Self { image, inode, offset, has_code, path, path_len })
    }

    /// Returns `true` if a mapping is another part of it.
    pub(super) fn takes(&mut self, mapping: &Mapping<'_>) -> bool {
        let is_inside = (self.image.start..self.image.end).contains(&mapping.here().start);
        if is_inside && mapping.inode == self.inode {
            self.has_code |= mapping.is_code;
        }
        // Between the parts there may be others, as memory that begins as zeros.
        is_inside && (mapping.inode == self.inode || mapping.inode == 0)
    }

    fn path(&self) -> &[u8] {
        self.path.get(..self.path_len).unwrap_or_default()
    }

    /// Notes the module; whether it is a new one.
    pub(super) fn note(&self, look: usize) -> bool {
        let image = &self.image;
        if !self.has_code || image.start >= image.end {
            return false;
        }
        let overlaps = |module: &&Module| module.start < image.end && image.start < module.end;
        let may_overlap = HAS_GIVEN_UP.load(Ordering::Relaxed) || index().any(|it| overlaps(&it));
        let all = may_overlap.then(modules);
        let generation = all.into_iter().flatten().filter(overlaps).count() as u32;
        let size = size_of::<Module>() + self.path_len;
        let Some(memory) = take(size) else { return false };
        let Some((record, path)) = memory.split_at_mut_checked(size_of::<Module>()) else {
            return false;
        };
        let path = path.get_mut(..self.path_len).unwrap_or_default();
        path.iter_mut().zip(self.path()).for_each(|(place, byte)| *place = *byte);
        let record = record.as_mut_ptr().cast::<Module>();
        let module = Module {
            start: image.start,
            end: image.end,
            bias: image.bias,
            eh_frame_hdr: image.eh_frame_hdr,
            tables: image.tables,
            build_id: image.build_id,
            inode: self.inode,
            offset: self.offset,
            path,
            generation,
            // The clock may not have ticked yet.
            loaded: if loader::had_at_start(image.bias) { 0 } else { now().max(1) },
            unloaded: AtomicU64::new(0),
            is_told: AtomicBool::new(false),
            seen: AtomicUsize::new(look),
            next: AtomicPtr::new(MODULES.load(Ordering::Relaxed)),
        };
        if self.offset == 0 {
            python::meet(path, image.start..image.end, image.bias);
        }
        // SAFETY: the memory is the record's alone, as large as it is, and aligned to 64.
        unsafe { record.write(module) };
        // Only the one who looks adds modules.
        MODULES.store(record, Ordering::Release);
        true
    }
}

/// Code of a known module that somebody has mapped once more: V8 has its builtins near the code that it makes. It has no rules,
/// since these are for where the loader has mapped it.
fn copy(mapping: &Mapping<'_>) -> Option<Image> {
    let is_original = |module: &&Module| {
        let is_there = module.unloaded.load(Ordering::Relaxed) == 0;
        is_there && module.has_file_of(mapping) && module.offset == 0
    };
    let original = modules().find(is_original).filter(|_| mapping.is_code)?;
    if original.has_part(mapping) {
        return None;
    }
    let offset = usize::try_from(mapping.offset).ok()?;
    let Range { start, end } = mapping.here();
    Some(Image {
        start,
        end,
        bias: bias_of_copy(original.start, offset, start)?,
        eh_frame_hdr: 0,
        tables: None,
        build_id: original.build_id,
    })
}
