// The first page: what changed, in a sentence, two tables and a picture; then what was compared.

const FIRST = 10;

// The first rows of a list as a table, or words if there are none.
const firstOf = (title, list, columns, cells, none, view) => card(title, "",
  list.length === 0 ? el("p", none) : tableOf(title, columns, list.slice(0, FIRST).map(cells)),
  el("p.foot", list.length > FIRST ? `${count(list.length - FIRST)} more. ` : "",
    linkTo({ view }, `All ${view}`)));

const [timesChanged, callsChanged] = data.changed;

const slowerAndFaster = () => firstOf("Slower and faster functions", timesChanged,
  [...timeHeads, ["function", ""]],
  (f) => [timeCells(ownOf(f)), cell("grow", swatch(f), link(f))],
  hasTime ? "None differs by more than chance explains." : "No samples were taken, so no time is known.", "functions");

const calledDifferently = () => {
  const callers = (pairs) => pairs.slice(0, 3).map((i) => [" by ", functionLink(arcs.caller[i]), ` ${minus(arcs.calls[i][0][2])}`]);
  return firstOf("Functions called more or less often", callsChanged, [...callHeads, ["function", ""]],
    ([f, pairs]) => [callCells(callsOf(f)), cell("grow", link(f), el("span.called", callers(pairs)))],
    "None is called more or less often beyond doubt.", "calls");
};

const picture = () => {
  if (!hasStacks) return card("Flame graph", "", el("p", pictures.without()[0], "."));
  return firstLevels("Flame graph of the difference", both((side) => Stacks.all(side, false)),
    "Each frame is called by the one above it. Its width is its time in the new side; orange takes longer than in the base, blue less.",
    () => "");
};

views.overview = {
  title: "Overview",
  make(host) {
    const { verdict, limits, notes } = data;
    host.append(
      div("answer", el("h2", verdict), el("p.lead", data.totals),
        limits.map((text) => el(/^kept/.test(text) ? "p" : "p.caution", text)), notes.map((text) => el("p.caution", text))),
      div("columns", div("side", slowerAndFaster(), calledDifferently(), picture()),
        div("side", facts("Compared"))));
  },
};
