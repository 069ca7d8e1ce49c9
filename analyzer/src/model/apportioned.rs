//! Inclusive times of a model without stacks, from its calls alone: each function's time is divided among its callers
//! by their calls, as GNU gprof does it.

use std::collections::BTreeMap;

use super::document::{Cycle, Model};
use super::ids::{CycleId, FunctionId};
use crate::analysis::cycles_of;

/// The arcs of a group of functions that call each other, or of a function that is in no such group.
#[derive(Default)]
struct Group {
    /// Calls of its members by others.
    calls: u64,
    /// Calls of its members by each other.
    within: u64,
    /// Positions of the arcs by which others call it.
    called: Vec<usize>,
    /// Number of arcs from it to others whose time is not known yet.
    waiting: usize,
    own_ns: u64,
    passed_ns: f64,
}

/// Adds the time of callees, and cycles. The model has calls and own times; each caller and callee have one arc.
pub(super) fn add_apportioned(mut model: Model) -> Model {
    let pairs = model.arcs.iter().filter_map(|arc| Some((arc.caller?, arc.callee)));
    let lists = cycles_of(pairs, model.functions.len());
    for (id, members) in (0..).map(CycleId).zip(&lists) {
        members.iter().for_each(|it| model.functions[it.index()].cycle = Some(id));
    }
    let count = lists.len();
    let group_of: Vec<usize> = (0..)
        .zip(&model.functions)
        .map(|(id, it): (usize, _)| it.cycle.map_or(count + id, |cycle| cycle.index()))
        .collect();
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (function, group) in model.functions.iter().zip(&group_of) {
        let own = &mut groups.entry(*group).or_default().own_ns;
        *own = own.saturating_add(function.self_ns);
    }
    for (position, arc) in model.arcs.iter().enumerate() {
        let caller = arc.caller.map(|it| group_of[it.index()]);
        let callee = groups.entry(group_of[arc.callee.index()]).or_default();
        let calls = arc.calls.unwrap_or(0);
        if caller == Some(group_of[arc.callee.index()]) {
            let is_self = arc.caller == Some(arc.callee);
            callee.within = callee.within.saturating_add(if is_self { 0 } else { calls });
            continue;
        }
        callee.calls = callee.calls.saturating_add(calls);
        callee.called.push(position);
        if let Some(caller) = caller {
            groups.entry(caller).or_default().waiting += 1;
        }
    }
    let mut passed: Vec<f64> = vec![0.0; model.functions.len()];
    let mut known: Vec<usize> =
        groups.iter().filter(|(_, it)| it.waiting == 0).map(|(id, _)| *id).collect();
    while let Some(id) = known.pop() {
        let Some(group) = groups.get_mut(&id) else { continue };
        let total = group.own_ns as f64 + group.passed_ns;
        let (calls, called) = (group.calls as f64, std::mem::take(&mut group.called));
        for position in called {
            let arc = &mut model.arcs[position];
            let Some(caller) = arc.caller else { continue };
            let part = total * arc.calls.unwrap_or(0) as f64 / calls.max(1.0);
            arc.total_ns = Some(part.round() as u64);
            passed[caller.index()] += part;
            let group = groups.entry(group_of[caller.index()]).or_default();
            group.passed_ns += part;
            group.waiting -= 1;
            if group.waiting == 0 {
                known.push(group_of[caller.index()]);
            }
        }
    }
    for (function, passed) in model.functions.iter_mut().zip(passed) {
        function.total_ns = function.self_ns.saturating_add(passed.round() as u64);
    }
    let cycle = |(id, functions): (CycleId, Vec<FunctionId>)| {
        let group = &groups[&id.index()];
        Cycle {
            id,
            functions,
            calls_within: group.within,
            self_ns: group.own_ns,
            total_ns: group.own_ns.saturating_add(group.passed_ns.round() as u64),
        }
    };
    model.cycles = (0..).map(CycleId).zip(lists).map(cycle).collect();
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
