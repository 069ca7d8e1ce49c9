//! Names of D, made by the grammar of its ABI, some of them damaged.

use support::random::Random;

use super::compare;

/// Follows the grammar, less and less deep.
struct Maker<'r> {
    random: &'r mut Random,
    depth: u32,
}

impl Maker<'_> {
    fn pick(&mut self, choices: &[&str]) -> String {
        self.random.pick(choices).to_owned()
    }

    fn list(&mut self, most: u64, item: impl Fn(&mut Self) -> String) -> String {
        (0..self.random.below(most + 1)).map(|_| item(self)).collect()
    }

    fn deeper(&mut self, item: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        let item = item(self);
        self.depth -= 1;
        item
    }

    fn name(&mut self) -> String {
        const NAMES: [&str; 14] = [
            "1a",
            "3foo",
            "4test",
            "2xy",
            "6__ctor",
            "6__dtor",
            "10__postblit",
            "6__init",
            "0",
            "10__postblitMFZ",
            "7__ClassZ",
            "6__initZ",
            "Qc",
            "Qf",
        ];
        match self.random.below(12) {
            0 if self.depth < 3 => self.deeper(Self::template),
            1 => self.pick(&NAMES),
            _ => self.pick(&NAMES[..4]),
        }
    }

    fn qualified(&mut self) -> String {
        let mut name = self.name();
        for _ in 0..self.random.below(3) {
            if self.random.once_in(4) && self.depth < 3 {
                name += &self.deeper(|it| {
                    let this = it.this();
                    this + &it.parameters()
                });
            }
            name += &self.name();
        }
        name
    }

    fn this(&mut self) -> String {
        self.pick(&["", "", "M", "Mx", "My", "MO", "MNg", "MOx", "MONgx", "Mxx"])
    }

    fn template(&mut self) -> String {
        let marks = self.pick(&["__T", "__T", "__U"]);
        let name = self.pick(&["1t", "4test", "1a"]);
        let arguments = self.list(3, |it| match it.random.below(8) {
            0 | 1 => "T".to_owned() + &it.types(),
            2 => "S".to_owned() + &it.qualified(),
            3 => it.pick(&["X3abc", "X1_", "HTa", "S2_D1aZ", "S_D1a1bFZv", "S_D1aZ"]),
            _ => "V".to_owned() + &it.value(),
        });
        let template = format!("{marks}{name}{arguments}Z");
        if self.random.once_in(2) { format!("{}{template}", template.len()) } else { template }
    }

    fn value(&mut self) -> String {
        self.pick(&[
            "ii10",
            "iN10",
            "i5",
            "ai97",
            "ai9",
            "ui1000",
            "wi1000",
            "bi1",
            "bi0",
            "hi7",
            "ti7",
            "ki7",
            "li7",
            "mi7",
            "si7",
            "lN7",
            "Pin",
            "de0A8P6",
            "deNAN",
            "eeINF",
            "feNINF",
            "deN8PN3",
            "qc08P1c0A8P1",
            "Ayaa3_616263",
            "Aaa2_0a09",
            "Aya0_",
            "Ayaa0_",
            "Ayww1_61",
            "Ayud1_61",
            "AiA2i1i2",
            "AAiA1A2i1i2",
            "HiaA1i1i65",
            "S1sS2i1n",
            "S1s1tS0",
            "E1ei3",
            "PFZvf_D1a1bFZv",
            "Qci3",
            "ini",
            "a",
            "aaai1",
            "biN1",
            "aiN3",
            "xi5",
            "xai65",
            "Ayae1",
            "de",
            "dePN",
        ])
    }

    fn parameters(&mut self) -> String {
        let linkage = self.pick(&["F", "F", "F", "U", "V", "W", "R", "Y"]);
        let attributes = self.list(2, |it| {
            it.pick(&["", "Na", "Nb", "Nc", "Nd", "Ne", "Nf", "Ni", "Nj", "Nl", "Nm", "No"])
        });
        let parameters = self.list(3, |it| {
            let storage = it.pick(&[
                "", "", "", "", "J", "K", "L", "M", "I", "IK", "Nk", "MK", "MNk", "NkK", "MI",
                "MJ", "JK", "KJ", "IJ", "LK",
            ]);
            storage + &it.types()
        });
        let end = self.pick(&["Z", "Z", "Z", "X", "Y"]);
        linkage + &attributes + &parameters + &end
    }

    fn function(&mut self) -> String {
        let parameters = self.parameters();
        parameters + &self.types()
    }

    fn types(&mut self) -> String {
        const BASIC: [&str; 30] = [
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q",
            "r", "s", "t", "u", "v", "w", "zi", "zk", "Nn", "zx", "Qb", "Qd", "C1c",
        ];
        if self.depth >= 4 || self.random.once_in(2) {
            return self.pick(&BASIC);
        }
        self.deeper(|it| match it.random.below(9) {
            0 => it.pick(&["B0", "B1i", "B2ai", "B2i", "B1B1a"]),
            1 => {
                let kind = it.pick(&["C", "S", "E", "T", "I"]);
                kind + &it.qualified()
            }
            2 => "P".to_owned() + &it.function(),
            3 => {
                let modifiers = it.pick(&["D", "Dx", "Dy", "DO", "DNg", "DOx", "DQd"]);
                modifiers + &it.function()
            }
            4 => {
                let key = it.types();
                format!("H{key}{}", it.types())
            }
            5 => it.function(),
            _ => {
                let outer = it.pick(&["A", "P", "x", "y", "O", "Ng", "Nh", "G", "G3", "G42"]);
                outer + &it.types()
            }
        })
    }

    fn declaration(&mut self) -> String {
        let name = self.qualified();
        let this = self.this();
        let function = this + &self.function();
        let kind = match self.random.below(6) {
            0 => "Z".to_owned(),
            1 => self.types(),
            _ => function,
        };
        format!("_D{name}{kind}")
    }
}

#[test]
fn d_names_are_printed_as_libiberty_does() {
    compare("dlang", |random| {
        let mut name = Maker { random, depth: 0 }.declaration();
        if random.once_in(4) {
            let place = random.below(name.len() as u64) as usize;
            match random.below(3) {
                0 => name.truncate(place.max(1)),
                1 => drop(name.remove(place)),
                _ => name.insert(place, char::from(random.pick(b"ZFMNQaxy01iTSV"))),
            }
        }
        name
    });
}
