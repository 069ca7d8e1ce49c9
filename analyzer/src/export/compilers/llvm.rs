//! The text form of LLVM's sample profiles, which clang and rustc take after `llvm-profdata merge --sample`: see the comment
//! at the head of LLVM's `SampleProfReader.h`, and "Sample Profile Text Format" in clang's manual.

use std::io::{self, Write};

use super::code_profile::{CodeProfile, ProfiledBy};
use super::instances::{Functions, Instance, Spot};
use crate::export::format::{FileNames, Format, Need, Writer};

pub(in crate::export) const FORMAT: Format = Format {
    name: "llvm-prof",
    help: "executions of code for clang: -fprofile-sample-use",
    files: FileNames::ending(".prof"),
    needs: &[Need::Anything],
    choices: &[],
    writer: Writer::OfMeasurement(|measurement, out| {
        CodeProfile::measured(measurement, ProfiledBy::Llvm)?.write_llvm(out)
    }),
};

/// Begins the last line of a function, or of inlined code, whose spots are pseudo probes.
pub(super) const CHECKSUM: &str = "!CFGChecksum: ";

pub(super) fn write_functions(functions: &Functions, out: &mut dyn Write) -> io::Result<()> {
    // Readers take the hottest functions first.
    let mut functions: Vec<_> = functions.iter().collect();
    functions.sort_by_cached_key(|(_, instance)| std::cmp::Reverse(instance.total()));
    for (name, instance) in functions {
        out.write_all(name)?;
        writeln!(out, ":{}:{}", instance.total(), instance.head)?;
        inside(instance, 1, out)?;
    }
    Ok(())
}

/// Writes the lines of a function, so many blanks deep.
fn inside(instance: &Instance, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    for (spot, body) in &instance.bodies {
        write!(out, "{:depth$}{}: {}", "", place(*spot), body.executions)?;
        for (target, calls) in &body.targets {
            write!(out, " ")?;
            out.write_all(target)?;
            write!(out, ":{calls}")?;
        }
        writeln!(out)?;
    }
    for ((spot, name), inlined) in &instance.inlined {
        write!(out, "{:depth$}{}: ", "", place(*spot))?;
        out.write_all(name)?;
        writeln!(out, ":{}", inlined.total())?;
        inside(inlined, depth + 1, out)?;
    }
    if let Some(checksum) = instance.checksum {
        writeln!(out, "{:depth$}{CHECKSUM}{checksum}", "")?;
    }
    Ok(())
}

fn place(spot: Spot) -> String {
    match spot.discriminator {
        0 => spot.offset.to_string(),
        discriminator => format!("{}.{discriminator}", spot.offset),
    }
}

/// The first of three numbers that LLVM packs into a discriminator; the others count copies of the code. An odd number has none, six or
/// more bits say so by the sixth.
pub(super) fn base_discriminator(packed: u32) -> u32 {
    if packed & 1 == 1 {
        return 0;
    }
    let rest = packed >> 1;
    if rest & 0x20 == 0 { rest & 0x1f } else { ((rest >> 1) & 0xfe0) | (rest & 0x1f) }
}

#[test]
fn the_first_number_of_a_discriminator_is_its_base() {
    for (packed, base) in [(0, 0), (2, 1), (4, 2), (0x3e, 31), (1, 0), (0xc0, 32), (0xc2, 33)] {
        assert_eq!(base_discriminator(packed), base, "{packed:#x}");
    }
}
