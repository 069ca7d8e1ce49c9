// All calls by caller and callee, on both sides.

views.calls = listView({
  title: "Calls",
  rows: () => [...arcs.calls.keys()].sort((a, b) => Math.abs(growth(arcs.calls[b])) - Math.abs(growth(arcs.calls[a]))),
  sort: { key: "growth", isUp: false },
  keys: {
    ...callKeys((i) => arcs.calls[i]),
    caller: (i) => nameOf(arcs.caller[i]).toLowerCase(),
    callee: (i) => nameOf(arcs.callee[i]).toLowerCase(),
  },
  texts: ["caller", "callee"],
  columns: [...callHeads, ["caller", "grow", "caller"], ["callee", "grow", "callee"]],
  row: (i) => [callCells(arcs.calls[i]), cell("grow", link(arcs.caller[i])), cell("grow", link(arcs.callee[i]))],
  isFound: (i, is) => is[arcs.caller[i]] || is[arcs.callee[i]],
  words(found) {
    const changed = this.found.filter((i) => differs(arcs.calls[i])).length;
    return `${found ? `${count(this.found.length)} of ` : ""}${counted(arcs.calls.length, "pair")} of caller and callee; the calls of ${count(changed)} changed.`;
  },
});
