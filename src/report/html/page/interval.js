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

// Samples of each node itself in an interval, of one thread or of all.
const during = (part, interval) => {
  if (!interval) return undefined;
  const self = new Float64Array(nodeCount);
  for (let k = sums.starts[interval[0]]; k < sums.starts[interval[1]]; k++) {
    if (part == null || over.thread[k] === part) self[sums.node[k]] += over.samples[k];
  }
  return self;
};
