// All functions, and all calls, of both sides.

const numberOf = { callsBase: (calls) => calls?.[1] ?? -1, callsNew: (calls) => calls?.[2] ?? -1, growth: (calls) => Math.abs(growth(calls)) };
const callKeys = (of) => Object.fromEntries(Object.entries(numberOf).map(([key, number]) => [key, (row) => number(of(row))]));

views.functions = listView({
  title: "Functions",
  rows: byWeight,
  sort: { key: hasTime ? "change" : "growth", isUp: false },
  keys: {
    base: (f) => ownOf(f)[0],
    after: (f) => ownOf(f)[1],
    change: size,
    part: (f) => (ownOf(f)[0] > 0 ? ownOf(f)[1] / ownOf(f)[0] : ownOf(f)[1] > 0 ? Infinity : 0),
    q: (f) => (ownOf(f)[5] ? -Number(ownOf(f)[5]) : -2),
    ...callKeys(callsOf),
    name: (f) => functions.name[f].toLowerCase(),
    module: (f) => moduleOf(f),
  },
  texts: ["name", "module"],
  columns: [...timeHeads, ...callHeads.map(([title, className, key]) => [`${title === "change" ? "" : "calls, "}${title}`, className, key]),
    ["function", "grow", "name"], ["module", "module", "module"]],
  row: (f) => [timeCells(ownOf(f)), callCells(callsOf(f)), cell("grow", swatch(f), link(f)), cell("module", moduleOf(f))],
  isFound: (f, is) => is[f],
  words(found) {
    const all = counted(functionCount, "function");
    return `${found ? `${count(this.found.length)} of ` : ""}${all}. Times are those of functions themselves, in one run.`;
  },
});
