//! From a measurement to its model.

use std::collections::{BTreeMap, HashMap};

use super::document::{Inclusive, Line, LineCopy, Model, Paths, Place, Sampling};
use super::draft::Draft;
use super::errors::dispersion;
use super::ids::{FunctionId, ModuleId};
use super::lines::with_line_samples;
use super::origin::{NANOSECONDS, origin};
use super::{counted, sampled};
use crate::analysis::InlinedAt;
use crate::error::Error;
use crate::measurement::Measurement;
use crate::profile::Grain;
use crate::report::NameStyle;
use crate::totals::add;

impl Model {
    /// The model of a measurement, with stacks if it has any; the names for people are in a style.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn new(measurement: &Measurement, style: NameStyle) -> Result<Self, Error> {
        let (mut draft, sampling) = draft(measurement, style, Grain::Lines);
        add_executions(&mut draft, measurement, style)?;
        Ok(finished(draft, measurement, sampling))
    }

    /// The model without source lines and [guesses](Self::with_guesses), which takes less time. Each address without a symbol is a
    /// function.
    #[must_use]
    pub fn of_functions(measurement: &Measurement, style: NameStyle) -> Self {
        let (draft, sampling) = draft(measurement, style, Grain::Functions);
        finished(draft, measurement, sampling)
    }
}

fn draft(measurement: &Measurement, style: NameStyle, grain: Grain) -> (Draft, Sampling) {
    let has_stacks = measurement.records().full().has_more();
    let mut sampling = sampling(measurement, has_stacks);
    if !has_stacks {
        return (counted::draft(measurement, style, &sampling, grain), sampling);
    }
    let draft = sampled::draft(measurement, style, &sampling, grain);
    sampling.samples = draft.nodes.iter().map(|node| node.own.weight).sum();
    let threads = || measurement.records().full().threads().iter();
    let signals = threads().map(|thread| thread.signals).sum();
    let squares = threads().map(|thread| thread.squared_weights as f64).sum();
    sampling.dispersion = dispersion(signals, squares, sampling.samples);
    (draft, sampling)
}

fn finished(draft: Draft, measurement: &Measurement, sampling: Sampling) -> Model {
    let has_stacks = sampling.paths == Paths::Sampled;
    let model = draft.ordered(origin(measurement), sampling);
    if has_stacks { sampled::add_inclusive(model) } else { with_line_samples(model) }
}

fn sampling(measurement: &Measurement, has_stacks: bool) -> Sampling {
    let records = measurement.records();
    let histogram = records.histograms().sampling().map(|it| (it.rate, &it.dimension[..]));
    // A program none of whose code could be told from other code has no histogram.
    let stacks = records.full().origin().filter(|_| has_stacks).map(|it| &it.sampling);
    let stacks =
        stacks.map(|it| (it.rate, it.dimension.split(|byte| *byte == 0).next().unwrap_or(b"")));
    let (rate_hz, unit) = histogram.or(stacks).unwrap_or((0, b"seconds"));
    let rate = u64::from(rate_hz);
    let threads = records.full().threads().iter();
    let samples = if has_stacks { 0.0 } else { measurement.graph().total_ticks() };
    Sampling {
        rate_hz,
        period_ns: (NANOSECONDS + rate / 2).checked_div(rate).unwrap_or(0),
        samples: samples.round() as u64,
        signals: has_stacks.then(|| threads.map(|thread| thread.signals).sum()),
        waiting: records.full().has_waits().then_some(0),
        unit: String::from_utf8_lossy(unit).into_owned(),
        paths: if has_stacks { Paths::Sampled } else { Paths::None },
        inclusive: if has_stacks { Inclusive::Sampled } else { Inclusive::Apportioned },
        waits: records.full().has_waits(),
        ..Sampling::none()
    }
}

/// Adds the lines whose executions were counted, and the parts of them in functions that are in the draft.
fn add_executions(
    draft: &mut Draft,
    measurement: &Measurement,
    style: NameStyle,
) -> Result<(), Error> {
    if measurement.executions()?.stretches().is_empty() {
        return Ok(());
    }
    let symbols = measurement.program().symbols();
    let of_program = (0..)
        .map(FunctionId)
        .zip(&draft.functions)
        .filter(|(_, it)| it.module == Some(ModuleId(0)));
    let functions: HashMap<u64, FunctionId> =
        of_program.filter_map(|(position, it)| Some((it.address?.0, position))).collect();
    let sampled = draft.places.iter().enumerate();
    let mut places: HashMap<_, usize> =
        sampled.map(|(at, it)| ((it.function, it.file, it.line), at)).collect();
    let names = measurement.names(style);
    for (path, file) in measurement.source_costs()?.files() {
        for (&line, costs) in file.lines.iter().filter(|(_, costs)| costs.executions.is_some()) {
            let (file, executions) = (draft.files.position(path), costs.executions);
            draft.lines.push(Line { file, line, executions, samples: 0 });
            // Copies of one line in one place are of several functions.
            let mut copies: BTreeMap<&InlinedAt, u64> = BTreeMap::new();
            for (place, count) in &costs.copies {
                add(copies.entry(place).or_default(), *count);
            }
            for (place, executions) in copies {
                let into = String::from_utf8_lossy(&names.readable(&place.function)).into_owned();
                let has_file = !place.file.is_empty();
                let call_file = has_file.then(|| draft.files.position(&place.file));
                let call_line = Some(place.line).filter(|line| *line != 0);
                draft.copies.push(LineCopy { file, line, into, call_file, call_line, executions });
            }
            for (symbol, count) in &costs.functions {
                let Some(&function) = functions.get(&symbols.get(*symbol).address.0) else {
                    continue;
                };
                let (file, line) = (Some(file), Some(line));
                let at = *places.entry((function, file, line)).or_insert_with(|| {
                    let place = Place { function, file, line, samples: 0, executions: None };
                    draft.places.push(place);
                    draft.places.len() - 1
                });
                draft.places[at].executions = Some(*count);
            }
        }
    }
    Ok(())
}
