//! Executions of code, by where compilers look for it: a function, the code that was inlined into it, and lines counted
//! from the function's own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::totals::add;

/// A place in a function's source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// Lines behind the one on which the function is defined. Code of a macro may lie before it: then it wraps at 16 bits.
    /// Of a pseudo probe, its index.
    pub(super) offset: u16,
    /// The compiler's number for a part of the line; 0 for the first.
    pub(super) discriminator: u32,
}

/// Calls of functions, by their names.
pub(super) type Targets = BTreeMap<Vec<u8>, u64>;

/// Code of one spot.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    /// Executions: the most that is known of any of its code.
    pub(super) executions: u64,
    /// Calls that it made.
    pub(super) targets: Targets,
}

/// A function, or what was inlined of it at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// Number of calls; known of functions with code of their own.
    pub(super) head: u64,
    /// Hash of its blocks, if its spots are pseudo probes.
    pub(super) checksum: Option<u64>,
    pub(super) bodies: BTreeMap<Spot, Body>,
    /// Code inlined into it, by spot and name.
    pub(super) inlined: BTreeMap<(Spot, Vec<u8>), Instance>,
}

/// Functions that have code of their own, by name.
pub(super) type Functions = BTreeMap<Vec<u8>, Instance>;

/// The way from a function to code in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    /// The function.
    pub(super) function: Vec<u8>,
    /// Inlined code on the way, the outermost first.
    pub(super) inlined: Vec<(Spot, Vec<u8>)>,
    /// The spot in the innermost.
    pub(super) spot: Spot,
}

impl Instance {
    /// Executions of all its spots, and of those inlined into it.
    pub(super) fn total(&self) -> u64 {
        let own = self.bodies.values().map(|body| body.executions);
        let inlined = self.inlined.values().map(Self::total);
        own.chain(inlined).fold(0, u64::saturating_add)
    }

    /// Adds what another run says. Of two that differ in their blocks, the one with more executions stays alone.
    pub(super) fn add(&mut self, other: Self) {
        let checksum = self.checksum.or(other.checksum);
        if checksum != other.checksum {
            if self.total() < other.total() {
                *self = other;
            }
            return;
        }
        self.checksum = checksum;
        self.head = self.head.saturating_add(other.head);
        for (spot, body) in other.bodies {
            self.bodies.entry(spot).or_default().add(body);
        }
        for (place, inlined) in other.inlined {
            self.inlined.entry(place).or_default().add(inlined);
        }
    }

    /// Adds the names of it and of what was inlined.
    pub(super) fn names<'i>(&'i self, name: &'i [u8], names: &mut BTreeSet<&'i [u8]>) {
        names.insert(name);
        self.inlined.iter().for_each(|((_, name), inlined)| inlined.names(name, names));
    }

    /// Gives it, and what is inlined, the checksums of functions of these names.
    pub(super) fn set_checksums(&mut self, name: &[u8], checksums: &HashMap<&[u8], u64>) {
        self.checksum = checksums.get(name).copied();
        for ((_, name), inlined) in &mut self.inlined {
            inlined.set_checksums(name, checksums);
        }
    }

    /// Returns `true` if there is nothing to tell of it.
    pub(super) fn is_empty(&self) -> bool {
        self.head == 0 && self.total() == 0
    }
}

impl Body {
    /// Adds what another run says.
    pub(super) fn add(&mut self, other: Self) {
        self.executions = self.executions.saturating_add(other.executions);
        for (target, calls) in other.targets {
            add(self.targets.entry(target).or_default(), calls);
        }
    }
}

/// The body that a path leads to.
pub(super) fn body<'f>(functions: &'f mut Functions, path: &Path) -> &'f mut Body {
    let mut instance = functions.entry(path.function.clone()).or_default();
    for place in &path.inlined {
        instance = instance.inlined.entry(place.clone()).or_default();
    }
    instance.bodies.entry(path.spot).or_default()
}

/// The instance that a path leads to, if it is known.
pub(super) fn known<'f>(functions: &'f mut Functions, path: &Path) -> Option<&'f mut Instance> {
    let function = functions.get_mut(&path.function)?;
    path.inlined.iter().try_fold(function, |instance, place| instance.inlined.get_mut(place))
}
