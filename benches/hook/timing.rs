//! The cost of a call in four shapes, on one thread.

use crate::programs::Programs;
use crate::sides::Side;
use crate::{Effort, Result};

/// A pattern of calls; the functions are in `c/shapes.c`.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// What the program calls it.
    name: &'static str,
    /// What the report calls it.
    pub(crate) title: &'static str,
}

pub(crate) const SHAPES: [Shape; 4] = [
    Shape { name: "hot-arc", title: "one hot arc" },
    Shape { name: "many-sites", title: "64 call sites" },
    Shape { name: "indirect", title: "256 callees" },
    Shape { name: "recursion", title: "recursion" },
];

/// Nanoseconds per call of one side.
struct Times {
    side: Side,
    /// Per shape, the fastest round of each process.
    processes: [Vec<f64>; SHAPES.len()],
}

/// The times of all sides.
pub(crate) struct Costs(Vec<Times>);

impl Costs {
    /// The time of one call, in ns: of each process the fastest round, which nothing disturbed, and
    /// of the processes the median, because where their memory lies makes some luckier than others.
    pub(crate) fn of_call(&self, side: Side, shape: usize) -> f64 {
        let processes = self.processes(side, shape);
        processes[processes.len() / 2]
    }

    /// What the hook adds to a call, in ns.
    pub(crate) fn of_hook(&self, side: Side, shape: usize) -> f64 {
        self.of_call(side, shape) - self.of_call(Side::PLAIN, shape)
    }

    /// How much slower the median process is than the fastest, as a part of the fastest.
    pub(crate) fn spread(&self, side: Side, shape: usize) -> f64 {
        self.of_call(side, shape) / self.processes(side, shape)[0] - 1.0
    }

    fn processes(&self, side: Side, shape: usize) -> &[f64] {
        let times = self.0.iter().find(|times| times.side == side).expect("all sides are measured");
        &times.processes[shape]
    }
}

/// Measures all sides by turns, each shape in a process of its own: the state in which one shape
/// leaves the processor's predictors would change the time of the next.
pub(crate) fn measure(programs: &Programs, effort: &Effort) -> Result<Costs> {
    let mut times: Vec<_> =
        Side::ALL.map(|side| Times { side, processes: Default::default() }).into();
    let milliseconds = effort.milliseconds.to_string();
    for _ in 0..effort.passes {
        for (shape, Shape { name, .. }) in SHAPES.iter().enumerate() {
            for times in &mut times {
                let run = programs.run("timing", times.side, [name, &milliseconds])?;
                if run.counted.is_some_and(|counted| counted != run.calls) {
                    return Err(format!(
                        "{name} with {}: {} calls made, {:?} counted: this measured something else",
                        times.side.hook.name(),
                        run.calls,
                        run.counted
                    ));
                }
                times.processes[shape].push(run.nanoseconds);
            }
        }
    }
    for processes in times.iter_mut().flat_map(|times| &mut times.processes) {
        processes.sort_by(f64::total_cmp);
    }
    Ok(Costs(times))
}
