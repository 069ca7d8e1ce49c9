//! What GNU gprof has and this program has not yet: asked for, it is refused rather than ignored.

use super::options::Options;
use super::outputs::Output;
use super::stop::Stop;

impl Options {
    /// Refuses what is asked for but missing.
    pub(super) fn refuse_what_is_missing(&self) -> Result<(), Stop> {
        let outputs = self.outputs;
        let annotation = &self.annotation;
        let missing = [
            ("--annotated-source", outputs.has(Output::AnnotatedSource)),
            ("--all-lines", annotation.all_lines),
            ("--separate-files", annotation.separate_files),
        ];
        match missing.into_iter().find(|(_, asked)| *asked) {
            Some((option, _)) => Err(Stop::NotYet(option)),
            None => Ok(()),
        }
    }
}
