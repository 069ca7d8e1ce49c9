//! Names of Java as GNU's compiler made them.

use support::random::Random;

use super::compare;

fn types(random: &mut Random) -> String {
    const TYPES: [&str; 16] = [
        "i",
        "b",
        "c",
        "w",
        "x",
        "s",
        "d",
        "j",
        "Pi",
        "PN4java4lang6StringE",
        "P6JArrayIiE",
        "P6JArrayIPS_IwEE",
        "P6JArrayIPN4java4lang6ObjectEE",
        "PFvbE",
        "RKc",
        "P1AIbE",
    ];
    (0..1 + random.below(3)).map(|_| random.pick(&TYPES)).collect()
}

#[test]
fn java_names_are_printed_as_libiberty_does() {
    const NAMES: [&str; 8] = [
        "_ZN4java4lang6ObjectC1E",
        "_ZN4java4lang6String7valueOfE",
        "_ZN1A1fE",
        "_Z1f",
        "_ZTVN1A1BE",
        "_ZN4java2io4File6class$E",
        "_Z1f6JArrayIiE",
        "_ZN1AcvbE",
    ];
    compare("java", |random| {
        let name = random.pick(&NAMES).to_owned();
        match random.below(6) {
            0 => name,
            1 => name + "v",
            // The return type of a template follows its arguments.
            2 => format!("_ZN1A1fI{}EE{}", types(random), types(random)),
            3 => format!("_ZN1A1BI{}E1gE{}", types(random), types(random)),
            _ => name + &types(random),
        }
    });
}
