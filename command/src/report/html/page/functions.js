// All functions, sorted and filtered as asked.

views.functions = listView({
  title: "Functions",
  hasInterval: true,
  rows: byWeight,
  sort: { key: hasTime ? "self" : "calls", isUp: false },
  keys: {
    self: (f) => now.self[f],
    total: (f) => now.total[f],
    kernel: (f) => now.kernel[f],
    waiting: (f) => functions.totalWaiting[f],
    calls: (f) => callsOf(f),
    each: (f) => (byOthers(f) > 0 ? now.total[f] / byOthers(f) : -1),
    name: (f) => functions.name[f].toLowerCase(),
    module: (f) => moduleOf(f),
    place: (f) => `${fileOf(f)}:${String(functions.line[f]).padStart(8, "0")}`,
  },
  texts: ["name", "module", "place"],
  columns: [[`self${unit}`, "number time", "self", "Time in the function itself, measured"], ["%", "number strong"], ["", "bars"],
    [`total${unit}`, "number wide", "total", `Time with all that it called, ${isApportioned ? "apportioned by calls" : "measured"}`],
    ...(hasKernel ? [[`kernel${unit}`, "number wide", "kernel", "The part of the self time in which the kernel worked"]] : []),
    ...(hasWaits ? [[`waiting${unit}`, "number wide", "waiting", "The part of the total that was spent waiting"]] : []),
    ...(hasStacks ? [["±", "number wide", null, "95 of 100 runs agree"]] : []),
    ...(hasCalls ? [["calls", "number calls", "calls", "Exact; – where nothing counts them: code without -pg"],
      ["per call", "number wide", "each", "Total time divided by the calls from other functions"]] : []),
    ["function", "grow", "name"], ["module", "module", "module"], ["source", "place", "place"]],
  row: (f) => [cell("number time", seconds(now.self[f])), cell("number strong", percent(weightOf(f), now.weight)),
    cell("bars", bar(weightOf(f), now.total[f], now.weight)),
    cell("number wide", totalOf(f)), hasKernel && cell("number wide", seconds(now.kernel[f])), hasWaits && cell("number wide", ofWhole(functions.totalWaiting[f])), hasStacks && cell("number wide", errorOf(f)),
    hasCalls && cell("number calls", count(now.calls[f])), hasCalls && cell("number wide", perCallOf(f)),
    cell("grow", swatch(f), functionLink(f)), cell("module", moduleOf(f)),
    cell("place", sourceLink(functions.file[f], functions.line[f], placeOf(f)))],
  isFound: (f, is) => is[f],
  words(found) {
    const all = counted(byWeight().length, "function");
    if (!found) return `${all}. Self times are measured${isApportioned && hasTime ? ", total times are apportioned by calls" : ""}.`;
    const part = this.found.reduce((sum, f) => sum + weightOf(f), 0);
    return `${count(this.found.length)} of ${all}, with ${percents(part, now.weight)} of the ${hasTime ? "time" : "calls"} in themselves`;
  },
});
