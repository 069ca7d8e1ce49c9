// The profile: what the page holds, and what follows from it. Everything is found by its number.

const data = JSON.parse(document.getElementById("data").textContent);
const { functions, arcs, modules, files, threads, tree } = data;
const functionCount = functions.name.length;
const nodeCount = tree ? tree.function.length : 0;
const hasStacks = nodeCount > 0;
const allTime = data.samples * data.period;
const hasTime = allTime > 0;
// What stands behind the title of a column of times.
const unit = data.unit === "seconds" ? " s" : "";
const isApportioned = data.inclusive === "apportioned";

const OUTSIDE = -1;
const nameOf = (f) => (f >= 0 ? functions.name[f] : f === OUTSIDE ? "[outside]" : "(other)");
const moduleOf = (f) => (f >= 0 && functions.module[f] >= 0 ? modules[functions.module[f]].name : "");
const fileOf = (f) => (f >= 0 && functions.file[f] >= 0 ? files[functions.file[f]] : "");
const placeOf = (f) => {
  const [file, line] = [fileOf(f), f >= 0 ? functions.line[f] : 0];
  return file && line ? `${fileName(file)}:${line}` : fileName(file);
};
const callsOf = (f) => approximate(functions.calls[f]);
// A total, or the most that it can be if too few samples found it; and what it may be wrong by.
const totalOf = (f) => (functions.error[f] < 0 ? `<${seconds(-functions.error[f])}` : seconds(functions.total[f]));
const errorOf = (f) => (functions.error[f] > 0 ? seconds(functions.error[f]) : "");
// What orders functions: their time or, without samples, their calls.
const weightOf = (f) => (hasTime ? functions.self[f] : callsOf(f));
const wholeWeight = hasTime ? allTime : functions.calls.reduce((sum, n) => sum + approximate(n), 0);
const byWeight = [...functions.name.keys()].sort(
  (a, b) => weightOf(b) - weightOf(a) || functions.total[b] - functions.total[a]
    || approximate(functions.calls[b]) - approximate(functions.calls[a]));

// Names for addresses: if several have one name, the second ends in ~2.
const keysOf = (names) => {
  const seen = new Map();
  return names.map((name) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n > 1 ? `${name}~${n}` : name;
  });
};
const functionKeys = keysOf(functions.name);
const functionOfKey = new Map(functionKeys.map((key, f) => [key, f]));
const threadName = (t) => threads[t].name || `thread ${threads[t].tid ?? t + 1}`;
const threadKeys = keysOf(threads.map((_, t) => threadName(t)));

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

// The tree of stacks, in preorder: for each node the end of its subtree, depth, parent and samples.
const nodes = (() => {
  const [end, depth, parent] = [0, 0, 0].map(() => new Int32Array(nodeCount));
  const open = [];
  for (let i = 0; i < nodeCount; i++) {
    for (let up = tree.up[i]; up > 0; up--) end[open.pop()] = i;
    [depth[i], parent[i]] = [open.length, open.at(-1) ?? -1];
    open.push(i);
  }
  for (const i of open) end[i] = nodeCount;
  const called = Int32Array.from(tree?.function ?? [], (f) => (f < -1 ? -2 - f : f === -1 ? -2 : f));
  const isInlined = (i) => tree.function[i] < -1;
  return { end, depth, parent, function: called, isInlined };
})();

// Samples of each node itself and of its subtree, of one thread or of all.
const samplesOf = (thread) => {
  let self = Float64Array.from(tree.self);
  if (thread != null && tree.threads) {
    self = new Float64Array(nodeCount);
    const { node, thread: of, samples } = tree.threads;
    for (let k = 0, i = 0; k < node.length; k++) {
      i += node[k];
      if (of[k] === thread) self[i] += samples[k];
    }
  }
  const total = self.slice();
  let all = 0;
  for (let i = nodeCount - 1; i >= 0; i--) {
    if (nodes.parent[i] >= 0) total[nodes.parent[i]] += total[i];
    else all += total[i];
  }
  return { self, total, all };
};
const threadTimes = (() => {
  const sums = threads.map(() => 0);
  const { thread, samples } = tree?.threads ?? { thread: [], samples: [] };
  for (let k = 0; k < thread.length; k++) sums[thread[k]] += samples[k];
  if (!tree?.threads && threads.length === 1) sums[0] = data.samples;
  return sums;
})();

// Which functions a text or a /regular expression/ finds; nothing if there is no such text.
const matching = (query) => {
  if (!query) return null;
  let finds;
  const pattern = /^\/(.+?)\/?$/.exec(query);
  try {
    const regex = pattern && new RegExp(pattern[1], "i");
    const text = query.toLowerCase();
    finds = (name) => (regex ? regex.test(name) : name.toLowerCase().includes(text));
  } catch (error) {
    return { error: error.message, is: new Uint8Array(functionCount), count: 0 };
  }
  const is = Uint8Array.from(functions.name, (name, f) =>
    finds(name) || finds(moduleOf(f)) || (functions.linker[f] != null && finds(functions.linker[f])) ? 1 : 0);
  return { is, count: is.reduce((sum, n) => sum + n, 0) };
};

// Samples whose stack has a function that was found.
const samplesFound = (found, samples) => {
  let sum = 0;
  for (let i = 0; i < nodeCount;) {
    const f = nodes.function[i];
    if (f >= 0 && found.is[f]) {
      sum += samples.total[i];
      i = nodes.end[i];
    } else i++;
  }
  return sum;
};
