// One function between its callers and its callees: exact calls, times, and at its sides the stacks.

views.function = functionView({
  hasInterval: true,
  update() {
    const f = state.function ?? byWeight()[0];
    if (f == null) {
      this.host.replaceChildren(empty("No function was called or sampled", ["Let the program run longer."]));
      return;
    }
    const shown = `${f}/${state.range}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const isWhole = now === wholeRun;
    const linker = functions.linker[f];
    const cycle = functions.cycle[f];
    const recursive = approximate(functions.recursive[f]);
    this.host.replaceChildren(
      div("title",
        el("h2", swatch(f), nameOf(f)),
        el("p", linker && [code(linker), " · "], moduleOf(f) || "no module", placeOf(f) && " · ",
          sourceLink(functions.file[f], functions.line[f], placeOf(f)),
          cycle >= 0 && [" · in ", linkTo({ view: "cycles" }, `cycle ${cycle + 1}`)])),
      el("dl.figures",
        hasTime && figure("self", time(now.self[f]), percents(now.self[f], now.time)),
        hasKernel && figure("kernel", time(now.kernel[f]), "of the self time"),
        hasWaits && isWhole && figure("waiting", time(functions.totalWaiting[f]), "of the total"),
        hasTime && figure(`total, ${isApportioned ? "apportioned" : "measured"}`, `${totalOf(f)}${errorOf(f) && ` ± ${errorOf(f)}`}${unit}`, percents(now.total[f], now.time)),
        isWhole && figure("calls, exact", count(now.calls[f]), now.calls[f] == null ? "not counted here" : recursive > 0 ? `${count(functions.recursive[f])} by itself` : ""),
        hasTime && isWhole && figure("per call", perCallOf(f))),
      isWhole && f in data.callTimes ? el("section.card", { innerHTML: data.callTimes[f] }) : "",
      div("butterfly", this.side(f, "Callers", now.callers.get(f), "caller"), this.side(f, "Callees", now.callees.get(f), "callee")),
      callGraph(f),
      this.paths?.card ?? card("Paths through it", "",
        el("p", "Longer paths than caller and callee need call stacks: ", code(data.record))));
    this.paths?.show(f);
  },

  // A side of the butterfly.
  side(f, title, pairs = [], end) {
    const all = pairs.reduce((sum, pair) => sum + approximate(pair.calls), 0);
    const most = Math.max(...pairs.map((pair) => pair.total), 1);
    const note = end === "caller" ? "Nobody was seen calling it: a start of the program or of a thread, or code without -pg."
      : "It was seen calling nothing.";
    const sites = (pair) => pair.sites.length > 0 && el("span.sites", pair.sites.slice(0, 5).map((site, i) =>
      [i ? ", " : "", sourceLink(site.file, site.line), pair.sites.length > 1 && site.calls != null ? ` (${count(site.calls)})` : ""]),
      pair.sites.length > 5 ? `, and ${pair.sites.length - 5} more lines` : "");
    const cells = (pair) => [
      cell("number calls strong", count(pair.calls)),
      cell("number wide", pair.calls == null ? "–" : percent(approximate(pair.calls), all)),
      hasTime && cell("number time", seconds(pair.total)),
      hasTime && cell("bars", bar(0, pair.total, most)),
      cell("grow", swatch(pair[end]), functionLink(pair[end]), sites(pair))];
    const titles = [["calls", "number calls"], ["% of calls", "number wide"],
      ...(hasTime ? [[(isApportioned ? "apportioned" : "total") + unit, "number time"], ["", "bars"]] : []), [end, ""]];
    return pairsCard(title, pairs, note, titles, cells);
  },
});
