// What pictures show of the stacks of both sides. Frames have the widths of one side; each finds its twin in the
// stacks of the other, and its colour says by how much they differ.

const samples = hasStacks ? [samplesOf(BASE), samplesOf(NEW)] : [];

const both = (make) => {
  const sides = [BASE, NEW].map((side) => Object.assign(make(samples[side]), { side }));
  sides[BASE].twin = sides[NEW];
  sides[NEW].twin = sides[BASE];
  return sides[sideShown()];
};

// The branch of the other side; null if that has none.
const twinOf = (branch, stacks) => {
  if (branch.twin === undefined) {
    const above = branch.parent && twinOf(branch.parent, stacks);
    const isTwin = (other) => other.function === branch.function;
    branch.twin = branch.parent ? (above && stacks.twin.below(above).find(isTwin)) ?? null : stacks.twin.root;
  }
  return branch.twin;
};

// True if the tables say of a function, or of all, that its own time changed, or that with all it called.
const isProven = (f) => Boolean(f >= 0 ? ownOf(f)[3] || data.functions.total[f]?.[3] : data.total?.[3]);

// The times of a frame on both sides, or their shares of all.
const timesOf = (branch, stacks, isShare) => {
  const pair = stacks.side === NEW ? [twinOf(branch, stacks), branch] : [branch, twinOf(branch, stacks)];
  const units = [BASE, NEW].map((side) => (isShare ? 1 / Math.max(1, samples[side].all) : data.perSample[side]));
  const times = pair.map((it, side) => (it?.total ?? 0) * units[side]);
  const difference = change(times);
  // Samples of runs vary as those of functions usually do.
  const margin = data.chance * Math.sqrt(times[BASE] * units[BASE] + times[NEW] * units[NEW]);
  return { times, difference, isBeyond: Math.abs(difference) > margin && isProven(branch.function) };
};

// The largest difference that a node has.
const strongest = (isShare) => {
  let most = 0;
  const units = [BASE, NEW].map((side) => (isShare ? 1 / Math.max(1, samples[side].all) : data.perSample[side]));
  for (let i = 0; i < nodeCount; i++) {
    most = Math.max(most, Math.abs(samples[NEW].total[i] * units[NEW] - samples[BASE].total[i] * units[BASE]));
  }
  return most;
};
const most = { false: null, true: null };

// Orange for more, blue for less, stronger for a larger part of the largest difference; grey for what chance explains.
const tint = (part) => {
  if (part === 0) return style("--frame-root");
  const strength = 0.25 + 0.75 * Math.min(1, Math.abs(part));
  return `oklch(${style("--frame-light")} ${(style("--frame-change") * strength).toFixed(3)} ${part > 0 ? 52 : 255})`;
};
const frameColour = (branch, { stacks }) => {
  const isShare = state.colour === "share";
  const { difference, isBeyond } = timesOf(branch, stacks, isShare);
  return tint(isBeyond ? difference / (most[isShare] ??= strongest(isShare)) : 0);
};
const colourOf = (f) => tint(f >= 0 && ownOf(f)[3] ? Math.sign(ownOf(f)[3]) : 0);

const rootName = () => (sideShown() === NEW ? "all" : "all, by the base");
const frameNote = (branch, { stacks }) => {
  const { difference, isBeyond } = timesOf(branch, stacks);
  return isBeyond ? signed(difference) : "≈";
};
const pointsOf = (branch, stacks) => timesOf(branch, stacks, true).times.map((share) => (100 * share).toFixed(1)).join(" → ");

// Words for a frame, with a link to its function.
const frameDetails = (branch, { stacks }, isFull) => {
  const { function: f } = branch;
  const { times, difference, isBeyond } = timesOf(branch, stacks);
  const isRoot = !branch.parent && f === OUTSIDE;
  return [isRoot ? el("b", rootName()) : isFull ? functionLink(f) : el("b", nameOf(f)),
    ` · ${seconds(times[BASE])} → ${time(times[NEW])}, ${signed(difference)}${isBeyond ? "" : ", which chance explains"}`,
    isRoot ? "" : ` · ${pointsOf(branch, stacks)}${NO_BREAK}% of all`, moduleOf(f) ? ` · ${moduleOf(f)}` : ""];
};

const pictures = {
  without: () => ["There are no call stacks on both sides",
    ["Counts of calls do not tell which paths took time, so no flame graph is drawn from them."],
    ["To record call stacks: ", code("gmon run --runs 10 -d FOLDER PROGRAM"), " for each side."]],
  part: "Side",
  parts: () => [["", "Widths of the new side"], [BASE, "Widths of the base"]],
  colours: [["", "change in time"], ["share", "change in share"]],
  stacks: () => both((side) => Stacks.all(side, state.inverted)),
  around: (f, isUpward) => both((side) => Stacks.around(f, side, isUpward)),
  legend: () => [[tint(1), "takes longer"], [tint(-1), "takes less"], [tint(0), "≈ differs by no more than chance explains"]],
  heads: [`base${unit}`, `new${unit}`, "change"],
  cells(branch, stacks) {
    const { times, difference, isBeyond } = timesOf(branch, stacks);
    return [cell("number", seconds(times[BASE])), cell("number", seconds(times[NEW])),
      cell(`number${isBeyond ? ` strong${way(difference)}` : ""}`, signed(difference))];
  },
};
