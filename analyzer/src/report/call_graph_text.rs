//! The call graph report as `gprof -q` writes it.

use std::io::{self, Write};

use super::blurbs;
use super::call_graph::{ArcLine, CallGraphReport, Lines};
use super::columns;
use super::full_names::FullNames;
use super::in_parts::write_in_parts;
use super::names::Names;
use super::page::{Page, Style};
use crate::analysis::{ArcKind, CallGraph, Costs, CycleId, Entry, TimedArc};
use crate::records::Sampling;
use crate::symbols::SymbolId;

/// What differs between GNU's layout and that of BSD's gprof.
struct Layout {
    headings: &'static [u8],
    /// Width of the column with the children's time.
    children_width: usize,
    /// What stands between two entries.
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

/// Writes lines whose numbers are relative to the whole report.
struct Writer<'w, 'g> {
    report: &'w CallGraphReport<'g>,
    graph: &'w CallGraph<'g>,
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
        write_in_parts(out, &entries, |&entry, text| {
            // Memory takes whatever is written.
            let _ = writer.entry(text, entry);
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

    fn entry(&self, out: &mut Vec<u8>, entry: Entry) -> io::Result<()> {
        match (entry, self.report.lines(entry)) {
            (Entry::Function(id), Lines::Function { callers, callees }) => {
                self.function(out, id, &callers, &callees)?;
            }
            (Entry::Cycle(id), Lines::Cycle(members)) => self.cycle(out, id, &members)?,
            // `lines` answers in kind.
            _ => {}
        }
        out.write_all(self.layout.rule)
    }

    fn function(
        &self,
        out: &mut Vec<u8>,
        id: SymbolId,
        callers: &[ArcLine],
        callees: &[ArcLine],
    ) -> io::Result<()> {
        if callers.is_empty() {
            columns::blanks(out, 42 + self.layout.children_width)?;
            out.write_all(b"<spontaneous>\n")?;
        }
        for line in callers {
            self.arc(out, line)?;
        }
        let costs = self.graph.function(id);
        self.costs(out, Entry::Function(id), costs)?;
        if costs.calls == 0 && costs.self_calls == 0 {
            columns::blanks(out, 17)?;
        } else {
            columns::count(out, costs.calls, 7)?;
            self.self_calls(out, costs)?;
            out.write_all(b" ")?;
        }
        self.name(out, id)?;
        for line in callees {
            self.arc(out, line)?;
        }
        Ok(())
    }

    fn arc(&self, out: &mut Vec<u8>, line: &ArcLine) -> io::Result<()> {
        let TimedArc { arc, kind, out_of, own, children } = line.arc;
        if kind == ArcKind::Outside {
            columns::blanks(out, 12)?;
            self.times(out, own, children)?;
            columns::count(out, arc.count, 7)?;
            out.write_all(b"/")?;
            columns::count_left(out, out_of, 7)?;
            columns::blanks(out, 5)?;
        } else {
            columns::blanks(out, 21 + self.layout.children_width)?;
            columns::count(out, arc.count, 7)?;
            columns::blanks(out, 13)?;
        }
        self.name(out, line.function)
    }

    fn cycle(&self, out: &mut Vec<u8>, id: CycleId, members: &[SymbolId]) -> io::Result<()> {
        let costs = self.graph.cycle(id);
        self.costs(out, Entry::Cycle(id), costs)?;
        columns::count(out, costs.calls, 7)?;
        self.self_calls(out, costs)?;
        let index = self.graph.index(Entry::Cycle(id));
        writeln!(out, " <cycle {} as a whole> [{index}]", id.number())?;
        for &member in members {
            let costs = self.graph.function(member);
            columns::blanks(out, 12)?;
            self.times(out, costs.shown_self, costs.shown_children)?;
            columns::count(out, costs.calls, 7)?;
            self.self_calls(out, costs)?;
            columns::blanks(out, 5)?;
            self.name(out, member)?;
        }
        Ok(())
    }

    /// Index, part of all time, self time and children's time.
    fn costs(&self, out: &mut Vec<u8>, entry: Entry, costs: &Costs) -> io::Result<()> {
        let mut tag = format!("[{}]", self.graph.index(entry));
        tag.truncate(6);
        let percent = 100.0 * costs.shown_total() / self.all_ticks;
        write!(out, "{tag:6} {percent:5.1}")?;
        self.times(out, costs.shown_self, costs.shown_children)
    }

    /// Self time and children's time.
    fn times(&self, out: &mut Vec<u8>, own: f64, children: f64) -> io::Result<()> {
        columns::decimal(out, self.seconds(own), 7)?;
        columns::decimal(out, self.seconds(children), self.layout.children_width)
    }

    fn self_calls(&self, out: &mut Vec<u8>, costs: &Costs) -> io::Result<()> {
        if costs.self_calls == 0 {
            return columns::blanks(out, 8);
        }
        out.write_all(b"+")?;
        columns::count_left(out, costs.self_calls, 7)
    }

    /// The full name of a function, which ends the line.
    fn name(&self, out: &mut Vec<u8>, id: SymbolId) -> io::Result<()> {
        out.write_all(self.names.get(id))?;
        out.write_all(b"\n")
    }

    /// Without a histogram there is no rate, but then there are no ticks either.
    fn seconds(&self, ticks: f64) -> f64 {
        self.graph.profile().sampling().map_or(0.0, |sampling| sampling.units(ticks))
    }
}
