//! Prints the annotated sources, to the standard output or each to a file of its own.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::command::say;
use super::print::Computed;
use super::stop::Stop;
use super::words;
use crate::error::{Error, ErrorKind, system_message};
use crate::image::read_source;
use crate::report::{AnnotatedFile, Annotation, AnnotationStyle, AnnotationWriter, Page};
use crate::sum::open_output;

/// Prints the sources in which anything was called. A source that is not found is left out, with a
/// message.
pub(super) fn print(
    computed: &Computed<'_>,
    page: &mut Page<impl Write>,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let options = &computed.options.annotation;
    let annotation = Annotation::new(computed.graph, computed.sources);
    let style = AnnotationStyle {
        all_lines: options.all_lines,
        min_count: options.min_count,
        table_length: options.table_length,
    };
    let unused = computed.graph.selections().unused;
    let mut writer = AnnotationWriter::new(computed.graph.profile().symbols(), style);
    let mut is_first = true;
    for file in annotation.files().iter().filter(|file| !file.lines.is_empty()) {
        if file.calls == 0 && !unused {
            continue;
        }
        let source = match read_source(file.path, &options.directories) {
            Ok(source) => source,
            Err(error) => {
                say(stderr, &not_read(computed.program, file.path, &error));
                continue;
            }
        };
        if options.separate_files {
            write_file(file, &source, &mut writer, stderr)?;
            continue;
        }
        if !is_first {
            page.end_part()?;
        }
        is_first = false;
        let out = page.begin()?;
        out.write_all(&[b"*** File ", file.path, b":\n"].concat())?;
        writer.write(out, file, &source)?;
    }
    Ok(())
}

/// Writes a source to a file with a name like its own in the current directory.
fn write_file(
    file: &AnnotatedFile<'_>,
    source: &[u8],
    writer: &mut AnnotationWriter<'_>,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let base = file.path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let name: OsString = words::from_bytes(&[base, b"-ann"].concat());
    let path = Path::new(&name);
    let created = match open_output(path) {
        Ok(created) => created,
        Err(error) => {
            say(stderr, &format!("{}: {}\n", path.display(), system_message(&error)));
            return Ok(());
        }
    };
    let mut out = BufWriter::new(created);
    let written = writer.write(&mut out, file, source).and_then(|()| out.flush());
    written.map_err(|error| Error::new(path, ErrorKind::Unwritable(error)).into())
}

fn not_read(program: &str, path: &[u8], error: &io::Error) -> String {
    let path = String::from_utf8_lossy(path);
    if error.kind() == io::ErrorKind::NotFound {
        format!("{program}: could not locate `{path}'\n")
    } else {
        format!("{path}: {}\n", system_message(error))
    }
}
