//! Versions of symbols, which stand behind the name: `memcpy@@GLIBC_2.14`.

/// A name as programs have it in their sources. An @ at its start belongs to the name.
pub(crate) fn without_version(name: &[u8]) -> &[u8] {
    let version = name.iter().skip(1).position(|byte| *byte == b'@');
    version.map_or(name, |before| &name[..=before])
}

#[cfg(test)]
mod tests {
    use super::without_version;

    #[test]
    fn versions_stand_behind_names() {
        for (name, plain) in [
            ("main", "main"),
            ("memcpy@GLIBC_2.2.5", "memcpy"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
            ("@x", "@x"),
            ("@x@@V1", "@x"),
            ("@", "@"),
            ("", ""),
        ] {
            assert_eq!(without_version(name.as_bytes()), plain.as_bytes());
        }
    }
}
