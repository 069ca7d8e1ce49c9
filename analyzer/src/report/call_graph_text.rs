//! The call graph report as `gprof -q` writes it.

use std::io::{self, Write};

use super::blurbs;
use super::call_graph::{ArcLine, CallGraphReport, Lines};
use super::columns;
use super::names::Names;
use super::page::Page;
use crate::analysis::{ArcKind, CallGraph, Costs, CycleId, Entry, TimedArc};
use crate::symbols::SymbolId;

/// The line between two entries.
const RULE: &[u8] = b"-----------------------------------------------\n";

/// Writes lines whose numbers are relative to the whole report.
struct Writer<'w, 'g, 'n, W> {
    out: &'w mut W,
    graph: &'w CallGraph<'g>,
    names: &'w Names<'n>,
    /// All time shown, in ticks; 1 if there is none.
    all_ticks: f64,
}

impl CallGraphReport<'_> {
    /// Writes the report as `gprof -q` does, without the index.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>, names: &Names<'_>) -> io::Result<()> {
        let brief = page.style().brief;
        let out = page.begin()?;
        let graph = self.graph();
        let shown = graph.shown_ticks();
        let all_ticks = if shown > 0.0 { shown } else { 1.0 };
        let mut writer = Writer { out, graph, names, all_ticks };
        writer.header(brief)?;
        for entry in self.entries() {
            match (entry, self.lines(entry)) {
                (Entry::Function(id), Lines::Function { callers, callees }) => {
                    writer.function(id, &callers, &callees)?;
                }
                (Entry::Cycle(id), Lines::Cycle(members)) => writer.cycle(id, &members)?,
                // `lines` answers in kind.
                _ => {}
            }
            writer.out.write_all(RULE)?;
        }
        if !brief {
            writer.out.write_all(blurbs::CALL_GRAPH.as_bytes())?;
        }
        Ok(())
    }
}

impl<W: Write> Writer<'_, '_, '_, W> {
    fn header(&mut self, brief: bool) -> io::Result<()> {
        let title = if brief {
            "\t\t\tCall graph\n\n"
        } else {
            "\t\t     Call graph (explanation follows)\n\n"
        };
        let scale = self.graph.profile().sampling().map_or(0.0, |sampling| sampling.scale);
        // Whole units of two bytes, as an integer even where bins are no multiple of them.
        let bytes = (scale as i64).wrapping_mul(2);
        write!(self.out, "{title}\ngranularity: each sample hit covers {bytes} byte(s)")?;
        if self.graph.shown_ticks() > 0.0 {
            let percent = 100.0 / self.all_ticks;
            let seconds = self.seconds(self.all_ticks);
            write!(self.out, " for {percent:.2}% of {seconds:.2} seconds\n\n")?;
        } else {
            write!(self.out, " no time propagated\n\n")?;
        }
        self.out.write_all(b"index % time    self  children    called     name\n")
    }

    fn function(
        &mut self,
        id: SymbolId,
        callers: &[ArcLine],
        callees: &[ArcLine],
    ) -> io::Result<()> {
        if callers.is_empty() {
            columns::blanks(self.out, 49)?;
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
            columns::blanks(self.out, 28)?;
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
        columns::decimal(self.out, self.seconds(children), 7)
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
