//! The arguments of `ldc2`, LLVM's compiler of D, which knows no `-pg` but hooks of another name.

use std::ffi::OsString;
use std::path::Path;

use crate::text::joined;

/// Options that its code needs so that calls are counted.
pub(crate) const OPTIONS: &[&str] = &["-finstrument-functions"];

/// Options by which it links no program, beside those that it shares with gcc.
const NOT_A_PROGRAM: &[&str] = &["-lib", "--lib", "-o-", "--o-", "--shared"];

/// Returns `true` if it may link a program, as far as its own options tell.
pub(super) fn may_link(arguments: &[OsString]) -> bool {
    !arguments.iter().any(|word| NOT_A_PROGRAM.iter().any(|option| word == option))
}

/// The arguments with what counts calls, and `unloading` and `archive` for the linker unless they are there already.
pub(crate) fn complete(
    mut arguments: Vec<OsString>,
    unloading: Option<&str>,
    archive: Option<&Path>,
) -> Vec<OsString> {
    arguments.extend(OPTIONS.iter().map(OsString::from));
    arguments.extend(unloading.map(|option| joined("-Xcc=", option)));
    arguments.extend(archive.map(OsString::from));
    arguments
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn only_programs_get_the_runtime() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert!(may_link(&words("-O2 x.d -of=x")));
        assert!(!may_link(&words("-lib x.d")) && !may_link(&words("x.d -o-")));
        let complete = |archive| complete(words("x.d"), None, archive).join(OsStr::new(" "));
        assert_eq!(complete(None), "x.d -finstrument-functions");
        let archive = Path::new("/lib/libgmon.a");
        assert_eq!(complete(Some(archive)), "x.d -finstrument-functions /lib/libgmon.a");
    }
}
