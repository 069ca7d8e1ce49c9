// Source lines with executions, time and calls.

// Files of which a line is known.
const knownFiles = new Set([...data.lines.file, ...data.source.map(({ file }) => file)]);
const sourceLink = (file, line, text) =>
  file >= 0 && line && knownFiles.has(file)
    ? el("a", { href: address({ view: "source", file, line }), title: `${files[file]}:${line}` },
      text ?? `${fileName(files[file])}:${line}`)
    : text ?? "";

views.source = {
  title: "Source",
  hasInterval: over?.lines,
  make(host) {
    this.host = host;
  },
  // Everything is made anew for another interval.
  choose(host) {
    Object.assign(this, { shown: state.range, run: over?.lines ? now : wholeRun, file: null, marked: null, files: this.collect() });
    if (this.files.size === 0) {
      host.replaceChildren(empty("No source lines are known", ["Compile with -g, and the time of lines is shown here. For exact counts of their executions, compile with ",
        code("gmon cc --blocks"), "."]));
      return;
    }
    const order = [...this.files.keys()].sort((a, b) => this.files.get(b).time - this.files.get(a).time || (files[a] < files[b] ? -1 : 1));
    this.order = order;
    this.select = el("select", { "aria-label": "File", onchange: () => go({ file: Number(this.select.value), line: null }) },
      order.map((file) => el("option", { value: file }, `${files[file]}${hasTime ? ` · ${percents(this.files.get(file).time, this.run.time)}` : ""}`)));
    this.note = el("p.caution");
    this.list = new LongTable({
      label: "Source lines", rowHeight: 22,
      columns: [[`time${unit}`, "number time"], ["%", "number wide"], ["runs", "number calls", null, "How often the line was executed; ##### for never"], ["line", "number line"], ["source", "grow"]],
      row: (i) => this.row(i),
    });
    this.list.host.classList.add("source");
    host.replaceChildren(div("tools", this.select, button("Hottest line", () => this.jump(0)), button("Next hottest", () => this.jump(1))), this.note, this.list.host);
  },

  // What is known of each file: its text in pieces, and its lines with figures.
  collect() {
    const found = new Map();
    const of = (file) => {
      if (!found.has(file)) found.set(file, { time: 0, lines: new Map(), text: new Map() });
      return found.get(file);
    };
    const line = (file, number) => {
      const { lines } = of(file);
      if (!lines.has(number)) lines.set(number, { time: 0, executions: undefined, calls: [], entered: null });
      return lines.get(number);
    };
    const { lines, source } = data;
    const samples = lineSamples();
    lines.line.forEach((number, i) => {
      const at = line(lines.file[i], number);
      const time = samples[i] * data.period;
      at.time += time;
      of(lines.file[i]).time += time;
      at.executions = lines.executions[i] ?? at.executions;
    });
    for (const { file, first, text } of source) text.split("\n").forEach((words, i) => of(file).text.set(first + i, words));
    arcs.line.forEach((number, i) => {
      if (number && found.has(arcs.file[i])) line(arcs.file[i], number).calls.push(i);
    });
    functions.line.forEach((number, f) => {
      if (number && found.has(functions.file[f])) line(functions.file[f], number).entered = f;
    });
    return found;
  },

  update() {
    if (this.shown !== state.range) this.choose(this.host);
    if (!this.list) return;
    const chosen = this.files.has(state.file) ? state.file : this.order[0];
    if (this.file !== chosen) {
      this.file = chosen;
      const of = this.files.get(chosen);
      const hasText = of.text.size > 0;
      this.numbers = [...(hasText ? of.text : of.lines).keys()].sort((a, b) => a - b);
      this.hottest = [...of.lines].filter(([n, at]) => at.time > 0 && this.numbers.includes(n)).sort((a, b) => b[1].time - a[1].time).map(([n]) => n);
      this.widest = this.hottest.length ? of.lines.get(this.hottest[0]).time : 1;
      this.select.value = chosen;
      this.note.hidden = hasText;
      this.note.textContent = hasText ? "" : "The text of this file is not in the report, only its figures. Write it with --source all where the source is.";
      this.at = 0;
      this.list.show(this.numbers.length);
    }
    const target = state.line ?? this.hottest[0];
    if (target != null && target !== this.marked) this.mark(target);
  },

  mark(number) {
    this.marked = number;
    let i = this.numbers.findIndex((n) => n >= number);
    if (i < 0) i = this.numbers.length - 1;
    this.list.scrollTo(i);
  },

  jump(step) {
    if (this.hottest.length === 0) return;
    this.at = step === 0 ? 0 : (this.at + 1) % this.hottest.length;
    go({ file: this.file, line: this.hottest[this.at] });
  },

  row(i) {
    const number = this.numbers[i];
    const { lines, text } = this.files.get(this.file);
    const at = lines.get(number);
    const isAfterGap = i > 0 && this.numbers[i - 1] !== number - 1;
    const isWhole = this.run === wholeRun;
    const runs = isWhole ? at?.executions : null;
    const called = (isWhole && at?.calls || []).filter((k) => arcs.callee[k] >= 0);
    const notes = called.slice(0, 4).map((k) => [" ", el("span.called", arcs.calls[k] != null && `${count(arcs.calls[k])}× `, functionLink(arcs.callee[k]))]);
    if (called.length > 4) notes.push(` and ${called.length - 4} more`);
    if (isWhole && at?.entered != null && functions.calls[at.entered] != null) {
      notes.unshift([" ", el("span.called", "called ", el("a", { href: toFunction(at.entered) }, `${count(functions.calls[at.entered])}×`))]);
    }
    const heat = at ? at.time / this.widest : 0;
    return [
      el("td.number.time", { style: { "--heat-part": heat.toFixed(3) } }, at?.time ? seconds(at.time) : ""),
      cell("number wide", at?.time ? percent(at.time, this.run.time) : ""),
      cell(`number calls${runs === 0 ? " never" : ""}`, runs == null ? "" : runs === 0 ? "#####" : count(runs)),
      el("td", { className: `number line${isAfterGap ? " after-gap" : ""}` }, number),
      el("td", { className: `grow${number === this.marked ? " marked" : ""}` }, el("code", text.get(number) ?? ""), notes)];
  },
};
