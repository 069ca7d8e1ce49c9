// The calls around a function, two levels to each side.

const callGraph = (f) => {
  const pairs = (map) => (f) => map.get(f) ?? [];
  const [callersOf, calleesOf] = [pairs(now.callers), pairs(now.callees)];
  const [NODE, GAP, HEIGHT, LINE] = [184, 56, 40, 52];
  const [NEAR, FAR] = [5, 6];
  // A column: functions with the edges that lead to them from the column before.
  const column = (before, pairsOf, end, limit) => {
    const found = new Map();
    for (const from of before) {
      for (const pair of pairsOf(from).slice(0, limit)) {
        const to = pair[end];
        if (to === from || (found.size >= limit && !found.has(to))) continue;
        if (!found.has(to)) found.set(to, []);
        found.get(to).push({ from, pair });
      }
    }
    return found;
  };
  const callers = column([f], callersOf, "caller", NEAR);
  const callees = column([f], calleesOf, "callee", NEAR);
  const columns = [
    column([...callers.keys()], callersOf, "caller", FAR), callers, new Map([[f, []]]), callees,
    column([...callees.keys()], calleesOf, "callee", FAR)];
  if (callers.size + callees.size === 0) return "";
  const first = columns.findIndex((of) => of.size > 0);
  const tallest = Math.max(...columns.map((of) => of.size));
  const shown = columns.filter((of) => of.size > 0);
  const places = columns.map((of, k) => new Map([...of.keys()].map((id, i) =>
    [id, { x: (k - first) * (NODE + GAP) + 1, y: (i + (tallest - of.size) / 2) * LINE + 1 }])));
  const [width, height] = [shown.length * (NODE + GAP) - GAP + 2, tallest * LINE - (LINE - HEIGHT) + 2];
  const most = Math.max(...shown.flatMap((of) => [...of.values()].flat().map(({ pair }) => approximate(pair.calls))), 1);
  const [edges, boxes] = [[], []];
  columns.forEach((of, k) => {
    for (const [id, calls] of of) {
      for (const { from, pair } of calls) {
        const [left, right] = k < 2 ? [places[k].get(id), places[k + 1].get(from)] : [places[k - 1].get(from), places[k].get(id)];
        const [x1, y1, x2, y2] = [left.x + NODE, left.y + HEIGHT / 2, right.x, right.y + HEIGHT / 2];
        const strong = 1 + 4 * Math.sqrt(approximate(pair.calls) / most);
        edges.push(svg("path", { d: `M${x1} ${y1}C${x1 + GAP / 2} ${y1} ${x2 - GAP / 2} ${y2} ${x2} ${y2}`, "stroke-width": strong.toFixed(1) },
          svg("title", {}, `${nameOf(pair.caller)} calls ${nameOf(pair.callee)}: ${count(pair.calls)}`)));
      }
      const { x, y } = places[k].get(id);
      const sum = (of) => calls.reduce((total, { pair }) => total + approximate(pair[of]), 0);
      const note = k === 2 ? (hasTime ? `total ${percents(now.total[id], now.time)}` : `${count(now.calls[id])} calls`)
        : sum("calls") ? counted(sum("calls"), "call") : percents(sum("total"), now.time);
      const cut = cutName(shortName(nameOf(id)), 24);
      const heat = id >= 0 && hasTime ? share(now.self[id], now.time) / 100 : 0;
      const box = [svg("title", {}, nameOf(id)), svg("rect", { x, y, width: NODE, height: HEIGHT, rx: 5, class: k === 2 ? "centre" : "" }),
        svg("rect", { x, y: y + HEIGHT - 4, width: Math.max(heat > 0 ? 2 : 0, NODE * heat), height: 4, class: "heat" }),
        svg("text", { x: x + 9, y: y + 16, class: "label" }, cut), svg("text", { x: x + 9, y: y + 31, class: "note" }, note)];
      boxes.push(id >= 0 && k !== 2 ? svg("a", { href: toFunction(id) }, box) : svg("g", {}, box));
    }
  });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `Calls around ${nameOf(f)}` },
    svg("g", { class: "edges" }, edges), boxes);
  return card("Calls around it", "the strongest, two levels; the bar below a name is its self time",
    el("div.graph", { tabIndex: 0, role: "region", "aria-label": "Call graph" }, picture));
};
