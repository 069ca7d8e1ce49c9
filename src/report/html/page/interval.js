// Intervals of the run, if the times of samples were kept: each is a profile of its own.

const over = data.overTime;

// An interval as two steps, the second of which is not of it; null for the whole run.
const intervalOf = (range) => {
  if (!over || !range) return null;
  const [from, to] = range.split("-").map((ms) => Math.round((ms * 1000 - over.startUs) / over.stepUs));
  const first = Math.max(0, Math.min(from, over.steps - 1));
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

// Samples of one thread or of all, in an interval or in the whole run.
const samplesDuring = (part, interval = intervalOf(state.range)) => {
  if (!interval) return samplesOf(part);
  const self = new Float64Array(nodeCount);
  for (let k = sums.starts[interval[0]]; k < sums.starts[interval[1]]; k++) {
    if (part == null || over.thread[k] === part) self[sums.node[k]] += over.samples[k];
  }
  return samplesOf(null, self);
};

// Times of functions and of threads in an interval. No function is twice on a path of the tree.
const timesDuring = (interval) => {
  const samples = samplesDuring(null, interval);
  const [self, total] = [0, 0].map(() => new Float64Array(functionCount));
  nodes.function.forEach((f, i) => {
    if (f < 0) return;
    self[f] += samples.self[i] * data.period;
    total[f] += samples.total[i] * data.period;
  });
  const threadTimes = threads.map(() => 0);
  for (let k = sums.starts[interval[0]]; k < sums.starts[interval[1]]; k++) threadTimes[over.thread[k]] += over.samples[k];
  return { self, total, threadTimes, samples: samples.all, ofNodes: samples.total };
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
    now = interval ? profileOf({ ...times, range: state.range, pairs: pairsDuring(times.ofNodes), calls: [], error: [] }) : wholeRun;
  }
  return !interval || view === views.time ? null : [
    view.hasInterval ? `From ${intervalWords(interval)} only. ` : "The whole run: there are no times of a part of it in this view. ",
    linkTo({ range: "", zoom: "" }, "The whole run"), " · ", linkTo({ view: "time" }, "Choose another interval")];
};
