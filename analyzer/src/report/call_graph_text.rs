//! The call graph report as `gprof -q` writes it.

use std::io::{self, Write};

use super::blurbs;
use super::call_graph::{ArcLine, CallGraphReport, Lines};
use super::columns;
use super::full_names::FullNames;
use super::names::Names;
use super::page::{Page, Style};
use crate::analysis::{ArcKind, CallGraph, Costs, CycleId, Entry, TimedArc};
use crate::parallel::write_in_parts;
use crate::records::Sampling;
use crate::symbols::SymbolId;

/// Differences between GNU's layout and that of BSD's gprof.
struct Layout {
    headings: &'static [u8],
    /// Width of the column with the children's time.
    children_width: usize,
    /// Rule between two entries.
    rule: &'static [u8],
}

const MODERN: Layout = Layout {
    headings: b"index % time    self  children    called     name\n",
    children_width: 7,
    rule: b"-----------------------------------------------\n",
};

const TRADITIONAL: Layout = Layout {
    headings: b"                                  called/total       parents \n\
                index  %time    self descendants  called+self    name    \tindex\n\
                \x20                                 called/total       children\n\n",
    children_width: 11,
    rule: b"\n-----------------------------------------------\n\n",
};

/// Entries that make a part of the text: many have a few lines, few have many.
const PART: usize = 256;

/// Writes lines whose numbers are relative to the whole report.
struct Writer<'w, 'g> {
    report: &'w CallGraphReport<'g>,
    graph: &'w CallGraph,
    names: &'w FullNames,
    /// All time shown, in ticks; 1 if there is none.
    all_ticks: f64,
    layout: &'static Layout,
}

impl CallGraphReport<'_> {
    /// Writes the report as `gprof -q` does, without the index.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>, names: &Names<'_>) -> io::Result<()> {
        let style = page.style();
        if style.traditional && !style.brief {
            page.before().write_all(blurbs::TRADITIONAL_CALL_GRAPH.as_bytes())?;
        }
        let out = page.begin()?;
        let graph = self.graph();
        let shown = graph.shown_ticks();
        let all_ticks = if shown > 0.0 { shown } else { 1.0 };
        let layout = if style.traditional { &TRADITIONAL } else { &MODERN };
        let entries: Vec<_> = self.entries().collect();
        let names = &FullNames::new(graph, names, &entries);
        let writer = Writer { report: self, graph, names, all_ticks, layout };
        writer.header(out, style)?;
        write_in_parts(out, entries.len(), PART, |number, text| {
            writer.entry(text, entries[number]);
        })?;
        if !style.traditional && !style.brief {
            out.write_all(blurbs::CALL_GRAPH.as_bytes())?;
        }
        Ok(())
    }
}

impl Writer<'_, '_> {
    fn header(&self, out: &mut impl Write, style: Style) -> io::Result<()> {
        out.write_all(match style {
            Style { traditional: true, .. } => b"",
            Style { brief: true, .. } => b"\t\t\tCall graph\n\n",
            _ => b"\t\t     Call graph (explanation follows)\n\n",
        })?;
        let bytes = self.graph.profile().sampling().map_or(0, Sampling::bytes_per_bin);
        write!(out, "\ngranularity: each sample hit covers {bytes} byte(s)")?;
        if self.graph.shown_ticks() > 0.0 {
            let percent = 100.0 / self.all_ticks;
            let seconds = self.seconds(self.all_ticks);
            write!(out, " for {percent:.2}% of {seconds:.2} seconds\n\n")?;
        } else {
            write!(out, " no time propagated\n\n")?;
        }
        out.write_all(self.layout.headings)
    }

    fn entry(&self, text: &mut Vec<u8>, entry: Entry) {
        match (entry, self.report.lines(entry)) {
            (Entry::Function(id), Lines::Function { callers, callees }) => {
                self.function(text, id, &callers, &callees);
            }
            (Entry::Cycle(id), Lines::Cycle(members)) => self.cycle(text, id, &members),
            // `lines` answers in kind.
            _ => {}
        }
        text.extend_from_slice(self.layout.rule);
    }

    fn function(&self, text: &mut Vec<u8>, id: SymbolId, callers: &[ArcLine], callees: &[ArcLine]) {
        if callers.is_empty() {
            columns::blanks(text, 42 + self.layout.children_width);
            text.extend_from_slice(b"<spontaneous>\n");
        }
        for line in callers {
            self.arc(text, line);
        }
        let costs = self.graph.function(id);
        self.costs(text, Entry::Function(id), costs);
        if costs.calls == 0 && costs.self_calls == 0 {
            columns::blanks(text, 17);
        } else {
            columns::count(text, costs.calls, 7);
            self.self_calls(text, costs);
            text.push(b' ');
        }
        self.name(text, id);
        for line in callees {
            self.arc(text, line);
        }
    }

    fn arc(&self, text: &mut Vec<u8>, line: &ArcLine) {
        let TimedArc { arc, kind, out_of, own, children } = self.graph.arc(line.arc);
        if kind == ArcKind::Outside {
            columns::blanks(text, 12);
            self.times(text, own, children);
            columns::count(text, arc.count, 7);
            text.push(b'/');
            columns::count_left(text, out_of, 7);
            columns::blanks(text, 5);
        } else {
            columns::blanks(text, 21 + self.layout.children_width);
            columns::count(text, arc.count, 7);
            columns::blanks(text, 13);
        }
        self.name(text, line.function);
    }

    fn cycle(&self, text: &mut Vec<u8>, id: CycleId, members: &[SymbolId]) {
        let costs = self.graph.cycle(id);
        self.costs(text, Entry::Cycle(id), costs);
        columns::count(text, costs.calls, 7);
        self.self_calls(text, costs);
        text.extend_from_slice(b" <cycle ");
        columns::number(text, id.number() as u64);
        text.extend_from_slice(b" as a whole> ");
        self.index(text, Entry::Cycle(id));
        text.push(b'\n');
        for &member in members {
            let costs = self.graph.function(member);
            columns::blanks(text, 12);
            self.times(text, costs.shown_self, costs.shown_children);
            columns::count(text, costs.calls, 7);
            self.self_calls(text, costs);
            columns::blanks(text, 5);
            self.name(text, member);
        }
    }

    /// Index, part of all time, self time and children's time.
    fn costs(&self, text: &mut Vec<u8>, entry: Entry, costs: &Costs) {
        let start = text.len();
        self.index(text, entry);
        text.resize(start + 6, b' ');
        columns::decimal::<1>(text, 100.0 * costs.shown_total() / self.all_ticks, 5);
        self.times(text, costs.shown_self, costs.shown_children);
    }

    fn index(&self, text: &mut Vec<u8>, entry: Entry) {
        text.push(b'[');
        columns::number(text, self.graph.index(entry).into());
        text.push(b']');
    }

    /// Self time and children's time.
    fn times(&self, text: &mut Vec<u8>, own: f64, children: f64) {
        columns::decimal::<2>(text, self.seconds(own), 7);
        columns::decimal::<2>(text, self.seconds(children), self.layout.children_width);
    }

    fn self_calls(&self, text: &mut Vec<u8>, costs: &Costs) {
        if costs.self_calls == 0 {
            columns::blanks(text, 8);
        } else {
            text.push(b'+');
            columns::count_left(text, costs.self_calls, 7);
        }
    }

    /// The full name of a function, which ends the line.
    fn name(&self, text: &mut Vec<u8>, id: SymbolId) {
        text.extend_from_slice(self.names.get(id));
        text.push(b'\n');
    }

    /// Without a histogram there is no rate, but then there are no ticks either.
    fn seconds(&self, ticks: f64) -> f64 {
        self.graph.profile().sampling().map_or(0.0, |sampling| sampling.units(ticks))
    }
}
