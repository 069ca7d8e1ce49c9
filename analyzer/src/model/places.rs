//! The samples of each function by source line, from the histogram.

use std::collections::{BTreeMap, HashMap};

use super::document::Place;
use super::draft::Draft;
use super::ids::{FileId, FunctionId};
use super::shares::whole_shares;
use crate::analysis::line_samples;
use crate::image::Location;
use crate::measurement::Measurement;
use crate::symbols::SymbolId;

/// Positions of functions in the draft.
pub(super) type Positions = HashMap<SymbolId, FunctionId>;

/// Divides the samples of each bin among the lines that it covers, by the bytes of their code, and adds the
/// lines of each function so that they have the samples of the function.
pub(super) fn places(draft: &mut Draft, measurement: &Measurement, positions: &Positions) {
    let (program, graph) = (measurement.program(), measurement.graph());
    let (symbols, lines) = (program.symbols(), program.lines());
    let mut ticks: HashMap<FunctionId, BTreeMap<(FileId, u32), f64>> = HashMap::new();
    line_samples(
        measurement.records().histograms(),
        lines,
        |first, Location { file, line }, part| {
            let function = symbols.find(first).map(|id| symbols.owner(id));
            let Some(&function) = function.and_then(|id| positions.get(&id)) else { return };
            let place = (draft.files.position(lines.path(file)), line.get());
            let sum = ticks.entry(function).or_default().entry(place).or_default();
            *sum += part;
        },
    );
    let times: HashMap<FunctionId, f64> =
        positions.iter().map(|(id, position)| (*position, graph.function(*id).time)).collect();
    for (function, position) in draft.functions.iter().zip((0..).map(FunctionId)) {
        if function.samples == 0 {
            continue;
        }
        let known = ticks.remove(&position).unwrap_or_default();
        let mut parts: Vec<f64> = known.values().copied().collect();
        let time = times.get(&position).copied().unwrap_or(0.0);
        let sum = parts.iter().sum::<f64>();
        // Where bins are cut as GNU gprof cuts them, a function may have less than its lines.
        if sum > time {
            parts.iter_mut().for_each(|part| *part *= time / sum);
        }
        parts.push((time - sum).max(0.0));
        let shares = whole_shares(&parts, function.samples);
        let places = known.into_keys().map(Some).chain([None]);
        for (place, samples) in places.zip(shares).filter(|(_, samples)| *samples != 0) {
            let (file, line) = (place.map(|it| it.0), place.map(|it| it.1));
            draft.places.push(Place { function: position, file, line, samples, executions: None });
        }
    }
}
