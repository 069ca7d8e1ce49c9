//! The functions of all code, those inlined into others too.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use gmon_format::FilePc;

use super::Dialect;
use super::chosen::ChosenUnits;
use super::entries::{Function, FunctionId, FunctionReader};
use super::intervals::{self, Interval};
use super::names::{LocalId, Name};
use super::strings::StringList;
use crate::image::debug::{Dwarf, SplitUnits};

/// Answers which function the code at an address was written in, and what it was inlined into.
#[derive(Debug, Default)]
pub struct FunctionTable {
    functions: Vec<Function>,
    intervals: Vec<Interval<FunctionId>>,
    names: StringList,
    paths: StringList,
    /// Starts of the code that functions of other names elsewhere have of their own, as far as they are inlined somewhere, too.
    bodies: Vec<(LocalId, FilePc)>,
}

/// A function that the code at an address is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The function, if debug information names it.
    pub function: Option<FunctionName<'a>>,
    /// The place in the next frame where it was inlined; none for the function that was not.
    pub call: Option<Call<'a>>,
    /// Bytes of this copy of its code, with what was inlined into it.
    pub size: u64,
}

/// A function as debug information names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionName<'a> {
    /// The name.
    pub name: &'a [u8],
    /// Qualifier of a name in the source, as `ns::Class::`; empty for one that the linker knows.
    pub qualifier: &'a [u8],
    /// True if it is the name that the linker knows, and not only that in the source.
    pub is_linkage: bool,
    /// Number of the function, unless all files know it by its name.
    pub local: Option<LocalId>,
    /// True if other files may know it by its name.
    pub is_public: bool,
    /// The line on which it is defined; 0 if it is not known.
    pub line: u32,
}

impl<'a> FunctionName<'a> {
    /// The name with the namespaces, classes and functions that it stands in.
    pub fn qualified(&self) -> Cow<'a, [u8]> {
        match self.qualifier {
            b"" => self.name.into(),
            qualifier => [qualifier, self.name].concat().into(),
        }
    }
}

/// The call that inlining replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// Path of the source file as the compiler recorded it.
    pub file: &'a [u8],
    /// Line number; 0 if it is not known.
    pub line: u32,
    /// The compiler's number for the call among others on the line; 0 for the first.
    pub discriminator: u32,
}

/// A place where a function was inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inlining<'a> {
    /// The function that it became a part of, as debug information names it; empty if it does not.
    pub function: &'a [u8],
    /// Path of the source file of the call; empty if it is not known.
    pub file: &'a [u8],
    /// Line of the call; 0 if it is not known.
    pub line: u32,
}

impl FunctionTable {
    /// Reads the functions of chosen units that have code in `code`.
    pub(in crate::image) fn new(
        dwarf: &Dwarf<'_>,
        split_units: &SplitUnits<'_>,
        chosen: ChosenUnits<'_>,
        code: &[Range<FilePc>],
        dialect: Dialect,
    ) -> Self {
        let FunctionReader { functions, mut ranges, names, paths } =
            FunctionReader::read(dwarf, split_units, chosen, dialect);
        // A function that the linker dropped keeps an address that is no code.
        ranges.retain(|(range, _)| code.iter().any(|code| code.contains(&range.start)));
        let bodies = bodies(&functions, &ranges);
        Self {
            bodies,
            functions,
            intervals: intervals::smallest(ranges),
            names: names.strings.into_list(),
            paths: paths.into_list(),
        }
    }

    /// The functions that the code at `address` is part of, the innermost first.
    pub fn frames(&self, address: FilePc) -> impl Iterator<Item = Frame<'_>> {
        let after = self.intervals.partition_point(|interval| interval.start <= address);
        let innermost = self.intervals[..after].last().and_then(|interval| interval.owner);
        let outer = |id: &FunctionId| self.functions[id.index()].inlined_into;
        std::iter::successors(innermost, outer).map(|id| Frame {
            function: self.name(id),
            call: self.functions[id.index()].call.map(|(file, line)| Call {
                file: self.paths.get(file),
                line,
                discriminator: self.functions[id.index()].call_discriminator,
            }),
            size: self.functions[id.index()].size,
        })
    }

    /// Inlinings of the function that the code at `address` was written in: where it was inlined, and
    /// where the function around that was, and so on; nothing for one that was not.
    pub fn inlinings(&self, address: FilePc) -> impl Iterator<Item = Inlining<'_>> {
        let outer = self.frames(address).skip(1);
        self.frames(address).zip(outer).map(|(frame, outer)| Inlining {
            function: outer.function.map_or(b"", |function| function.name),
            file: frame.call.map_or(b"", |call| call.file),
            line: frame.call.map_or(0, |call| call.line),
        })
    }

    /// Starts of the code that a function which is inlined somewhere has of its own: several if it is split, or was
    /// compiled with several files.
    pub(crate) fn bodies(&self, local: LocalId) -> impl Iterator<Item = FilePc> + '_ {
        let first = self.bodies.partition_point(|(id, _)| *id < local);
        let own = self.bodies[first..].iter().take_while(move |(id, _)| *id == local);
        own.map(|(_, start)| *start)
    }

    /// Addresses in a range at which the code goes over from one function to another.
    pub(crate) fn borders(&self, range: &Range<FilePc>) -> impl Iterator<Item = FilePc> + '_ {
        self.intervals_in(range).iter().map(|interval| interval.start)
    }

    /// The names of all, also of those that were only inlined.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.functions.iter().filter_map(|function| Some(self.names.get(function.name?.string)))
    }

    /// The name of a function.
    pub(super) fn name(&self, id: FunctionId) -> Option<FunctionName<'_>> {
        let name = self.functions[id.index()].name?;
        let Name { is_linkage, local, is_public, line, .. } = name;
        let qualifier = name.qualifier.map_or(&b""[..], |it| self.names.get(it));
        let name = self.names.get(name.string);
        Some(FunctionName { name, qualifier, is_linkage, local, is_public, line })
    }

    /// Whose code is where in a range; the first interval may start before it.
    pub(super) fn intervals_in(&self, range: &Range<FilePc>) -> &[Interval<FunctionId>] {
        intervals::within(&self.intervals, range, |interval| interval.start)
    }
}

/// The code of functions that are inlined elsewhere, sorted.
fn bodies(
    functions: &[Function],
    ranges: &[(Range<FilePc>, FunctionId)],
) -> Vec<(LocalId, FilePc)> {
    let is_inlined = |it: &Function| it.inlined_into.is_some() || it.call.is_some();
    let inlined: HashSet<LocalId> =
        functions.iter().filter(|it| is_inlined(it)).filter_map(|it| it.name?.local).collect();
    let body = |(range, id): &(Range<FilePc>, FunctionId)| {
        let function = Some(&functions[id.index()]).filter(|it| !is_inlined(it))?;
        let local = function.name?.local.filter(|local| inlined.contains(local))?;
        Some((local, range.start))
    };
    let mut bodies: Vec<_> = ranges.iter().filter_map(body).collect();
    bodies.sort_unstable();
    bodies
}
