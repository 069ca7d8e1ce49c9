// The comparison: times and calls of both sides, and what follows from them. Everything is found by its number.

const [BASE, NEW] = [0, 1];
const hasTime = data.total != null;
// What one may choose to see alone: pictures have the widths of the new side, or of the base.
const partKeys = ["base"];
const sideShown = () => (state.part == null ? NEW : BASE);

// A time: that of the base, that of the new side, half of the interval of the difference, whether that is shown
// as longer (1), shorter (-1), neither (0) or was not tested, and in words the part by which it grew, and q.
const NO_TIME = [0, 0, 0, null, "", ""];
const ownOf = (f) => functions.own[f] ?? NO_TIME;
const totalOf = (f) => functions.total[f] ?? NO_TIME;
const change = ([before, after]) => after - before;
const signed = (ns) => `${ns < 0 ? "−" : "+"}${seconds(Math.abs(ns))}`;
const minus = (text) => text.replace("-", "−");

// Calls: those of the base, of the new side and the change, in words; both as numbers; and whether they differ.
const callsOf = (f) => functions.calls[f];
const growth = (calls) => (calls ? calls[2] - calls[1] : 0);
const differs = (calls) => Boolean(calls?.[3]);

const size = (f) => Math.abs(change(ownOf(f)));
const isShown = (f) => Boolean(ownOf(f)[3]);
const sorted = [...functions.name.keys()].sort((a, b) => isShown(b) - isShown(a) || size(b) - size(a)
  || Math.abs(growth(callsOf(b))) - Math.abs(growth(callsOf(a))) || ownOf(b)[1] - ownOf(a)[1]);
const byWeight = () => sorted;
const chooseInterval = () => null;
const onlyIn = (f) => ["", " (only in base)", " (only in new)"][functions.presence[f]];
const link = (f) => [functionLink(f), f >= 0 ? onlyIn(f) : ""];

// Calls by caller and by callee, those that changed the most first.
const [calleesOf, callersOf] = (() => {
  const [out, into] = [new Map(), new Map()];
  const push = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  arcs.calls.forEach((calls, i) => {
    const pair = { caller: arcs.caller[i], callee: arcs.callee[i], calls };
    push(out, pair.caller, pair);
    push(into, pair.callee, pair);
  });
  const order = (a, b) => Math.abs(growth(b.calls)) - Math.abs(growth(a.calls)) || b.calls[2] - a.calls[2];
  for (const map of [out, into]) for (const list of map.values()) list.sort(order);
  return [(f) => out.get(f) ?? [], (f) => into.get(f) ?? []];
})();

// Cells of tables: two times with their difference, and two counts with theirs.
const way = (sign) => (sign > 0 ? " slower" : sign < 0 ? " faster" : "");
const timeHeads = [[`base${unit}`, "number time", "base"], [`new${unit}`, "number time", "after"], ["change", "number strong", "change"],
  ["±", "number wide", null, "95 of 100 such intervals hold the true difference"], ["%", "number wide", "part"],
  ["q", "number wide", "q", "How often chance alone makes a difference that is shown; – where too few samples were taken to test"]];
const timeCells = (times) => {
  const [before, after, margin, sign, part, q] = times;
  return [cell("number time", seconds(before)), cell("number time", seconds(after)),
    cell(`number${sign ? " strong" : ""}${way(sign)}`, signed(after - before)), cell("number wide", margin ? seconds(margin) : ""),
    cell("number wide", minus(part)), cell("number wide", q || "–")];
};
const callHeads = [["base", "number calls", "callsBase"], ["new", "number calls", "callsNew"], ["change", "number calls", "growth"]];
const callCells = (calls) => {
  const [before, after, grown] = calls?.[0] ?? ["–", "–", ""];
  return [cell("number calls", before), cell("number calls", after),
    cell(`number calls${differs(calls) ? " strong" : " outside"}`, minus(grown))];
};
