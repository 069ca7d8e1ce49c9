// The profile: calls and times, and what follows from them. Everything is found by its number.

const { threads } = data;
// The program's own time, which shares are shares of.
const allTime = data.samples * data.period;
const hasTime = allTime > 0;
// Whether waits were sampled, too.
const hasWaits = functions.waiting.length > 0;
const isApportioned = data.inclusive === "apportioned";

const fileOf = (f) => (f >= 0 && functions.file[f] >= 0 ? files[functions.file[f]] : "");
const placeOf = (f) => {
  const [file, line] = [fileOf(f), f >= 0 ? functions.line[f] : 0];
  return file && line ? `${fileName(file)}:${line}` : fileName(file);
};
const callsOf = (f) => approximate(functions.calls[f]);
// A total, or the most that it can be if too few samples found it; and what it may be wrong by.
const totalOf = (f) => (functions.error[f] < 0 ? `<${seconds(-functions.error[f])}` : seconds(functions.total[f]));
const errorOf = (f) => (functions.error[f] > 0 ? seconds(functions.error[f]) : "");
// What orders functions, of which the profiler's own work is none: their time or, without samples, their calls.
// Inlined functions that are parts of others have neither.
const weightOf = (f) => (hasTime ? functions.self[f] : callsOf(f));
const wholeWeight = hasTime ? allTime : functions.calls.reduce((sum, n) => sum + approximate(n), 0);
const byWeight = [...functions.name.keys()].filter((f) => f !== data.hooks && (functions.total[f] || functions.calls[f] != null)).sort(
  (a, b) => weightOf(b) - weightOf(a) || functions.total[b] - functions.total[a] || callsOf(b) - callsOf(a));

const threadName = (t) => threads[t].name || `thread ${threads[t].tid ?? t + 1}`;
// What one may choose to see alone.
const partKeys = threads.length > 1 ? keysOf(threads.map((_, t) => threadName(t))) : [];

// Arcs by caller and by callee; those of one pair, from several lines, become one with `sites`.
const [calleesOf, callersOf] = (() => {
  const [out, into, pairs] = [new Map(), new Map(), new Map()];
  const push = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  const sum = (a, b) => {
    if (a == null || b == null) return a ?? b;
    const exact = BigInt(a) + BigInt(b);
    return exact > BigInt(Number.MAX_SAFE_INTEGER) ? String(exact) : Number(exact);
  };
  for (let i = 0; i < arcs.caller.length; i++) {
    const [caller, callee] = [arcs.caller[i], arcs.callee[i]];
    const key = caller * functionCount + callee;
    let pair = pairs.get(key);
    if (!pair) {
      pair = { caller, callee, calls: null, total: 0, sites: [] };
      pairs.set(key, pair);
      push(out, caller, pair);
      push(into, callee, pair);
    }
    pair.calls = sum(pair.calls, arcs.calls[i]);
    // The time of a pair stands at one of its arcs.
    pair.total += arcs.total[i] ?? 0;
    if (arcs.line[i]) pair.sites.push({ file: arcs.file[i], line: arcs.line[i], calls: arcs.calls[i] });
  }
  const order = (a, b) => b.total - a.total || approximate(b.calls) - approximate(a.calls);
  for (const map of [out, into]) for (const list of map.values()) list.sort(order);
  return [(f) => out.get(f) ?? [], (f) => into.get(f) ?? []];
})();

// Samples of each thread.
const threadTimes = (() => {
  const sums = threads.map(() => 0);
  const { thread, samples } = tree?.threads ?? { thread: [], samples: [] };
  for (let k = 0; k < thread.length; k++) sums[thread[k]] += samples[k];
  if (!tree?.threads && threads.length === 1) sums[0] = data.samples;
  return sums;
})();
