// What a page knows by numbers, and its names: functions, their modules, and the tree of their stacks.

const data = JSON.parse(document.getElementById("data").textContent);
const { functions, arcs, modules, files, tree } = data;
const functionCount = functions.name.length;
const nodeCount = tree ? tree.function.length : 0;
const hasStacks = nodeCount > 0;
// What stands behind the title of a column of times.
const unit = data.unit === "seconds" ? " s" : "";
const views = {};

const OUTSIDE = -1;
const nameOf = (f) => (f >= 0 ? functions.name[f] : f === OUTSIDE ? "[outside]" : "(other)");
const moduleOf = (f) => (f >= 0 && functions.module[f] >= 0 ? modules[functions.module[f]].name : "");

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
