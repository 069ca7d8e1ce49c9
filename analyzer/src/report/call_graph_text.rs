//! The call graph report as `gprof -q` writes it.

use std::io::{self, Write};

use super::blurbs;
use super::call_graph::{ArcLine, CallGraphReport, Lines};
use super::columns;
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
struct Writer<'w, 'g, 'n, W> {
    out: &'w mut W,
    graph: &'w CallGraph<'g>,
    names: &'w Names<'n>,
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
        let mut writer = Writer { out, graph, names, all_ticks, layout };
        writer.header(style)?;
        for entry in self.entries() {
            match (entry, self.lines(entry)) {
                (Entry::Function(id), Lines::Function { callers, callees }) => {
                    writer.function(id, &callers, &callees)?;
                }
                (Entry::Cycle(id), Lines::Cycle(members)) => writer.cycle(id, &members)?,
                // `lines` answers in kind.
                _ => {}
            }
            writer.out.write_all(layout.rule)?;
        }
        if !style.traditional && !style.brief {
            writer.out.write_all(blurbs::CALL_GRAPH.as_bytes())?;
        }
        Ok(())
    }
}

impl<W: Write> Writer<'_, '_, '_, W> {
    fn header(&mut self, style: Style) -> io::Result<()> {
        self.out.write_all(match style {
            Style { traditional: true, .. } => b"",
            Style { brief: true, .. } => b"\t\t\tCall graph\n\n",
            _ => b"\t\t     Call graph (explanation follows)\n\n",
        })?;
        let bytes = self.graph.profile().sampling().map_or(0, Sampling::bytes_per_bin);
        write!(self.out, "\ngranularity: each sample hit covers {bytes} byte(s)")?;
        if self.graph.shown_ticks() > 0.0 {
            let percent = 100.0 / self.all_ticks;
            let seconds = self.seconds(self.all_ticks);
            write!(self.out, " for {percent:.2}% of {seconds:.2} seconds\n\n")?;
        } else {
            write!(self.out, " no time propagated\n\n")?;
        }
        self.out.write_all(self.layout.headings)
    }

    fn function(
        &mut self,
        id: SymbolId,
        callers: &[ArcLine],
        callees: &[ArcLine],
    ) -> io::Result<()> {
        if callers.is_empty() {
            columns::blanks(self.out, 42 + self.layout.children_width)?;
            self.out.write_all(b"<spontaneous>\n")?;
        }
        for line in callers {
            self.arc(line)?;
        }
        let costs = self.graph.function(id);
        self.costs(Entry::Function(id), costs)?;
        if costs.calls == 0 && costs.self_calls == 0 {
            columns::blanks(self.out, 17)?;
        } else {
            columns::count(self.out, costs.calls, 7)?;
            self.self_calls(costs)?;
            self.out.write_all(b" ")?;
        }
        self.name(id)?;
        for line in callees {
            self.arc(line)?;
        }
        Ok(())
    }

    fn arc(&mut self, line: &ArcLine) -> io::Result<()> {
        let TimedArc { arc, kind, out_of, own, children } = line.arc;
        if kind == ArcKind::Outside {
            columns::blanks(self.out, 12)?;
            self.times(own, children)?;
            columns::count(self.out, arc.count, 7)?;
            self.out.write_all(b"/")?;
            columns::count_left(self.out, out_of, 7)?;
            columns::blanks(self.out, 5)?;
        } else {
            columns::blanks(self.out, 21 + self.layout.children_width)?;
            columns::count(self.out, arc.count, 7)?;
            columns::blanks(self.out, 13)?;
        }
        self.name(line.function)
    }

    fn cycle(&mut self, id: CycleId, members: &[SymbolId]) -> io::Result<()> {
        let costs = self.graph.cycle(id);
        self.costs(Entry::Cycle(id), costs)?;
        columns::count(self.out, costs.calls, 7)?;
        self.self_calls(costs)?;
        let index = self.graph.index(Entry::Cycle(id));
        writeln!(self.out, " <cycle {} as a whole> [{index}]", id.number())?;
        for &member in members {
            let costs = self.graph.function(member);
            columns::blanks(self.out, 12)?;
            self.times(costs.shown_self, costs.shown_children)?;
            columns::count(self.out, costs.calls, 7)?;
            self.self_calls(costs)?;
            columns::blanks(self.out, 5)?;
            self.name(member)?;
        }
        Ok(())
    }

    /// Index, part of all time, self time and children's time.
    fn costs(&mut self, entry: Entry, costs: &Costs) -> io::Result<()> {
        let mut tag = format!("[{}]", self.graph.index(entry));
        tag.truncate(6);
        let percent = 100.0 * costs.shown_total() / self.all_ticks;
        write!(self.out, "{tag:6} {percent:5.1}")?;
        self.times(costs.shown_self, costs.shown_children)
    }

    /// Self time and children's time.
    fn times(&mut self, own: f64, children: f64) -> io::Result<()> {
        columns::decimal(self.out, self.seconds(own), 7)?;
        columns::decimal(self.out, self.seconds(children), self.layout.children_width)
    }

    fn self_calls(&mut self, costs: &Costs) -> io::Result<()> {
        if costs.self_calls == 0 {
            return columns::blanks(self.out, 8);
        }
        self.out.write_all(b"+")?;
        columns::count_left(self.out, costs.self_calls, 7)
    }

    /// The full name of a function, which ends the line.
    fn name(&mut self, id: SymbolId) -> io::Result<()> {
        self.out.write_all(self.names.full(self.graph, id))?;
        self.out.write_all(b"\n")
    }

    /// Without a histogram there is no rate, but then there are no ticks either.
    fn seconds(&self, ticks: f64) -> f64 {
        self.graph.profile().sampling().map_or(0.0, |sampling| sampling.units(ticks))
    }
}
