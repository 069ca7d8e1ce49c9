//! What `GMON_OPTIONS` says about files, read as the runtime reads it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The path that `GMON_OPTIONS` gives the runtime of this process under a key.
pub(super) fn path(key: &str, executable: &Path, process_id: u32) -> Option<PathBuf> {
    let options = env::var_os("GMON_OPTIONS")?;
    value(&options, key).map(|pattern| expand(pattern, executable, process_id))
}

/// The value of a key among the pairs `key=value,key=value`; the last counts.
fn value<'o>(options: &'o OsStr, key: &str) -> Option<&'o OsStr> {
    let pairs = options.as_bytes().rsplit(|byte| *byte == b',');
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(key.as_bytes())?.strip_prefix(b"="));
    values.next().filter(|value| !value.is_empty()).map(OsStr::from_bytes)
}

/// A pattern with `%p` replaced by the process id, `%e` by the program's name and `%%` by `%`.
fn expand(pattern: &OsStr, executable: &Path, process_id: u32) -> PathBuf {
    let process_id = process_id.to_string();
    let name = executable.file_name().unwrap_or_default().as_bytes();
    let mut path = Vec::new();
    let mut rest = pattern.as_bytes();
    loop {
        let (text, after) = match rest {
            [b'%', b'p', after @ ..] => (process_id.as_bytes(), after),
            [b'%', b'e', after @ ..] => (name, after),
            [b'%', b'%', after @ ..] => (&b"%"[..], after),
            [_, after @ ..] => (&rest[..1], after),
            [] => return OsString::from_vec(path).into(),
        };
        path.extend_from_slice(text);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_key_counts() {
        for (options, out) in [
            ("", None),
            ("hz=1000,off", None),
            ("out=", None),
            ("out=a", Some("a")),
            ("hz=1,out=a/%p,layout=b", Some("a/%p")),
            ("out=a,out=b", Some("b")),
        ] {
            assert_eq!(value(options.as_ref(), "out"), out.map(OsStr::new), "{options}");
        }
    }

    #[test]
    fn patterns_are_expanded() {
        for (pattern, path) in
            [("plain", "plain"), ("d/%e.%p", "d/prog.7"), ("%%p%", "%p%"), ("%x%", "%x%")]
        {
            assert_eq!(expand(pattern.as_ref(), "dir/prog".as_ref(), 7), Path::new(path));
        }
    }
}
