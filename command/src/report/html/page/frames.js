// What pictures show of a profile's stacks: which samples, in which colours, with which words.

const rootName = () => (state.part == null ? "all" : threadName(state.part));
const frameNote = (branch, icicle) => percents(branch.total, icicle.whole());

// Words for a frame, with links to its function and its source.
const frameDetails = (branch, icicle, isFull) => {
  const { function: f } = branch;
  if (!branch.parent && f === OUTSIDE) return [el("b", rootName()), ` · ${time(branch.total * data.period)}`];
  const inside = icicle.zoomed !== icicle.stacks.root && icicle.zoomed !== branch && branch.depth > icicle.zoomed.depth
    ? ` · ${percents(branch.total, icicle.zoomed.total)} of the zoomed frame` : "";
  const self = branch.self > 0 && !icicle.stacks.isUpward ? ` · itself ${time(branch.self * data.period)}` : "";
  const isKnown = now.kernels && !icicle.stacks.isUpward && state.part == null;
  const kernel = isKnown ? branch.items.reduce((sum, i) => sum + now.kernels[i], 0) : 0;
  const where = [moduleOf(f), placeOf(f)].filter(Boolean).join(", ");
  const place = f >= 0 && functions.line[f] ? sourceLink(functions.file[f], functions.line[f], where) : where;
  return [isFull ? functionLink(f) : el("b", nameOf(f)), isInlined(branch) ? " (inlined)" : "",
    ` · ${percents(branch.total, icicle.whole())} · ${time(branch.total * data.period)}${self}${kernel ? ` · ${percents(kernel, branch.total)} of it in the kernel` : ""}${inside}`,
    where ? " · " : "", place];
};

const pictures = {
  without: () => ["This profile has no call stacks",
    ["Counts of calls do not tell which paths took time, so no flame graph is drawn from them."],
    ["To record them: ", code(data.record)],
    ["Until then, there are ", el("a", { href: toFunction(byWeight()[0]) }, "callers and callees with exact counts"), "."]],
  part: "Thread",
  parts: () => [["", threads.length > 1 ? `All ${threads.length} threads` : "All threads"],
    ...threads.map((_, t) => t).sort((a, b) => threadTimes[b] - threadTimes[a])
      .map((t) => [t, `${threadName(t)} · ${percents(threadTimes[t], data.samples)}`])],
  colours: [["", "module"], ["file", "source file"], ["crate", "crate or namespace"]],
  stacks: () => Stacks.all(samplesDuring(state.part), state.inverted),
  around: (f, isUpward) => Stacks.around(f, samplesDuring(null), isUpward),
  // The groups with the most time, and their colours.
  legend() {
    const sums = new Map();
    functions.name.forEach((_, f) => sums.set(groupOf(f), (sums.get(groupOf(f)) ?? 0) + functions.self[f]));
    const groups = [...sums].filter(([, sum]) => sum > 0).sort((a, b) => b[1] - a[1]).slice(0, 8);
    return groups.map(([group]) => [groupColour(group), fileName(group) || "no module"]);
  },
  heads: ["%", `total${unit}`, [`self${unit}`, "number wide"]],
  cells: (branch, stacks) => [cell("number strong", percent(branch.total, stacks.root.total)), cell("number", seconds(branch.total * data.period)),
    cell("number wide", stacks.isUpward ? "" : seconds(branch.self * data.period))],
};
