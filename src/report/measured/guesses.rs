//! The time that gprof would say a function took for one of its callers.

use std::collections::HashMap;

use gmon_analyzer::Measurement;
use gmon_analyzer::analysis::ArcKind;
use gmon_analyzer::profile::FunctionId;
use gmon_analyzer::symbols::SymbolId;

/// Time by caller and callee, divided among callers by the number of calls; in ticks.
#[derive(Default)]
pub(super) struct Guesses(HashMap<(FunctionId, FunctionId), f64>);

impl Guesses {
    /// Guesses for the program's own functions. Where several have one name, nobody can tell which is
    /// which.
    pub(super) fn new(measurement: &Measurement) -> Self {
        let program = measurement.records().full().program();
        let functions = (0..).map(FunctionId).zip(measurement.contexts().functions());
        let of_program = functions.filter(|(_, function)| {
            function.module == program && program.is_some() && !function.is_inlined
        });
        let by_name: HashMap<&[u8], FunctionId> =
            of_program.map(|(id, function)| (&*function.name, id)).collect();
        let symbols = measurement.program().symbols();
        let mut uses: HashMap<&[u8], usize> = HashMap::new();
        for id in symbols.ids() {
            *uses.entry(symbols.get(id).name).or_default() += 1;
        }
        let function = |id: SymbolId| {
            let name = symbols.get(id).name;
            by_name.get(name).copied().filter(|_| uses.get(name) == Some(&1))
        };
        let arcs = measurement.graph().arcs();
        let outside = arcs.filter(|arc| arc.kind == ArcKind::Outside && arc.arc.count > 0);
        let guesses = outside.filter_map(|arc| {
            let pair = (function(arc.arc.caller)?, function(arc.arc.callee)?);
            Some((pair, arc.own + arc.children))
        });
        Self(guesses.collect())
    }

    /// Guess for calls between two functions.
    pub(super) fn of(&self, caller: FunctionId, callee: FunctionId) -> Option<f64> {
        self.0.get(&(caller, callee)).copied()
    }
}
