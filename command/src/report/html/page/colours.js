// Colours tell modules apart (or files, or crates); a name has its colour in every report, unless another one there has it.
const groupOf = (f) => {
  if (f < 0) return "";
  if (state.colour === "file") return fileOf(f);
  if (state.colour === "crate") return crateOf(functions.name[f]) || moduleOf(f);
  return moduleOf(f);
};
// The first part of the path of a name: a crate of Rust, a namespace of C++.
const crateOf = (name) => /^<?(?:dyn |&(?:mut )?|\[)*([A-Za-z_]\w*)(?:\[[0-9a-f]+\])?::/.exec(name)?.[1] ?? "";
const hash = (text) => {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ (h >>> 15)) >>> 0;
};
// Its own hue, or the next one that none of the groups before it is close to: modules first, in the order of the page.
const hues = new Map();
const hueOf = (group) => {
  let hue = hues.get(group) ?? hash(group) % 360;
  const isTaken = () => [...hues.values()].some((other) => Math.abs(((hue - other + 540) % 360) - 180) < 20);
  for (let i = 0; !hues.has(group) && i < 18 && isTaken(); i++) hue = (hue + 137) % 360;
  hues.set(group, hue);
  return hue;
};
modules.forEach((module) => hueOf(module.name));
const groupColour = (group) =>
  group ? `oklch(${style("--frame-light")} ${style("--frame-chroma")} ${hueOf(group)})` : style("--frame-none");
// Functions of a module differ a little, so that neighbours can be told apart.
const frameColour = ({ function: f }) => {
  let colour = styles.get(f);
  if (colour == null) {
    const group = groupOf(f);
    const own = hash(nameOf(f));
    const light = Number(style("--frame-light")) + ((own % 7) - 3) * 0.012;
    const hue = hueOf(group) + (((own >> 8) % 5) - 2) * 4;
    colour = group ? `oklch(${light.toFixed(3)} ${style("--frame-chroma")} ${hue})` : style("--frame-none");
    styles.set(f, colour);
  }
  return colour;
};
const colourOf = (f) => groupColour(groupOf(f));
