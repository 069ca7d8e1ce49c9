//! What holds for any name, in every language. The fuzzer checks it, too.

use std::borrow::Cow;

use gmon_demangle::{Demangling, Detail};

/// No readable name is longer, however often a linker's name repeats its parts.
const LENGTH_LIMIT: usize = 16 << 20;

/// Makes a name readable in every language and with every detail.
pub(crate) fn stays_in_bounds(name: &[u8]) {
    let styles: [&[u8]; 7] = [b"none", b"auto", b"gnu-v3", b"rust", b"java", b"gnat", b"dlang"];
    for style in styles.into_iter().filter_map(Demangling::named) {
        for detail in [Detail::Full, Detail::Plain, Detail::Short] {
            let readable = style.demangle_to(detail, name);
            let what =
                || format!("{style:?}, {detail:?}: {}", name[..name.len().min(200)].escape_ascii());
            assert!(readable.len() <= LENGTH_LIMIT + name.len(), "{}", what());
            let is_changed = matches!(readable, Cow::Owned(_));
            assert!(!(is_changed && style.leaves(name)), "{}", what());
            assert!(!readable.is_empty() || name.is_empty(), "{}", what());
        }
    }
}
