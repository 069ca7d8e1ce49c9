// Trees that pictures show: downwards what was called, or upwards who called. Each is made of the tree of
// stacks, as far as somebody looks: a branch stands for `items`, nodes of that tree, of which each has a
// `weight`, and finds its own branches when it is first asked for them.

class Stacks {
  constructor(samples, isUpward = false) {
    this.samples = samples;
    this.isUpward = isUpward;
  }

  // All stacks from their starts; upwards, the functions in which time was spent, with their callers.
  static all(samples, isUpward) {
    const stacks = new Stacks(samples, isUpward);
    const items = [];
    if (isUpward) {
      for (let i = 0; i < nodeCount; i++) if (samples.self[i] > 0) items.push(i);
    } else {
      for (let i = 0; i < nodeCount; i = nodes.end[i]) items.push(i);
    }
    const weights = items.map((i) => (isUpward ? samples.self[i] : samples.total[i]));
    stacks.root = stacks.branch(OUTSIDE, null, [], []);
    stacks.root.total = samples.all;
    stacks.root.branches = stacks.group(items, weights, stacks.root);
    return stacks;
  }

  // The callers or the callees of a function. Of nested calls the outermost one counts.
  static around(f, samples, isUpward) {
    const stacks = new Stacks(samples, isUpward);
    const items = [];
    for (let i = 0; i < nodeCount;) {
      if (nodes.function[i] === f) {
        if (samples.total[i] > 0) items.push(i);
        i = nodes.end[i];
      } else i++;
    }
    stacks.root = stacks.branch(f, null, items, items.map((i) => samples.total[i]));
    return stacks;
  }

  branch(f, parent, items, weights) {
    let [total, self] = [0, 0];
    for (let k = 0; k < items.length; k++) {
      total += weights[k];
      self += this.samples.self[items[k]];
    }
    const depth = parent ? parent.depth + 1 : 0;
    return { function: f, parent, depth, items, weights, total, self, branches: null };
  }

  // What stands below a branch, the largest first.
  below(branch) {
    return (branch.branches ??= this.isUpward ? this.callers(branch) : this.callees(branch));
  }

  hasBelow(branch) {
    if (branch === this.root || branch.branches) return this.below(branch).length > 0;
    return branch.items.some((i) => (this.isUpward ? nodes.parent[i] >= 0 : nodes.end[i] > i + 1));
  }

  callees(branch) {
    const items = [];
    for (const item of branch.items) {
      for (let i = item + 1; i < nodes.end[item]; i = nodes.end[i]) {
        if (this.samples.total[i] > 0) items.push(i);
      }
    }
    return this.group(items, items.map((i) => this.samples.total[i]), branch);
  }

  callers(branch) {
    // Siblings have one caller.
    const sums = new Map();
    branch.items.forEach((item, k) => {
      const parent = nodes.parent[item];
      if (parent >= 0) sums.set(parent, (sums.get(parent) ?? 0) + branch.weights[k]);
    });
    return this.group([...sums.keys()], [...sums.values()], branch);
  }

  group(items, weights, parent) {
    const groups = new Map();
    for (let k = 0; k < items.length; k++) {
      // Inlined frames stand apart from calls.
      const key = tree.function[items[k]];
      let group = groups.get(key);
      if (!group) groups.set(key, (group = [[], []]));
      group[0].push(items[k]);
      group[1].push(weights[k]);
    }
    const branches = [...groups.values()].map(([of, weigh]) =>
      this.branch(nodes.function[of[0]], parent, of, weigh));
    return branches.filter((b) => b.total > 0).sort((a, b) => b.total - a.total || a.items[0] - b.items[0]);
  }

  // A branch as an address: the functions from the root, by their numbers.
  address(branch) {
    const steps = [];
    for (let b = branch; b.parent; b = b.parent) steps.push(tree.function[b.items[0]]);
    return steps.reverse().join(".");
  }

  // The branch at an address, or the last one on the way that is there.
  at(address) {
    let branch = this.root;
    for (const step of address ? address.split(".") : []) {
      const next = this.below(branch).find((b) => tree.function[b.items[0]] === Number(step));
      if (!next) break;
      branch = next;
    }
    return branch;
  }
}

const isInlined = (branch) => branch.items.length > 0 && nodes.isInlined(branch.items[0]);
