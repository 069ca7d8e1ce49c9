// One function on both sides: its times, its callers and callees, and the stacks around it.

views.function = {
  title: "Function",
  make(host) {
    this.host = host;
    if (hasStacks) this.paths = sandwich();
  },

  update() {
    const f = state.function ?? byWeight[0];
    const shown = `${f}/${state.part}/${state.colour}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const linker = functions.linker[f];
    const figure = (name, value, note) => el("div", el("dt", name), el("dd", value, note ? el("small", note) : ""));
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

  side(title, pairs, end) {
    const FIRST = 12;
    const row = (pair) => el("tr", null, callCells(pair.calls), cell("grow", link(pair[end])));
    return card(title, pairs.length ? counted(pairs.length, "function") : "",
      pairs.length === 0 ? el("p", "No calls were counted.") : el("table", { "aria-label": title },
        heads(...callHeads, [end, ""]), el("tbody", pairs.slice(0, FIRST).map(row))),
      pairs.length > FIRST && button(`${pairs.length - FIRST} more`, ({ target }) => {
        target.previousSibling.lastChild.append(...pairs.slice(FIRST).map(row));
        target.remove();
      }, { className: "more" }));
  },
};
