//! Puts the functions that a compiler split back together, and names what it made of them.
//!
//! | symbols | functions |
//! |---|---|
//! | `work`, `work.part.0`, `work.cold`, `work.isra.0` | `work`, with the time and the calls of all |
//! | `work.part.0` alone: the rest of `work` was inlined | `work (part)` |
//! | `sum`, `sum._omp_fn.0`, `sum._omp_fn.1` | `sum`, `sum (parallel 1)`, `sum (parallel 2)` |
//! | `.omp_outlined.` of `heat.c`: the compiler does not say of which function | `heat.c (parallel 1)` |
//!
//! A part belongs to the function of its own object file, else to the global one. If several functions
//! could be meant, it stays a function of its own. Link-time optimization makes one object file of many: there
//! a copy belongs to what begins at the same line.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gmon_format::FilePc;

use super::suffixes::{Origin, Outlined, OutlinedKind};
use super::table::SymbolId;

/// A symbol, and which object file it is local to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scoped<'a> {
    pub(super) name: &'a [u8],
    pub(super) address: FilePc,
    /// Number and name of the object file's source; none for a global symbol.
    pub(super) file: Option<(u32, &'a [u8])>,
}

impl Scoped<'_> {
    /// Returns `true` if the object file was made of several sources, by link-time optimization of gcc, which names none.
    fn is_of_many(&self) -> bool {
        self.file.is_some_and(|(_, name)| matches!(name, b"" | b"<artificial>"))
    }
}

/// A function's name for people, before its name is demangled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    /// The linker's name of the function in the source, or the name of the source.
    pub(crate) base: Vec<u8>,
    /// Note behind it.
    pub(crate) note: String,
    /// True if it is a region or task that OpenMP's threads run.
    pub(crate) is_parallel: bool,
}

/// Pieces of functions among the symbols.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    /// For each symbol that is a piece of another, that one.
    owners: HashMap<SymbolId, SymbolId>,
    /// For each function that was moved out of another, that one.
    parents: HashMap<SymbolId, SymbolId>,
    /// Symbols that are only a part of a function: who calls them is in the middle of a call of it.
    parts: BTreeSet<SymbolId>,
    titles: HashMap<SymbolId, Title>,
}

/// Reach of a name: a file, or everything.
type Scope = Option<u32>;

/// A function: its scope, its name with what renames it, and what was moved out of it.
type Key<'a> = (Scope, (&'a [u8], Vec<&'a [u8]>), Option<Outlined>);

impl Pieces {
    /// Finds them among the symbols of a program. `find` gives the one that has an address, and `place` where in the source
    /// one begins, which takes long.
    pub(super) fn new<P: Copy + PartialEq>(
        symbols: &[Scoped<'_>],
        find: impl Fn(FilePc) -> Option<SymbolId>,
        place: impl Fn(SymbolId) -> Option<P>,
    ) -> Self {
        let known: Vec<_> = symbols
            .iter()
            .filter_map(|symbol| Some((symbol, find(symbol.address)?, Origin::of(symbol.name))))
            .collect();
        if known.iter().all(|(_, _, origin)| origin.is_none()) {
            return Self::default();
        }
        let mut wholes: HashMap<Key<'_>, SymbolId> = HashMap::new();
        let mut split: BTreeMap<Key<'_>, Vec<(bool, SymbolId, &Scoped<'_>)>> = BTreeMap::new();
        // Names that several functions have, which only their renames tell apart.
        let mut ambiguous: BTreeSet<&[u8]> = BTreeSet::new();
        for (symbol, id, origin) in &known {
            let key = key(symbol, origin.as_ref());
            match origin {
                Some(origin) if origin.is_part || origin.is_copy => {
                    split.entry(key).or_default().push((origin.is_part, *id, symbol));
                }
                _ => {
                    if !key.1.1.is_empty() {
                        ambiguous.insert(key.1.0);
                    }
                    wholes.entry(key).or_insert(*id);
                }
            }
        }
        let mut pieces = Self::default();
        for (key, mut members) in split {
            members.sort_unstable_by_key(|&(is_part, id, _)| (is_part, id));
            let is_clear = !key.1.1.is_empty() || !ambiguous.contains(key.1.0);
            let whole = in_scope(&wholes, &key).filter(|_| is_clear);
            let copies = members.iter().filter(|(is_part, ..)| !is_part).count();
            let is_mixed = members[0].2.is_of_many() && copies + usize::from(whole.is_some()) > 1;
            let place = |id| if is_mixed { place(id) } else { None };
            // Functions met so far, with their places and the names of their copies.
            let mut met: Vec<(SymbolId, Option<P>, &[u8])> = Vec::new();
            met.extend(whole.map(|id| (id, place(id), &b""[..])));
            for (is_part, id, symbol) in members {
                let own_place = if is_part { None } else { place(id) };
                let owner = if is_part {
                    let is_of = |copy: &[u8]| !copy.is_empty() && symbol.name.starts_with(copy);
                    let one = met.first().filter(|first| met.iter().all(|it| it.1 == first.1));
                    met.iter().find(|it| is_of(it.2)).or(one)
                } else {
                    met.iter().find(|it| it.1 == own_place)
                };
                let (owner, place) = owner.map_or((id, own_place), |it| (it.0, it.1));
                met.push((owner, place, symbol.name));
                if id != owner {
                    pieces.owners.insert(id, owner);
                }
                if is_part {
                    pieces.parts.insert(id);
                }
            }
            let owner = met[0].0;
            wholes.entry(key).or_insert(owner);
        }
        pieces.name(&known, &wholes);
        pieces
    }

    /// Gives titles to the functions whose names were made from others, and finds their parents.
    fn name(
        &mut self,
        known: &[(&Scoped<'_>, SymbolId, Option<Origin<'_>>)],
        wholes: &HashMap<Key<'_>, SymbolId>,
    ) {
        let made = known.iter().filter_map(|(symbol, id, origin)| {
            let origin = origin.as_ref()?;
            Some((symbol, *id, origin, key(symbol, Some(origin))))
        });
        let made: Vec<_> = made.collect();
        // The compilers' numbers go through a whole file; ours through a function.
        let mut numbers: BTreeMap<Key<'_>, BTreeSet<u64>> = BTreeMap::new();
        for (_, _, _, key) in &made {
            if let Some(Outlined { number, .. }) = key.2 {
                numbers.entry(unnumbered(key)).or_default().insert(number);
            }
        }
        for (symbol, id, origin, key) in made {
            if self.owners.contains_key(&id) {
                continue;
            }
            let kind = key.2.map(|it| it.kind);
            let is_parallel = matches!(kind, Some(OutlinedKind::Parallel | OutlinedKind::Task));
            let mut note = String::new();
            if let Some(Outlined { kind, number }) = key.2 {
                let smaller = numbers[&unnumbered(&key)].range(..=number).count();
                note = match kind {
                    OutlinedKind::Resolver => format!(" ({})", kind.word()),
                    _ => format!(" ({} {smaller})", kind.word()),
                };
                // The system loader calls a resolver.
                let is_called = kind != OutlinedKind::Resolver && !origin.base.is_empty();
                let parent = in_scope(wholes, &(key.0, key.1.clone(), None));
                if let Some(parent) = parent.filter(|_| is_called) {
                    self.parents.insert(id, self.owner(parent));
                }
            }
            if origin.is_part {
                note.push_str(" (part)");
            }
            let base = match (origin.base, symbol.file) {
                // The compiler has not said of which function.
                (b"", Some((_, file))) => file,
                (b"", None) => continue,
                (base, _) => base,
            };
            self.titles.insert(id, Title { base: base.to_vec(), note, is_parallel });
        }
    }

    /// The function that a symbol is a piece of, or itself.
    pub(super) fn owner(&self, id: SymbolId) -> SymbolId {
        self.owners.get(&id).copied().unwrap_or(id)
    }

    /// The function that another was moved out of.
    pub(super) fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        self.parents.get(&id).copied()
    }

    /// Returns `true` if a symbol is only a part of a function.
    pub(super) fn is_part(&self, id: SymbolId) -> bool {
        self.parts.contains(&id)
    }

    /// A function's name for people, if that is not its linker's name.
    pub(super) fn title(&self, id: SymbolId) -> Option<&Title> {
        self.titles.get(&id)
    }
}

fn key<'a>(symbol: &Scoped<'a>, origin: Option<&Origin<'a>>) -> Key<'a> {
    let scope = symbol.file.map(|(number, _)| number);
    match origin {
        None => (scope, (symbol.name, Vec::new()), None),
        Some(origin) => (scope, (origin.base, origin.renames.clone()), origin.outlined),
    }
}

/// The key that all code of one kind that was moved out of a function has.
fn unnumbered<'a>(key: &Key<'a>) -> Key<'a> {
    let outlined = key.2.map(|outlined| Outlined { number: 0, ..outlined });
    (key.0, key.1.clone(), outlined)
}

/// The function of a key in its file, else the global one.
fn in_scope(wholes: &HashMap<Key<'_>, SymbolId>, key: &Key<'_>) -> Option<SymbolId> {
    let global = || (None, key.1.clone(), key.2);
    wholes.get(key).or_else(|| wholes.get(&global())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols `FILE:NAME`, or `NAME` if they are global, at the addresses 0, 1, …; behind an `@` stands the line at which they
    /// begin.
    fn told(symbols: &str) -> String {
        let mut lines: Vec<Option<&str>> = Vec::new();
        let symbols: Vec<_> = symbols
            .split_whitespace()
            .zip(0_u32..)
            .map(|(text, index)| {
                let (text, line) = text.split_once('@').map_or((text, None), |(a, b)| (a, Some(b)));
                lines.push(line);
                let (file, name) = text.split_once(':').map_or((None, text), |(file, name)| {
                    (Some((file.as_bytes()[0].into(), file.as_bytes())), name)
                });
                (
                    Scoped { name: name.as_bytes(), address: FilePc(index.into()), file },
                    SymbolId(index),
                )
            })
            .collect();
        let list: Vec<_> = symbols.iter().map(|(symbol, _)| *symbol).collect();
        let find = |address: FilePc| Some(SymbolId(address.0 as u32));
        let pieces = Pieces::new(&list, find, |id| lines[id.index()]);
        let name = |id: SymbolId| match pieces.title(id) {
            Some(title) => format!("{}{}", String::from_utf8_lossy(&title.base), title.note),
            None => String::from_utf8_lossy(symbols[id.index()].0.name).into_owned(),
        };
        let tell = |&(_, id): &(Scoped<'_>, SymbolId)| match (pieces.owner(id), pieces.parent(id)) {
            (owner, _) if owner != id => format!("={}", owner.0),
            (_, Some(parent)) => format!("{} <{}>", name(id), parent.0),
            _ => name(id),
        };
        symbols.iter().map(tell).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn pieces_are_found() {
        for (symbols, expected) in [
            ("a:work.part.0 work", "=1, work"),
            ("a:work.part.0", "work (part)"),
            ("a:work.isra.0 a:work.cold", "work, =0"),
            ("a:work.part.0 a:work.isra.0", "=1, work"),
            // Each file has its own.
            ("a:work b:work a:work.part.0 b:work.cold", "work, work, =0, =1"),
            ("a:work b:work.part.0", "work, work (part)"),
            // Of global functions there is one.
            ("a:other b:work.cold work", "other, =2, work"),
            // Link-time optimization renames functions of one name.
            ("a:f.lto_priv.0 a:f.lto_priv.1 a:f.lto_priv.1.part.0", "f, f, =1"),
            ("a:f a:f.lto_priv.0 a:f.part.0", "f, f, f (part)"),
            (
                "f a:f._omp_fn.4 a:f._omp_fn.2 a:f._omp_fn.4.cold",
                "f, f (parallel 2) <0>, f (parallel 1) <0>, =1",
            ),
            ("a:f._omp_fn.0", "f (parallel 1)"),
            ("f.c:.omp_outlined. f.c:.omp_outlined..3", "f.c (parallel 1), f.c (parallel 2)"),
            ("f f.resolver", "f, f (resolver)"),
            ("f.constprop.0 f.constprop.1 f", "=2, =2, f"),
            ("a:f.isra.0@1 a:f.isra.1@2 a:f.isra.1.cold@3", "f, =0, =0"),
            // Then one object file has those of several sources.
            (
                "<artificial>:f.isra.0@1 <artificial>:f.isra.1@2 <artificial>:f.isra.1.cold@3",
                "f, f, =1",
            ),
            ("<artificial>:f.isra.0@1 <artificial>:f.isra.1@1 <artificial>:f.cold@3", "f, =0, =0"),
            ("<artificial>:f.isra.0@1 f@2 <artificial>:f.part.0@3", "f, f, f (part)"),
            ("<artificial>:f.isra.0@2 f@2", "=1, f"),
            ("<artificial>:f.isra.0 <artificial>:f.isra.1", "f, =0"),
            ("counter.1 x", "counter.1, x"),
        ] {
            assert_eq!(told(symbols), expected, "{symbols}");
        }
    }
}
