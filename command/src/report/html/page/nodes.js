// The tree of stacks, in preorder, and samples of it: those of a part, such as a thread, or all.

// For each node the end of its subtree, its depth and its parent.
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

// Samples of each node itself and of its subtree, of one part or of all; `self` if these are known already.
const samplesOf = (part, known) => {
  let self = known ?? Float64Array.from(tree.self);
  if (known) { /* They are of the part. */ } else if (part != null && tree.threads) {
    self = new Float64Array(nodeCount);
    const { node, thread: of, samples } = tree.threads;
    for (let k = 0, i = 0; k < node.length; k++) {
      i += node[k];
      if (of[k] === part) self[i] += samples[k];
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
