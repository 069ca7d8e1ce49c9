// One function on both sides: its times, its callers and callees, and the stacks around it.

views.function = functionView({
  update() {
    const f = state.function ?? byWeight()[0];
    const shown = `${f}/${state.part}/${state.colour}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const linker = functions.linker[f];
    const times = (name, [before, after, margin, sign, , q]) => figure(name, `${seconds(before)} → ${time(after)}`,
      `${signed(after - before)} ± ${seconds(margin)}${q ? `, q ${q}` : ", too few samples to test"}`);
    const calls = callsOf(f);
    this.host.replaceChildren(
      div("title", el("h2", swatch(f), nameOf(f), onlyIn(f)),
        el("p", linker ? [code(linker), " · "] : "", moduleOf(f) || "the program")),
      el("dl.figures",
        hasTime ? times("self", ownOf(f)) : "",
        functions.total[f] ? times("total, measured", totalOf(f)) : "",
        figure("calls, exact", calls ? `${calls[0][0]} → ${calls[0][1]}` : "–", calls ? minus(calls[0][2]) : "not counted")),
      div("butterfly", this.side("Callers", callersOf(f), "caller"), this.side("Callees", calleesOf(f), "callee")),
      this.paths?.card ?? "");
    this.paths?.show(f);
  },

  side: (title, pairs, end) => pairsCard(title, pairs, "No calls were counted.",
    [...callHeads, [end, ""]], (pair) => [callCells(pair.calls), cell("grow", link(pair[end]))]),
});
