//! The summary of a profile that was exported as JSON: its parts in text, without the program.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use anstyle::Style;
use anyhow::{Result, bail};
use gmon_analyzer::Model;
use gmon_analyzer::model::{
    Arc, Exactness, Function, FunctionId, Inclusive, Kind, ModuleId, ThreadId,
};
use gmon_analyzer::numbers::places;

use super::apart::{HOOKS, is_apart, what_shares_are};
use super::fitting::{fitted_name, indented};
use super::part::Part;
use super::view::View;
use crate::named::is_called;
use crate::naming::Naming;
use crate::text::{counted, fitted, grouped, harmless, left};

/// Time and calls, as far as they are known.
type Sums = (Option<u64>, Option<u64>);

/// A part of an exported profile.
pub(super) struct Exported<'a> {
    model: Model,
    part: &'a Part,
    view: View,
    /// The columns of the terminal, if it is one.
    width: Option<usize>,
    /// The functions that are asked for by name.
    chosen: Vec<FunctionId>,
}

impl<'a> Exported<'a> {
    /// Takes a profile.
    ///
    /// # Errors
    ///
    /// The profile does not hold what is asked for.
    pub(super) fn new(
        model: Model,
        part: &'a Part,
        view: View,
        width: Option<usize>,
    ) -> Result<Self> {
        let mut exported = Self { model, part, view, width, chosen: Vec::new() };
        match part {
            Part::Functions | Part::Modules => {}
            Part::Calls(name) => {
                exported.chosen = exported.find(name);
                if exported.chosen.is_empty() {
                    bail!(
                        "no function {name} was called or seen by a sample; gmon report without --calls lists those that were"
                    );
                }
            }
            Part::By(_) => bail!("--by needs the full profile; this is an exported one"),
            Part::Tree { .. } | Part::Threads if exported.model.has_stacks() => {}
            Part::Tree { .. } | Part::Threads => {
                let option = part.option();
                bail!(
                    "{option} needs call stacks, which this profile does not have; gmon run records them"
                )
            }
        }
        Ok(exported)
    }

    fn find(&self, name: &str) -> Vec<FunctionId> {
        let functions = self.model.functions.iter();
        let found = functions.filter(|it| it.name == name || is_called(&it.display, name));
        let mut found: Vec<_> = found.map(|function| function.id).collect();
        found.sort_by_key(|id| Reverse(self.model.functions[id.index()].total_ns));
        found
    }

    /// A row that ends with the name of a function.
    fn row(&self, cells: &str, function: &Function) -> String {
        format!("{cells}{}", self.name(function, left(self.width, cells)))
    }

    /// The name of a function in so many columns.
    fn name(&self, function: &Function, columns: Option<usize>) -> String {
        let linker = self.view.naming(false) == Naming::Linker;
        let name = if linker { &function.name } else { &function.display };
        let module = match self.model.module_name(function) {
            "" => String::new(),
            _ if function.module == Some(ModuleId(0)) => String::new(),
            module => format!(" [{}]", harmless(module)),
        };
        fitted_name(&[harmless(name).into_owned()], &module, columns)
    }

    fn time(&self, nanoseconds: u64) -> String {
        format!("{:.*}", places(self.model.sampling.rate_hz), nanoseconds as f64 / 1e9)
    }

    fn percent(&self, nanoseconds: u64) -> f64 {
        let sampling = &self.model.sampling;
        100.0 * nanoseconds as f64 / sampling.time(sampling.own()).max(1) as f64
    }

    fn percent_of_all(&self, nanoseconds: u64) -> f64 {
        let sampling = &self.model.sampling;
        100.0 * nanoseconds as f64 / sampling.time(sampling.samples).max(1) as f64
    }

    /// Rows of amounts, those with the most first.
    fn rows(
        &self,
        f: &mut Formatter<'_>,
        title: &str,
        mut rows: Vec<(u64, String)>,
    ) -> fmt::Result {
        let bold = Style::new().bold();
        rows.sort_by_key(|(time, _)| Reverse(*time));
        writeln!(f, "\n{bold}{:>10} {:>6}  {title}{bold:#}", "self", "%")?;
        for (time, name) in rows.iter().take(self.view.top) {
            let percent = match is_apart(name) {
                true => self.percent_of_all(*time),
                false => self.percent(*time),
            };
            let cells = format!("{:>10} {percent:6.1}  ", self.time(*time));
            writeln!(f, "{cells}{}", fitted(&harmless(name), "", left(self.width, &cells)))?;
        }
        let sentence = what_shares_are(rows.iter().map(|(_, name)| name.as_str()));
        sentence.map_or(Ok(()), |sentence| writeln!(f, "{sentence}"))
    }

    fn head(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (model, bold) = (&self.model, Style::new().bold());
        let sampling = &model.sampling;
        writeln!(
            f,
            "{bold}{}{bold:#}: {} {} in {} ({} samples each second), {} of {}",
            harmless(&model.program),
            self.time(sampling.time(sampling.samples)),
            harmless(&sampling.unit),
            counted(sampling.samples, "sample"),
            grouped(sampling.rate_hz.into()),
            counted(model.calls(), "call"),
            counted(model.functions.len() as u64, "function"),
        )
    }

    fn functions(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = Style::new().bold();
        let (mut list, hooks): (Vec<&Function>, Vec<&Function>) =
            self.model.functions.iter().partition(|it| it.kind != Kind::Hooks);
        list.sort_by_key(|it| Reverse((it.self_ns, it.calls)));
        writeln!(
            f,
            "\n{bold}{:>10} {:>6} {:>10} {:>8} {:>15}  function{bold:#}",
            "self", "%", "total", "±", "calls"
        )?;
        let exactness = self.model.exactness_of_totals();
        let (shown, others) = list.split_at(self.view.top.min(list.len()));
        for function in shown {
            let calls = function.calls.map_or("-".to_owned(), grouped);
            let exactness = exactness.as_ref().map(|list| list[function.id.index()]);
            let time = |ticks: f64| {
                self.time((ticks * self.model.sampling.period_ns as f64).round() as u64)
            };
            let (total, error) = match exactness {
                None => (self.time(function.total_ns), String::new()),
                Some(Exactness::Within(error)) => (self.time(function.total_ns), time(error)),
                Some(Exactness::Below(most)) => (format!("<{}", time(most)), String::new()),
            };
            let cells = format!(
                "{:>10} {:6.1} {total:>10} {error:>8} {calls:>15}  ",
                self.time(function.self_ns),
                self.percent(function.self_ns),
            );
            writeln!(f, "{}", self.row(&cells, function))?;
        }
        if !others.is_empty() {
            let time = others.iter().map(|it| it.self_ns).sum();
            let more = counted(others.len() as u64, "more function");
            let (percent, time) = (self.percent(time), self.time(time));
            writeln!(
                f,
                "{time:>10} {percent:6.1} {:>10} {:>8} {:>15}  ... and {more}",
                "-", "", "-"
            )?;
        }
        for it in &hooks {
            let (time, percent) = (self.time(it.self_ns), self.percent_of_all(it.self_ns));
            writeln!(f, "{time:>10} {percent:6.1} {:>10} {:>8} {:>15}  {HOOKS}", "-", "", "-")?;
        }
        self.foot(f)?;
        let sentence = what_shares_are(hooks.iter().map(|_| HOOKS));
        sentence.map_or(Ok(()), |sentence| writeln!(f, "{sentence}"))
    }

    /// Note on how the totals are known.
    fn foot(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.model.sampling.inclusive {
            Inclusive::Apportioned => writeln!(f, "total: a guess, divided among callers by calls"),
            Inclusive::Sampled => {
                writeln!(f, "total: measured, with all that was called; ±: 95 of 100 runs agree")
            }
        }
    }

    fn calls(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = Style::new().bold();
        for &id in &self.chosen {
            let function = &self.model.functions[id.index()];
            let (total, own) = (self.time(function.total_ns), self.time(function.self_ns));
            let calls =
                function.calls.map_or("calls not counted".to_owned(), |it| counted(it, "call"));
            let name = self.name(function, None);
            writeln!(f, "{bold}{name}{bold:#}\n{total} seconds, {own} of them in itself; {calls}")?;
            let callers = self.pairs(|arc| (arc.callee == id).then_some(arc.caller)?);
            let callees = self.pairs(|arc| (arc.caller == Some(id)).then_some(arc.callee));
            for (title, rows) in [("callers", callers), ("callees", callees)] {
                if rows.is_empty() {
                    continue;
                }
                writeln!(f, "\n{bold}{:>10} {:>15}  {title}{bold:#}", "total", "calls")?;
                for (other, (time, calls)) in rows {
                    let time = time.map_or("-".to_owned(), |time| self.time(time));
                    let calls = calls.map_or("-".to_owned(), grouped);
                    let cells = format!("{time:>10} {calls:>15}  ");
                    let function = &self.model.functions[other.index()];
                    writeln!(f, "{}", self.row(&cells, function))?;
                }
            }
            writeln!(f)?;
        }
        self.foot(f)
    }

    /// Time and calls with other functions, from all lines, the most time first.
    fn pairs(&self, other: impl Fn(&Arc) -> Option<FunctionId>) -> Vec<(FunctionId, Sums)> {
        let mut sums: BTreeMap<FunctionId, Sums> = BTreeMap::new();
        let add = |sum: &mut Option<u64>, more: Option<u64>| {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0).saturating_add(more));
            }
        };
        for arc in &self.model.arcs {
            if let Some(other) = other(arc) {
                let (time, calls) = sums.entry(other).or_default();
                add(time, arc.total_ns);
                add(calls, arc.calls);
            }
        }
        let mut rows: Vec<_> = sums.into_iter().collect();
        rows.sort_by_key(|(_, sums)| Reverse(*sums));
        rows
    }

    fn tree(&self, f: &mut Formatter<'_>, cut: f64) -> fmt::Result {
        let (model, bold) = (&self.model, Style::new().bold());
        let stacks = model.stacks_by_function(false);
        let nodes = stacks.nodes();
        let mut totals: Vec<u64> = nodes.iter().map(|node| node.own.weight).collect();
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut starts = Vec::new();
        for (index, node) in nodes.iter().enumerate().rev() {
            match node.parent.map(|parent| parent as usize) {
                Some(parent) => {
                    totals[parent] += totals[index];
                    below[parent].push(index);
                }
                None => starts.push(index),
            }
        }
        let least = cut / 100.0 * model.sampling.samples as f64;
        let sorted = |mut list: Vec<usize>| {
            list.retain(|index| totals[*index] as f64 >= least);
            // Those that come last are taken first.
            list.sort_by_key(|index| (totals[*index], Reverse(*index)));
            list
        };
        writeln!(f, "\n{bold}{:>10} {:>10} {:>6}  function{bold:#}", "total", "self", "%")?;
        let mut ahead: Vec<(usize, usize)> = sorted(starts).into_iter().map(|it| (it, 0)).collect();
        while let Some((index, depth)) = ahead.pop() {
            let [total, own] =
                [totals[index], nodes[index].own.weight].map(|it| model.sampling.time(it));
            let percent = self.percent(total);
            let (total, own) = (self.time(total), self.time(own));
            let cells = format!("{total:>10} {own:>10} {percent:6.1}  ");
            let function = &model.functions[nodes[index].frame.index()];
            writeln!(f, "{}", self.row(&indented(&cells, depth, self.width), function))?;
            let callees = sorted(std::mem::take(&mut below[index]));
            ahead.extend(callees.into_iter().map(|callee| (callee, depth + 1)));
        }
        Ok(())
    }

    /// The time of each thread.
    fn threads(&self) -> Vec<(u64, String)> {
        let model = &self.model;
        let mut samples = vec![0; model.threads.len()];
        model
            .stacks
            .nodes()
            .iter()
            .for_each(|node| samples[node.thread.index()] += node.own.weight);
        let threads = (0..).map(ThreadId).zip(samples);
        threads.map(|(id, it)| (model.sampling.time(it), model.thread_label(id))).collect()
    }

    /// The time of each module.
    fn modules(&self) -> Vec<(u64, String)> {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for function in &self.model.functions {
            let module = function.module.map(|id| self.model.modules[id.index()].path.as_str());
            // What is in no module says itself what it is.
            *sums.entry(module.unwrap_or(&function.display)).or_default() += function.self_ns;
        }
        let sums = sums.into_iter().filter(|(_, time)| *time > 0);
        sums.map(|(name, time)| (time, name.to_owned())).collect()
    }
}

impl Display for Exported<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Part::Calls(_) = self.part {
            return self.calls(f);
        }
        self.head(f)?;
        match self.part {
            Part::Functions | Part::Calls(_) | Part::By(_) => self.functions(f),
            Part::Tree { cut } => self.tree(f, *cut),
            Part::Threads => self.rows(f, "thread", self.threads()),
            Part::Modules => self.rows(f, "module", self.modules()),
        }
    }
}
