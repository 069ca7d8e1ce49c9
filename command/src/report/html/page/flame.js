// The flame graph: stacks from their starts, or inverted; and as a table, for those who read or hear it.

views.flame = {
  title: "Flame graph",
  hasInterval: true,
  // Where one was before each zoom.
  trail: [],
  make(host) {
    if (!hasStacks) {
      host.append(empty(...pictures.without()));
      return;
    }
    const list = (label, choices, choose) => el("select", { "aria-label": label, onchange: ({ target }) => choose(target.value) },
      choices.map(([value, text]) => el("option", { value }, text)));
    this.part = list(pictures.part, pictures.parts(), (part) => go({ part: part === "" ? null : Number(part), zoom: "" }));
    const toggle = (text, key, title) => button(text, () => go({ [key]: !state[key], zoom: "" }), { title });
    this.invert = toggle("Inverted", "inverted", "Functions that take time first, their callers below (i)");
    this.asTable = toggle("As a table", "table", "The same tree in rows");
    this.colour = list("Colours", pictures.colours.map(([value, name]) => [value, `Colour: ${name}`]), (colour) => go({ colour }, true));
    this.found = el("span.found", { role: "status" });
    this.reset = button("Zoom out", () => go({ zoom: "" }));
    this.line = div("details");
    this.said = el("div.hidden", { role: "status" });
    this.icicle = new Icicle({
      label: "Flame graph",
      onCurrent: (branch, isChosen) => {
        this.line.replaceChildren(...frameDetails(branch, this.icicle, branch === this.icicle.current).flat(9));
        if (isChosen) this.said.textContent = this.line.textContent;
      },
      onZoom: (branch) => {
        this.trail.push(state.zoom);
        go({ zoom: this.icicle.stacks.address(branch) });
      },
      onOpen: (f) => go({ view: "function", function: f }),
    });
    this.legend = el("ul.legend", { "aria-label": "Colours" });
    this.rows = scrolling("div.scroll.calltree", "Call tree");
    host.append(div("tools", partKeys.length > 0 && this.part, this.invert, this.asTable, this.colour, this.reset, this.found),
      data.isCut ? el("p.caution", "Branches with less than 0.001 % of the time are drawn together, as (other).") : "",
      this.icicle.host, this.rows, this.line, this.legend, this.said);
  },

  update() {
    if (!hasStacks) return;
    const { icicle } = this;
    const shown = `${state.part}/${state.inverted}/${state.range}`;
    const isOther = this.shown !== shown;
    if (isOther) Object.assign(this, { shown, stacks: pictures.stacks(), tree: null });
    this.part.value = state.part ?? "";
    this.invert.ariaPressed = state.inverted;
    this.asTable.ariaPressed = state.table;
    if (this.colour.value !== state.colour || !this.legend.firstChild) {
      this.colour.value = state.colour;
      styles.clear();
      this.explain();
    }
    icicle.host.hidden = state.table;
    this.rows.hidden = !state.table;
    const zoom = this.stacks.at(state.zoom);
    if (isOther) icicle.show(this.stacks, zoom);
    else if (icicle.zoomed !== zoom) icicle.zoomTo(zoom, true);
    icicle.onCurrent(icicle.current, false);
    this.reset.disabled = zoom === this.stacks.root;
    icicle.highlight(search.found);
    this.found.textContent = this.words();
    if (state.table) this.showTable();
  },

  // What a search found.
  words() {
    const { found } = search;
    if (!found) return "";
    if (found.error) return found.error;
    const { samples } = this.stacks;
    return `${counted(found.count, "function")} found, on the stack in ${percents(samplesFound(found, samples), samples.all)} of the time`;
  },

  explain() {
    this.legend.replaceChildren(...pictures.legend().map(([colour, text]) => el("li", patch(colour), text)));
  },

  // The rows of the table are made when somebody opens the branch above them.
  showTable() {
    if (this.tree) return;
    const { stacks } = this;
    const rowOf = (branch) => {
      const f = branch.function;
      const turn = stacks.hasBelow(branch) && button("", () => (turn.ariaExpanded === "false" ? unfold(row) : fold(row)),
        { className: "fold", "aria-expanded": "false", "aria-label": `Calls of ${nameOf(f)}` });
      const row = el("tr", { role: "row", "aria-level": branch.depth },
        pictures.cells(branch, stacks),
        el("td.grow", { style: { "padding-left": `${8 + Math.min(branch.depth, 60) * 14}px` } },
          turn || el("span.fold"), swatch(f), functionLink(f), isInlined(branch) ? " (inlined)" : ""));
      return Object.assign(row, { branch, turn });
    };
    // The path with the most time opens by itself; of many branches the largest are shown first.
    const unfold = (row) => {
      if (row.turn) row.turn.ariaExpanded = "true";
      return rowsBelow(row.branch, stacks.below(row.branch), row, 10);
    };
    const rowsBelow = (parent, branches, last, limit) => {
      branches.slice(0, limit).forEach((branch, k) => {
        const next = rowOf(branch);
        last.after(next);
        const isWide = k === 0 && next.turn && branch.depth < 40 && branch.total >= parent.total / 3;
        last = isWide ? unfold(next) : next;
      });
      const rest = branches.slice(limit);
      if (rest.length === 0) return last;
      const more = el("tr", el("td", { colSpan: pictures.heads.length }), el("td", { style: { "padding-left": `${30 + Math.min(parent.depth, 60) * 14}px` } },
        button(`${count(rest.length)} more, ${percents(rest.reduce((sum, b) => sum + b.total, 0), stacks.root.total)}`, () => {
          rowsBelow(parent, rest, more, 200);
          more.remove();
        }, { className: "more" })));
      more.branch = rest[0];
      last.after(more);
      return more;
    };
    const fold = (row) => {
      row.turn.ariaExpanded = "false";
      while (row.nextSibling?.branch.depth > row.branch.depth) row.nextSibling.remove();
    };
    const first = rowOf(stacks.root);
    this.tree = el("tbody", first);
    unfold(first);
    first.remove();
    this.rows.replaceChildren(el("table", { role: "treegrid", "aria-label": "Call tree" },
      heads(...pictures.heads, [state.inverted ? "function, callers below it" : "function, callees below it", ""]), this.tree));
  },

  escape() {
    if (!state.zoom) return false;
    go({ zoom: this.trail.pop() ?? "" });
    return true;
  },
};
