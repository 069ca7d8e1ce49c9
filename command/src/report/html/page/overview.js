// The first page: where the time goes, in a sentence, a list and a picture; then what the run was.

// How many of the functions make up half of all.
const halfOf = () => {
  let [sum, n] = [0, 0];
  while (n < byWeight().length && sum < now.weight / 2) sum += weightOf(byWeight()[n++]);
  return n;
};

// The call below which at least half of all samples lie.
const funnel = () => {
  const path = [];
  if (!hasStacks) return path;
  const samples = samplesDuring(null);
  for (let [i, end] = [0, nodeCount]; i < end;) {
    let widest = -1;
    for (let k = i; k < end; k = nodes.end[k]) {
      if (widest < 0 || samples.total[k] > samples.total[widest]) widest = k;
    }
    if (samples.total[widest] < samples.all / 2) break;
    path.push({ function: nodes.function[widest], total: samples.total[widest] });
    [i, end] = [widest + 1, nodes.end[widest]];
  }
  return path;
};

const answer = () => {
  const first = byWeight()[0];
  if (first == null || now.weight === 0) return [el("h2", "Nothing was sampled or counted.")];
  const whole = hasTime ? time(now.time) : counted(now.weight, "call");
  const what = hasTime ? (data.unit === "seconds" ? ` of ${data.clock}` : "") : "";
  const part = share(weightOf(first), now.weight);
  const half = halfOf();
  const verb = hasTime ? "takes" : "gets";
  const isSpread = part < 5;
  const lead = el("h2", isSpread ? ["No function ", verb, " more than "] : [functionLink(first), ` ${verb} `],
    el("b", `${part.toFixed(1)}${NO_BREAK}%`), ` of ${whole}${what}`);
  const rest = half > 1 ? [`${half} functions make up half of it. `] : [];
  if (isSpread) rest.push("The first is ", functionLink(first), ". ");
  if (hasTime && now.total[first] > 1.05 * now.self[first]) {
    rest.push(`With what it calls, it takes ${percents(now.total[first], now.time)}${isApportioned ? " (apportioned by calls)" : ""}. `);
  }
  // What starts programs and threads tells nothing.
  const path = funnel().filter(({ function: f }) => f >= 0 && !/^(<?(std|core|alloc)::|_*libc_start|_start|clone|start_thread)/.test(nameOf(f)));
  const last = path.at(-1);
  if (last && last.function !== first && path.length > 1) {
    rest.push(`${percents(last.total, now.samples)} is spent in or below `, functionLink(last.function), ".");
  }
  return [lead, el("p.lead", rest)];
};

const hottest = () => {
  const rows = byWeight().filter((f) => weightOf(f) > 0).slice(0, 10);
  const widest = Math.max(...rows.map((f) => (hasTime ? now.total[f] : weightOf(f))));
  const cells = (f) => [
    cell("number strong", hasTime ? percent(now.self[f], now.time) : percent(weightOf(f), now.weight)),
    cell("number time", hasTime && seconds(now.self[f])),
    cell("number wide", hasTime && totalOf(f)),
    hasCalls && cell("number calls", count(now.calls[f])),
    cell("grow", swatch(f), functionLink(f)), cell("bars", bar(weightOf(f), now.total[f], widest))];
  return card(hasTime ? "Hottest functions" : "Most called functions", "",
    tableOf(null, ["%", [`self${unit}`, "number time"], [`total${unit}`, "number wide"], ...(hasCalls ? [["calls", "number calls"]] : []), ["function", ""], ["", "bars"]],
      rows.map(cells)),
    el("p.foot",
      hasTime && el("span.key", el("i.own"), "in the function itself"),
      hasTime && el("span.key", el("i.total"),
        isApportioned ? "with what it called, apportioned by calls" : "with what it called, measured"),
      linkTo({ view: "functions" }, `All ${counted(byWeight().length, "function")}`)));
};

// Parts of a whole as one bar and a list, each with the state of the page that shows it alone.
const composition = (title, parts, whole) => {
  const sorted = parts.filter((part) => part.weight > 0).sort((a, b) => b.weight - a.weight);
  const shown = sorted.slice(0, 6);
  const others = sorted.slice(6).reduce((sum, part) => sum + part.weight, 0);
  if (others > 0) shown.push({ name: `${sorted.length - 6} others`, weight: others, colour: style("--frame-none") });
  return card(title, "",
    div("stack", shown.map((part) => el("i", { style: { "flex-grow": part.weight, background: part.colour } }))),
    el("ul.parts", shown.map((part) => el("li", null,
      patch(part.colour), el(part.to ? "a" : "span", { href: part.to && address(part.to), className: "name", title: part.name }, part.name),
      el("b.number", percents(part.weight, whole))))));
};

const byModule = () => {
  const sums = new Map();
  const add = (name, weight) => sums.set(name, (sums.get(name) ?? 0) + weight);
  byWeight().forEach((f) => add(moduleOf(f), weightOf(f)));
  const parts = [...sums].map(([name, weight]) => ({ name: name || "[no module]", weight, colour: groupColour(name), to: name ? { view: "functions", query: name } : null }));
  return composition(hasTime ? "Time by module" : "Calls by module", parts, now.weight);
};

const byThread = () => {
  if (threads.length < 2) return null;
  const parts = threads.map((_, t) => ({ name: threadName(t), weight: now.threadTimes[t], colour: groupColour(threadName(t)), to: { view: "flame", part: t } }));
  return composition("Time by thread", parts, now.samples);
};

const picture = () => {
  if (!hasStacks) {
    return card("Flame graph", "",
      el("p", "There are no call stacks, so there is no flame graph: calls alone would show paths that nobody took. ",
        el("a", { href: toFunction(byWeight()[0]) }, "See who calls what"), ", with exact counts."),
      el("p", "To measure it: ", code(data.record)));
  }
  return firstLevels("Flame graph", Stacks.all(samplesDuring(null), false),
    "Each frame is called by the one above it; its width is its time. Click one to look closer.",
    (start) => (start.parent ? `from ${shortName(nameOf(start.function))}, where ${percents(start.total, now.samples)} of the time is spent. ` : ""));
};

views.overview = {
  title: "Overview",
  hasInterval: true,
  make(host) {
    this.host = host;
  },
  update() {
    if (this.shown === state.range) return;
    this.shown = state.range;
    this.host.replaceChildren(div("answer", answer(), data.warnings.map((text) => el("p.caution", text))),
      div("columns", div("side", hottest(), picture()), div("side", byModule(), byThread(), facts("This run"))));
  },
};
