//! Compresses the parts of pages, which would make the command a hundredth larger.

use std::env;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The folder of the parts, and those in it.
const PAGE: &str = "src/report/html/page";
const FOLDERS: [&str; 2] = ["", "difference"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PAGE}");
    let packed = Path::new(&env::var("OUT_DIR")?).join("page");
    for folder in FOLDERS {
        fs::create_dir_all(packed.join(folder))?;
        for entry in fs::read_dir(Path::new(PAGE).join(folder))? {
            let part = entry?.path();
            if part.is_file() {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(&fs::read(&part)?)?;
                fs::write(packed.join(part.strip_prefix(PAGE)?), encoder.finish()?)?;
            }
        }
    }
    Ok(())
}
