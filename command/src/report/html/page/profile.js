// Profiles: calls and times, and what follows from them. Everything is found by its number.

const { threads } = data;
const hasTime = data.samples > 0;
// Whether much of the time was the kernel's, and whether waits were sampled, too.
const hasKernel = functions.kernel.length > 0;
const hasWaits = functions.waiting.length > 0;
const hasCalls = functions.calls.some((n) => n != null);
const isApportioned = data.inclusive === "apportioned";

const fileOf = (f) => (f >= 0 && functions.file[f] >= 0 ? files[functions.file[f]] : "");
const placeOf = (f) => {
  const [file, line] = [fileOf(f), f >= 0 ? functions.line[f] : 0];
  return file && line ? `${fileName(file)}:${line}` : fileName(file);
};

const threadName = (t) => threads[t].name || `thread ${threads[t].tid ?? t + 1}`;
// What one may choose to see alone.
const partKeys = threads.length > 1 ? keysOf(threads.map((_, t) => threadName(t))) : [];

// Pairs of a caller and a callee by either, those with the most time first.
const byEnds = (pairs) => {
  const by = (end) => {
    const map = new Map();
    for (const pair of pairs) map.has(pair[end]) ? map.get(pair[end]).push(pair) : map.set(pair[end], [pair]);
    return map;
  };
  pairs.sort((a, b) => b.total - a.total || approximate(b.calls) - approximate(a.calls));
  return { callers: by("callee"), callees: by("caller") };
};

// Arcs of one pair, from several lines, as one with `sites`.
const pairs = () => {
  const pairs = new Map();
  const sum = (a, b) => {
    if (a == null || b == null) return a ?? b;
    const exact = BigInt(a) + BigInt(b);
    return exact > BigInt(Number.MAX_SAFE_INTEGER) ? String(exact) : Number(exact);
  };
  for (let i = 0; i < arcs.caller.length; i++) {
    const [caller, callee] = [arcs.caller[i], arcs.callee[i]];
    const key = caller * functionCount + callee;
    let pair = pairs.get(key);
    if (!pair) pairs.set(key, (pair = { caller, callee, calls: null, total: 0, sites: [] }));
    pair.calls = sum(pair.calls, arcs.calls[i]);
    // The time of a pair stands at one of its arcs.
    pair.total += arcs.total[i] ?? 0;
    if (arcs.line[i]) pair.sites.push({ file: arcs.file[i], line: arcs.line[i], calls: arcs.calls[i] });
  }
  return [...pairs.values()];
};

// Samples of each thread.
const threadTimes = (() => {
  const sums = threads.map(() => 0);
  const { thread, samples } = tree?.threads ?? { thread: [], samples: [] };
  for (let k = 0; k < thread.length; k++) sums[thread[k]] += samples[k];
  if (!tree?.threads && threads.length === 1) sums[0] = data.samples;
  return sums;
})();

// A profile with what follows from its figures. `time` is the program's own, which shares are shares of.
// What orders functions, of which the profiler's own work is none: their time or, without samples, their calls.
// Inlined functions that are parts of others have neither.
const profileOf = (own) => {
  const calls = own.calls.map(approximate);
  const weights = hasTime ? own.self : calls;
  const time = own.samples * data.period;
  const order = [...functions.name.keys()].filter((f) => f !== data.hooks && (own.total[f] || own.calls[f] != null)).sort(
    (a, b) => weights[b] - weights[a] || own.total[b] - own.total[a] || calls[b] - calls[a]);
  return { ...own, ...byEnds(own.pairs), weights, time, order, weight: hasTime ? time : calls.reduce((a, b) => a + b, 0) };
};
const wholeRun = profileOf({ ...functions, range: "", samples: data.samples, threadTimes, pairs: pairs(),
  kernels: tree?.kernel && samplesOf(null, Float64Array.from(tree.kernel)).total });
// What views show: the whole run, or the interval of it that was chosen.
let now = wholeRun;

const byWeight = () => now.order;
const callsOf = (f) => approximate(now.calls[f]);
// A total, or the most that it can be if too few samples found it; and what it may be wrong by.
const totalOf = (f) => (now.error[f] < 0 ? `<${seconds(-now.error[f])}` : seconds(now.total[f]));
const errorOf = (f) => (now.error[f] > 0 ? seconds(now.error[f]) : "");
// The total of each call by others. No call has the time of inlined copies.
const inlinedToo = new Set(functions.inlinedToo);
const byOthers = (f) => (inlinedToo.has(f) ? 0 : callsOf(f) - approximate(functions.recursive[f]));
const perCallOf = (f) => {
  const isBound = now.error[f] < 0;
  const text = each(isBound ? -now.error[f] : now.total[f], byOthers(f));
  return isBound && byOthers(f) > 0 ? `<${text}` : text;
};
// A time that only the whole run has.
const ofWhole = (ns) => (now === wholeRun ? seconds(ns) : "–");
const weightOf = (f) => now.weights[f];
