//! Reads the table of ports, `runtime/archive/ports.txt`, which says what the fields mean. The build script, the
//! tests and the benchmark of instructions all read it by this file.

#![allow(unreachable_pub, reason = "public where the tests read it")]

/// A machine that programs can be profiled on. What the table leaves out is empty.
#[allow(dead_code, reason = "no reader needs every field")]
#[derive(Clone, Debug, Default)]
pub struct Port<'t> {
    pub target: &'t str,
    pub processor: &'t str,
    pub system: &'t str,
    pub bits: u32,
    pub macros: Vec<&'t str>,
    pub name: &'t str,
    pub triple: &'t str,
    /// The driver, then its options.
    pub gcc: Vec<&'t str>,
    pub link: Vec<&'t str>,
    pub clang: bool,
    pub emulator: &'t str,
    pub native: &'t str,
    pub root: &'t str,
    pub gprof: &'t str,
    pub libc: &'t str,
    pub rustflags: Vec<&'t str>,
    pub needs_unstable_asm: bool,
}

/// The ports of a table, in its order.
///
/// # Errors
///
/// A line is not a field, or a port lacks one that each has; the message names it.
pub fn read(table: &str) -> Result<Vec<Port<'_>>, String> {
    let mut ports = Vec::new();
    let mut port = None;
    for (number, line) in (1..).zip(table.lines().map(str::trim)) {
        if line.is_empty() {
            ports.extend(port.take().map(complete).transpose()?);
        } else if !line.starts_with('#') {
            let field = line.split_once(": ");
            let is_known =
                field.is_some_and(|(key, value)| port.get_or_insert_default().set(key, value));
            if !is_known {
                return Err(format!("ports.txt, line {number}: `{line}` is no field of a port"));
            }
        }
    }
    ports.extend(port.map(complete).transpose()?);
    Ok(ports)
}

impl<'t> Port<'t> {
    /// Sets a field; false if there is none of this name, or it cannot have this value.
    fn set(&mut self, key: &str, value: &'t str) -> bool {
        let words = || value.split(' ').collect();
        match key {
            "target" => self.target = value,
            "processor" => self.processor = value,
            "system" => self.system = value,
            "bits" => self.bits = value.parse().unwrap_or(0),
            "macros" => self.macros = words(),
            "name" => self.name = value,
            "triple" => self.triple = value,
            "gcc" => self.gcc = words(),
            "link" => self.link = words(),
            "clang" => self.clang = value == "yes",
            "emulator" => self.emulator = value,
            "native" => self.native = value,
            "root" => self.root = value,
            "gprof" => self.gprof = value,
            "libc" => self.libc = value,
            "rustflags" => self.rustflags = words(),
            "unstable" => self.needs_unstable_asm = value == "asm",
            _ => return false,
        }
        true
    }
}

/// The port, if it has all that each has.
fn complete(port: Port<'_>) -> Result<Port<'_>, String> {
    let lacks = [
        ("target", port.target.is_empty()),
        ("processor", port.processor.is_empty()),
        ("system", !["linux", "none"].contains(&port.system)),
        ("bits", ![32, 64].contains(&port.bits)),
        ("macros", port.macros.is_empty()),
        ("name", port.name.is_empty()),
        ("triple", port.triple.is_empty()),
        ("gcc", port.gcc.is_empty()),
        ("emulator", port.emulator.is_empty()),
        ("gprof", port.gprof.is_empty()),
    ];
    match lacks.iter().find(|(_, is_lacking)| *is_lacking) {
        Some((field, _)) => Err(format!("ports.txt: the port `{}` lacks its {field}", port.target)),
        None => Ok(port),
    }
}
