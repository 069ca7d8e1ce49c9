//! Parts of a function's name that stay from build to build.

use std::borrow::Cow;

use crate::symbols::{Demangling, Detail};

/// A linker's name without what changes from build to build: the hash of rustc, and the number by which link-time
/// optimization tells apart local functions of several files, which goes by the order of these.
pub(super) fn lasting(name: &str) -> Cow<'_, str> {
    match without_number_of_file(name) {
        Some(rest) => without_hash(&rest).into_owned().into(),
        None => without_hash(name),
    }
}

/// A name without `.lto_priv.0` or `.llvm.123`, if it has that, at its end or before another suffix.
fn without_number_of_file(name: &str) -> Option<String> {
    let (start, after) = [".lto_priv", ".llvm"].into_iter().find_map(|suffix| {
        let start = name.find(suffix).filter(|start| *start > 0)?;
        Some((start, &name[start + suffix.len()..]))
    })?;
    let number =
        after.strip_prefix('.').map(|it| it.trim_start_matches(|c: char| c.is_ascii_digit()));
    let rest = number.filter(|rest| rest.len() + 1 < after.len()).unwrap_or(after);
    (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", &name[..start]))
}

fn without_hash(name: &str) -> Cow<'_, str> {
    if name.starts_with("_R") {
        let readable = Demangling::Auto.demangle_to(Detail::Plain, name.as_bytes());
        return String::from_utf8_lossy(&readable).into_owned().into();
    }
    /// `17h`, 16 digits, `E`.
    const LEN: usize = 20;
    let is_hash = |part: &str| {
        let digits = part.strip_prefix("17h").and_then(|rest| rest.strip_suffix('E'));
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let hash = name.rfind("17h").filter(|_| name.starts_with("_ZN"));
    match hash.and_then(|start| Some((start, name.get(start..start + LEN)?))) {
        Some((start, part)) if is_hash(part) => {
            format!("{}E{}", &name[..start], &name[start + LEN..]).into()
        }
        _ => name.into(),
    }
}

/// A name without what compilers append to copies and parts of a function, whose numbers change.
pub(super) fn without_suffixes(name: &str) -> &str {
    const NUMBERED: [&str; 4] = [".constprop", ".isra", ".part", ".cold"];
    let mut name = name;
    loop {
        let unnumbered = match name.rsplit_once('.') {
            Some((rest, number))
                if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
            {
                rest
            }
            _ => name,
        };
        let suffix = NUMBERED.iter().find_map(|suffix| unnumbered.strip_suffix(suffix));
        match suffix {
            Some(rest) if !rest.is_empty() => name = rest,
            _ => return name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_rust_are_left_out() {
        for (name, stable) in [
            ("_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5writeE"),
            ("_ZN4core3fmt5write17h0123456789abcdefE.llvm.77", "_ZN4core3fmt5writeE"),
            ("_ZN3foo3bar17hXE", "_ZN3foo3bar17hXE"),
            ("_ZN3foo17h", "_ZN3foo17h"),
            ("main17h0123456789abcdefE", "main17h0123456789abcdefE"),
            ("_ZNSt6vectorIiE4sizeEv", "_ZNSt6vectorIiE4sizeEv"),
        ] {
            assert_eq!(lasting(name), stable);
        }
        let [one, other] = ["3iHvlGGwLUv", "9abcdefghij"]
            .map(|hash| lasting(&format!("_RINvCs{hash}_5small6lengthyEB2_")).into_owned());
        assert_eq!(one, other);
        assert!(one.starts_with("small::length"), "{one}");
    }

    #[test]
    fn numbers_that_tell_files_apart_are_left_out() {
        for (name, stable) in [
            ("work.lto_priv.12", "work"),
            ("work.lto_priv", "work"),
            ("work.lto_priv.0.constprop.1", "work.constprop.1"),
            ("work.isra.0.lto_priv.3.cold", "work.isra.0.cold"),
            ("work.llvm.1234567", "work"),
            ("work.lto_private", "work.lto_private"),
            (".llvm.7", ".llvm.7"),
            ("work.constprop.0", "work.constprop.0"),
        ] {
            assert_eq!(lasting(name), stable);
        }
    }

    #[test]
    fn copies_and_parts_have_the_name_of_their_function() {
        for (name, base) in [
            ("work", "work"),
            ("work.constprop.0", "work"),
            ("work.isra.12.part.3", "work"),
            ("work.cold", "work"),
            ("work.part.0.cold", "work"),
            ("libfoo.so.6", "libfoo.so.6"),
            (".cold", ".cold"),
            ("sum._omp_fn.0", "sum._omp_fn.0"),
        ] {
            assert_eq!(without_suffixes(name), base);
        }
    }
}
