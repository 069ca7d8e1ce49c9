// Functions that call each other in a circle, and those that call themselves.

views.cycles = {
  title: "Cycles",
  make(host) {
    const own = functions.name.map((_, f) => f).filter((f) => approximate(functions.recursive[f]) > 0)
      .sort((a, b) => approximate(functions.recursive[b]) - approximate(functions.recursive[a]));
    const members = (cycle) => [...cycle.functions].sort((a, b) => functions.self[b] - functions.self[a]);
    const cycleCard = (cycle, i) => card(`Cycle ${i + 1}`, `${counted(cycle.functions.length, "function")}${cycle.calls ? `, ${counted(cycle.calls, "call")} within` : ""}`
      + (hasTime ? `, self ${time(cycle.self)}, total ${time(cycle.total)}` : ""),
      table(members(cycle), "calls", functions.calls));
    const table = (list, title, calls) => tableOf(null, [`self${unit}`, [title, "number calls"], ["function", ""]],
      list.slice(0, 200).map((f) => [cell("number", seconds(functions.self[f])), cell("number calls", count(calls[f])),
        cell("grow", swatch(f), functionLink(f))]));
    if (data.cycles.length === 0) {
      host.append(empty("No functions call each other in a circle",
        ["Each function's total time is its own and that of what it called; nothing is counted twice."],
        own.length ? ["Functions that call themselves are listed below."] : [linkTo({ view: "functions" }, "All functions")]));
    } else {
      host.append(el("p.lead", "The members of a cycle call each other, so a part of their time belongs to each of them. "
        + (isApportioned ? "It is computed for the cycle as a whole." : "Each sample counts once for a function, however often it is on the stack.")));
    }
    host.append(...data.cycles.map(cycleCard));
    if (own.length) {
      host.append(card("Functions that call themselves", "", table(own, "calls of itself", functions.recursive)));
    }
  },
};
