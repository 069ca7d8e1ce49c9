//! Libraries of the runtime, and its header, which the build script makes and the commands carry.

use gmon_command::{Carried, Known, Packed, Port};

/// All that they are given when they start.
pub static CARRIED: Carried = Carried {
    ports: include!(concat!(env!("OUT_DIR"), "/ports.rs")),
    known: include!(concat!(env!("OUT_DIR"), "/known.rs")),
    header: include_bytes!(concat!(env!("OUT_DIR"), "/gmon.h")),
    hash: env!("GMON_LIBRARIES_HASH"),
    built_by: env!("GMON_BUILT_BY"),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_port_is_the_first() {
        let own = &CARRIED.ports[0];
        let known = CARRIED.known.iter().find(|known| known.target == own.target).expect("a row");
        assert_eq!((own.architecture, known.bits), (std::env::consts::ARCH, usize::BITS as usize));
    }

    /// `gmon cc` finds out the system of targets that it does not know by their names.
    #[test]
    fn names_of_targets_tell_their_system() {
        for known in CARRIED.known {
            assert_eq!(known.target.contains("-none"), known.system == "none", "{}", known.target);
        }
    }

    #[test]
    fn no_two_processors_have_the_same_macros() {
        for known in CARRIED.known {
            let (absent, defined): (Vec<&str>, _) =
                known.macros.iter().partition(|name| name.starts_with('!'));
            assert!(known.is_compiled_for(&defined), "{}: {absent:?}", known.target);
            let others =
                CARRIED.known.iter().filter(|other| other.architecture != known.architecture);
            for other in others {
                assert!(!other.is_compiled_for(&defined), "{} {}", known.target, other.target);
            }
        }
    }
}
