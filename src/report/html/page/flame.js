// The flame graph: stacks from their starts, or inverted; and as a table, for those who read or hear it.

const rootName = () => (state.thread == null ? "all" : threadName(state.thread));

// Words for a frame, with links to its function and its source.
const frameDetails = (branch, icicle, isFull) => {
  const { function: f } = branch;
  if (!branch.parent && f === OUTSIDE) return [el("b", rootName()), ` · ${time(branch.total * data.period)}`];
  const inside = icicle.zoomed !== icicle.stacks.root && icicle.zoomed !== branch && branch.depth > icicle.zoomed.depth
    ? ` · ${percents(branch.total, icicle.zoomed.total)} of the zoomed frame` : "";
  const self = branch.self > 0 && !icicle.stacks.isUpward ? ` · itself ${time(branch.self * data.period)}` : "";
  const where = [moduleOf(f), placeOf(f)].filter(Boolean).join(", ");
  const place = f >= 0 && functions.line[f] ? sourceLink(functions.file[f], functions.line[f], where) : where;
  return [isFull ? functionLink(f) : el("b", nameOf(f)), isInlined(branch) ? " (inlined)" : "",
    ` · ${percents(branch.total, icicle.whole())} · ${time(branch.total * data.period)}${self}${inside}`,
    where ? " · " : "", place];
};

views.flame = {
  title: "Flame graph",
  // Where one was before each zoom.
  trail: [],
  make(host) {
    if (!hasStacks) {
      host.append(empty("This profile has no call stacks",
        ["Counts of calls do not tell which paths took time, so no flame graph is drawn from them."],
        ["To record them: ", code(data.record)],
        ["Until then, there are ", el("a", { href: toFunction(byWeight[0]) }, "callers and callees with exact counts"), "."]));
      return;
    }
    const choices = [el("option", { value: "" }, threads.length > 1 ? `All ${threads.length} threads` : "All threads"),
      ...threads.map((_, t) => t).sort((a, b) => threadTimes[b] - threadTimes[a])
        .map((t) => el("option", { value: t }, `${threadName(t)} · ${percents(threadTimes[t], data.samples)}`))];
    this.thread = el("select", { "aria-label": "Thread", onchange: () => go({ thread: this.thread.value === "" ? null : Number(this.thread.value), zoom: "" }) }, choices);
    const toggle = (text, key, title) => button(text, () => go({ [key]: !state[key], zoom: "" }), { title, "aria-pressed": "false" });
    this.invert = toggle("Inverted", "inverted", "Functions that take time first, their callers below (i)");
    this.asTable = toggle("As a table", "table", "The same tree in rows");
    const kinds = [["module", "module"], ["file", "source file"], ["crate", "crate or namespace"]];
    this.colour = el("select", { "aria-label": "Colours", onchange: () => go({ colour: this.colour.value }, true) },
      kinds.map(([value, name]) => el("option", { value }, `Colour: ${name}`)));
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
    this.rows = el("div.scroll.calltree", { tabIndex: 0, role: "region", "aria-label": "Call tree" });
    host.append(div("tools", threads.length > 1 && this.thread, this.invert, this.asTable, this.colour, this.reset, this.found),
      data.isCut ? el("p.caution", "Branches with less than 0.001 % of the time are drawn together, as (other).") : "",
      this.icicle.host, this.rows, this.line, this.legend, this.said);
  },

  update(before) {
    if (!hasStacks) return;
    const { icicle } = this;
    const isOther = this.shown !== `${state.thread}/${state.inverted}`;
    if (isOther) {
      this.shown = `${state.thread}/${state.inverted}`;
      this.samples = samplesOf(state.thread);
      this.stacks = Stacks.all(this.samples, state.inverted);
      this.tree = null;
    }
    this.thread.value = state.thread ?? "";
    this.invert.setAttribute("aria-pressed", state.inverted);
    this.asTable.setAttribute("aria-pressed", state.table);
    if (colours.by !== state.colour || !this.legend.firstChild) {
      colours.by = this.colour.value = state.colour;
      colours.cache.clear();
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
    const sum = samplesFound(found, this.samples);
    return `${counted(found.count, "function")} found, on the stack in ${percents(sum, this.samples.all)} of the time`;
  },

  // The groups with the most time, and their colours.
  explain() {
    const sums = new Map();
    functions.name.forEach((_, f) => sums.set(groupOf(f), (sums.get(groupOf(f)) ?? 0) + functions.self[f]));
    const groups = [...sums].filter(([, sum]) => sum > 0).sort((a, b) => b[1] - a[1]).slice(0, 8);
    this.legend.replaceChildren(...groups.map(([group]) => el("li", patch(groupColour(group)), fileName(group) || "no module")));
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
        cell("number strong", percent(branch.total, stacks.root.total)), cell("number", seconds(branch.total * data.period)),
        cell("number wide", stacks.isUpward ? "" : seconds(branch.self * data.period)),
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
        const isWide = k === 0 && next.turn && branch.depth < 40 && branch.total >= parent.total / 2;
        last = isWide ? unfold(next) : next;
      });
      const rest = branches.slice(limit);
      if (rest.length === 0) return last;
      const more = el("tr", el("td", { colSpan: 3 }), el("td", { style: { "padding-left": `${30 + Math.min(parent.depth, 60) * 14}px` } },
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
      heads(["%", "number"], [`total${unit}`, "number"], [`self${unit}`, "number wide"], [state.inverted ? "function, callers below it" : "function, callees below it", ""]), this.tree));
  },

  escape() {
    if (!state.zoom) return false;
    go({ zoom: this.trail.pop() ?? "" });
    return true;
  },
};
