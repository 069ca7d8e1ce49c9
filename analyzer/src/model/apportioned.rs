//! Inclusive times of a model without stacks, from its calls alone: each function's time is divided among its callers
//! by their calls, as GNU gprof does it.

use super::document::{Cycle, Function, Model};
use super::ids::{CycleId, FunctionId};
use crate::analysis::{ArcKind, Costs, Flow};
use crate::profile::{Arc, Arcs};
use crate::symbols::SymbolId;

/// Adds the time of callees, and cycles. The model has calls and own times; each caller and callee have one arc.
pub(super) fn add_apportioned(mut model: Model) -> Model {
    let symbol = |FunctionId(id)| SymbolId(id);
    let of_own = |it: &Function| Costs { time: it.self_ns as f64, ..Costs::default() };
    let mut costs: Vec<Costs> = model.functions.iter().map(of_own).collect();
    let (mut calls, mut positions) = (Vec::new(), Vec::new());
    for (position, arc) in model.arcs.iter().enumerate() {
        let (callee, count) = (symbol(arc.callee), arc.calls.unwrap_or(0));
        match arc.caller.map(symbol) {
            Some(caller) => {
                calls.push(Arc { caller, callee, count });
                positions.push(position);
            }
            None => costs[callee.index()].calls = count,
        }
    }
    let arcs = Arcs::new(&calls, costs.len());
    let flow = Flow::new(&arcs, costs, None);
    // Its arcs by age are those that it was made of.
    for (position, &id) in positions.into_iter().zip(arcs.by_age()) {
        let arc = flow.timed(&arcs, id);
        let total = (arc.own + arc.children).round() as u64;
        model.arcs[position].total_ns = (arc.kind == ArcKind::Outside).then_some(total);
    }
    let total = |costs: &Costs| (costs.time + costs.child_time).round() as u64;
    for (function, costs) in model.functions.iter_mut().zip(&flow.functions) {
        function.total_ns = total(costs);
    }
    let lists = flow.members.iter().zip(&flow.cycles).map(|(members, costs)| {
        let mut functions: Vec<_> = members.iter().map(|it| FunctionId(it.0)).collect();
        functions.sort_unstable();
        (functions, costs)
    });
    let mut lists: Vec<_> = lists.collect();
    lists.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    for (id, (functions, costs)) in (0..).map(CycleId).zip(lists) {
        functions.iter().for_each(|it| model.functions[it.index()].cycle = Some(id));
        model.cycles.push(Cycle {
            id,
            functions,
            calls_within: costs.self_calls,
            self_ns: costs.time.round() as u64,
            total_ns: total(costs),
        });
    }
    model
}

#[cfg(test)]
mod tests {
    use super::super::by_name::ByName;

    /// The rows of a profile at 1 Hz: functions with samples, and calls.
    fn rows(functions: &[(&str, u64)], arcs: &[(&str, &str, u64)]) -> String {
        let head = r#"{"schema":"gmon-rows/1","run":"r","kind""#;
        let samples: u64 = functions.iter().map(|it| it.1).sum();
        let mut text = format!(
            r#"{head}:"run","program":"/p","period_ns":1000000000,"samples":{samples},"paths":"none"}}"#
        );
        for (name, samples) in functions {
            text += &format!(
                "\n{head}:\"function\",\"module\":\"p\",\"name\":\"{name}\",\"samples\":{samples}}}"
            );
        }
        for (caller, callee, calls) in arcs {
            text += &format!(
                "\n{head}:\"arc\",\"module\":\"p\",\"name\":\"{callee}\",\"caller_module\":\"p\",\
                 \"caller\":\"{caller}\",\"calls\":{calls}}}"
            );
        }
        text
    }

    /// As GNU gprof does it: a cycle passes its time on as a whole, and none of it within.
    #[test]
    fn times_of_callees_are_divided_by_calls() {
        let functions = [("main", 1), ("a", 10), ("b", 20), ("c", 40), ("d", 8), ("leaf", 4)];
        let arcs = [
            ("__external_caller", "main", 1),
            ("main", "a", 1),
            ("main", "b", 2),
            ("a", "c", 3),
            ("b", "c", 1),
            ("c", "d", 7),
            ("d", "c", 6),
            ("d", "d", 5),
            ("d", "leaf", 1),
        ];
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), rows(&functions, &arcs)).unwrap();
        let mut sum = ByName::default();
        sum.add_rows(file.path()).unwrap();
        let model = sum.into_model();
        let total = |name: &str| {
            let function = model.functions.iter().find(|it| it.name == name).unwrap();
            function.total_ns / 1_000_000_000
        };
        // The cycle of c and d has 40 + 8, and 4 of leaf: 52, of which three quarters are for a.
        let totals = ["main", "a", "b", "c", "d", "leaf"].map(total);
        assert_eq!(totals, [83, 10 + 39, 20 + 13, 40, 8 + 4, 4]);
        let [cycle] = model.cycles.as_slice() else { panic!("{:?}", model.cycles) };
        assert_eq!((cycle.total_ns / 1_000_000_000, cycle.calls_within), (52, 13));
        let recursive = model.functions.iter().map(|it| it.recursive_calls).sum::<u64>();
        assert_eq!((recursive, model.sampling.samples), (5, 83));
    }
}
