// Intervals of the run, if the times of samples were kept: each is a profile of its own.

const over = data.overTime;

const inRun = (step) => Math.max(0, Math.min(step, over.steps - 1));

// An interval as two steps, the second of which is not of it; null for the whole run.
const intervalOf = (range) => {
  if (!over || !range) return null;
  const [from, to] = range.split("-").map((ms) => Math.round((ms * 1000 - over.startUs) / over.stepUs));
  const first = inRun(from);
  return [first, Math.max(first + 1, Math.min(to, over.steps))];
};
const millis = (step) => (over.startUs + step * over.stepUs) / 1000;
const moment = (step) => `${(millis(step) / 1000).toFixed(3)}${NO_BREAK}s`;
const intervalWords = ([from, to]) => `${moment(from)} to ${moment(to)}`;

// Sums in the order of their steps, and where each step begins among them.
const sums = (() => {
  if (!over) return null;
  const n = over.step.length;
  const [node, starts] = [new Int32Array(n), new Int32Array(over.steps + 1)];
  for (let k = 0, step = 0; k < n; k++) {
    const isNext = k > 0 && over.step[k] === 0 && over.thread[k] === over.thread[k - 1];
    node[k] = over.node[k] + (isNext ? node[k - 1] : 0);
    step += over.step[k];
    starts[step + 1] = k + 1;
  }
  for (let step = 1; step <= over.steps; step++) starts[step] = Math.max(starts[step], starts[step - 1]);
  return { node, starts };
})();

// Samples of nodes and of threads, of one thread or of all, in an interval; or the part of them in another list.
const sumsDuring = ([from, to], part, list = over.samples) => {
  const [self, threadTimes] = [new Float64Array(nodeCount), threads.map(() => 0)];
  for (let k = sums.starts[from]; k < sums.starts[to]; k++) {
    const thread = over.thread[k];
    if (part != null && thread !== part) continue;
    self[sums.node[k]] += list[k];
    threadTimes[thread] += list[k];
  }
  return { ...samplesOf(null, self), threadTimes };
};

// Samples of one thread or of all, in the interval that was chosen or in the whole run.
const samplesDuring = (part) => {
  const interval = intervalOf(state.range);
  return interval ? sumsDuring(interval, part) : samplesOf(part);
};

// Times of functions, of those of nodes. No function is twice on a path of the tree.
const ofFunctions = (ofNodes, unit = data.period) => {
  const times = new Float64Array(functionCount);
  nodes.function.forEach((f, i) => {
    if (f >= 0) times[f] += ofNodes[i] * unit;
  });
  return times;
};

// Errors of totals in an interval, or how much they are at most, negative: by the interval of Wilson, as `gmon report` tells them.
const errorsDuring = ([from, to], { self, total, samples }) => {
  const [looks, hooks] = [sumsDuring([from, to], null, over.looks), data.hooks ?? -1];
  const [found, z] = [ofFunctions(looks.total, 1), 1.959964];
  const [all, own] = [samples * data.period - (self[hooks] ?? 0), looks.all - (found[hooks] ?? 0)];
  const squares = over.squares.slice(from, to).reduce((a, b) => a + b, 0);
  const dispersion = Math.max(1, Math.round((looks.all * squares * 1000) / samples ** 2) / 1000);
  const n = Math.min(own, (all / data.period / samples * looks.all) ** 2 / dispersion / own);
  const square = z * z / n;
  return Array.from(total, (time, f) => {
    if (!time || f === hooks) return 0;
    const share = Math.min(1, time / all);
    const half = z * Math.sqrt((share * (1 - share) + square / 4) / n);
    const [low, high] = [-half, half].map((by) => all * Math.max(0, Math.min(1, (share + square / 2 + by) / (1 + square))));
    return found[f] < 5 ? -high : (high - low) / 2;
  });
};

// Times of functions and of threads in an interval.
const timesDuring = (interval) => {
  const { self, total, all, threadTimes } = sumsDuring(interval);
  return { self: ofFunctions(self), total: ofFunctions(total), threadTimes, samples: all, ofNodes: total };
};

// Samples of each line in the interval that was chosen, or in the whole run.
const lineSamples = () => {
  const interval = intervalOf(state.range);
  if (!interval || !over.lines) return data.lines.samples;
  const { step, line, samples } = over.lines;
  const found = new Float64Array(data.lines.line.length);
  for (let k = 0, at = 0; k < line.length; k++) {
    at += step[k];
    if (at >= interval[0] && at < interval[1]) found[line[k]] += samples[k];
  }
  return found;
};

// Callers and callees in an interval, with their times.
const pairsDuring = (total) => {
  const pairs = new Map();
  nodes.function.forEach((callee, i) => {
    const caller = nodes.function[nodes.parent[i]];
    if (!(callee >= 0 && caller >= 0 && total[i])) return;
    const key = caller * functionCount + callee;
    if (!pairs.has(key)) pairs.set(key, { caller, callee, total: 0, sites: [] });
    pairs.get(key).total += total[i] * data.period;
  });
  return [...pairs.values()];
};

// Chooses the profile that views show, and says which to those who look at a view. Calls and waits have no times.
const chooseInterval = (view) => {
  const interval = intervalOf(state.range);
  if (now.range !== state.range) {
    const times = interval && timesDuring(interval);
    const kernel = interval && hasKernel && sumsDuring(interval, null, over.kernel);
    now = interval ? profileOf({ ...times, range: state.range, pairs: pairsDuring(times.ofNodes), calls: [], error: over.looks.length ? errorsDuring(interval, times) : [],
      kernel: kernel && ofFunctions(kernel.self), kernels: kernel && kernel.total }) : wholeRun;
  }
  return !interval || view === views.time ? null : [
    view.hasInterval ? `From ${intervalWords(interval)} only. ` : "The whole run: there are no times of a part of it in this view. ",
    linkTo({ range: "", zoom: "" }, "The whole run"), " · ", linkTo({ view: "time" }, "Choose another interval")];
};
