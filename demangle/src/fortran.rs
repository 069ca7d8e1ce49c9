//! Fortran names as gfortran and LLVM's flang make them.
//!
//! | linker's name | in the source |
//! |---|---|
//! | `__heat_mod_MOD_step`, `_QMheat_modPstep` | `heat_mod::step` |
//! | `__m.s_MOD_step`, `_QMmSsPstep` | `m:s::step`, of the submodule `s` of `m` |
//! | `_QMmFhostPinner` | `m::host::inner`, within another procedure |
//! | `step_`, `inner.0` | `step`, `inner`: known only for code of Fortran |
//!
//! Names of the source have small letters alone, so the capitals are the compilers'.

/// The path of a procedure, if a name's form tells that it is one of Fortran.
pub(super) fn demangle(name: &[u8]) -> Option<Vec<u8>> {
    of_gfortran(name).or_else(|| of_flang(name))
}

/// Name in the source of Fortran code with a linker's name, if its form tells nothing else.
pub(super) fn plain(name: &[u8]) -> Option<Vec<u8>> {
    let is_of_name =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let copy = name[..name.len() - digits].strip_suffix(b".").filter(|_| digits > 0);
    let base = copy.or_else(|| name.strip_suffix(b"_"))?;
    let is_name = base.first().is_some_and(u8::is_ascii_lowercase) && base.iter().all(is_of_name);
    is_name.then(|| base.to_vec())
}

fn of_gfortran(name: &[u8]) -> Option<Vec<u8>> {
    let rest = name.strip_prefix(b"__")?;
    let at = rest.windows(5).position(|window| window == b"_MOD_")?;
    let (module, procedure) = (&rest[..at], &rest[at + 5..]);
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let is_name = |part: &[u8]| !part.is_empty() && part.iter().all(is_of_name);
    if !is_name(module) || !is_name(procedure) {
        return None;
    }
    let module: Vec<u8> =
        module.iter().map(|&byte| if byte == b'.' { b':' } else { byte }).collect();
    let procedure = plain_copy(procedure);
    Some([&module, &b"::"[..], procedure].concat())
}

/// A procedure without the number of a copy.
fn plain_copy(procedure: &[u8]) -> &[u8] {
    let digits = procedure.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let base = procedure[..procedure.len() - digits].strip_suffix(b".");
    base.filter(|base| digits > 0 && !base.is_empty()).unwrap_or(procedure)
}

fn of_flang(name: &[u8]) -> Option<Vec<u8>> {
    let mut rest = name.strip_prefix(b"_Q")?;
    let mut path = Vec::new();
    loop {
        let (&kind, after) = rest.split_first()?;
        let end = after.iter().position(u8::is_ascii_uppercase).unwrap_or(after.len());
        let (part, next) = after.split_at(end);
        let is_part = !part.is_empty() && !part.contains(&b'.');
        match kind {
            b'S' if !path.is_empty() => path.push(b':'),
            b'M' | b'F' | b'P' if path.is_empty() => {}
            b'M' | b'F' | b'P' => path.extend(b"::"),
            _ => return None,
        }
        // The host of a procedure may be the program, which has no name here.
        match is_part {
            true => path.extend(part),
            false if kind == b'F' && part.is_empty() => {}
            false => return None,
        }
        if kind == b'P' {
            return next.is_empty().then_some(path);
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_are_those_of_the_source() {
        for (name, readable) in [
            ("__heat_mod_MOD_step", Some("heat_mod::step")),
            ("__m.s_MOD_helper", Some("m:s::helper")),
            ("__m_MOD_inner.3", Some("m::inner")),
            ("__m_MOD___copy_m_Cell", Some("m::__copy_m_Cell")),
            ("_QMheat_modPstep", Some("heat_mod::step")),
            ("_QMmSsPhelper", Some("m:s::helper")),
            ("_QMmFhostPinner", Some("m::host::inner")),
            ("_QPsolve", Some("solve")),
            ("_QFPinner", Some("inner")),
            ("_QQmain", None),
            ("_QMm", None),
            ("_Q", None),
            ("__MOD_x", None),
            ("__m_MOD_", None),
            ("__m_MOD_a b", None),
            ("step_", None),
        ] {
            let found = demangle(name.as_bytes()).map(|name| String::from_utf8(name).unwrap());
            assert_eq!(found.as_deref(), readable, "{name}");
        }
    }

    #[test]
    fn what_compilers_append_is_left_out() {
        for (name, readable) in [
            ("step_", Some("step")),
            ("inner.0", Some("inner")),
            ("two_words_", Some("two_words")),
            ("MAIN__", None),
            ("main", None),
            ("_start_", None),
            (".0", None),
            ("", None),
        ] {
            let found = plain(name.as_bytes()).map(|name| String::from_utf8(name).unwrap());
            assert_eq!(found.as_deref(), readable, "{name}");
        }
    }
}
