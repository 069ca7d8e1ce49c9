// All functions, sorted and filtered as asked.

const sortKeys = {
  self: (f) => functions.self[f],
  total: (f) => functions.total[f],
  calls: (f) => callsOf(f),
  each: (f) => (callsOf(f) > 0 ? functions.self[f] / callsOf(f) : -1),
  name: (f) => functions.name[f].toLowerCase(),
  module: (f) => moduleOf(f),
  place: (f) => `${fileOf(f)}:${String(functions.line[f]).padStart(8, "0")}`,
};
const isText = (key) => ["name", "module", "place"].includes(key);

views.functions = {
  title: "Functions",
  make(host) {
    this.sort = { key: hasTime ? "self" : "calls", isUp: false };
    this.count = el("p.tools.found", { role: "status" });
    const how = isApportioned ? "apportioned by calls" : "measured";
    this.list = new LongTable({
      label: "Functions",
      rowHeight: 30,
      columns: [[`self${unit}`, "number time", "self", "Time in the function itself, measured"], ["%", "number strong"], ["", "bars"],
        [`total${unit}`, "number wide", "total", `Time with all that it called, ${how}`],
        ...(hasStacks ? [["±", "number wide", null, "95 of 100 runs agree"]] : []),
        ["calls", "number calls", "calls", "Exact; – where nothing counts them: code without -pg"],
        ["per call", "number wide", "each", "Self time divided by calls"],
        ["function", "grow", "name"], ["module", "module", "module"], ["source", "place", "place"]],
      row: (i) => {
        const f = this.found[i];
        return [cell("number time", seconds(functions.self[f])), cell("number strong", percent(weightOf(f), wholeWeight)),
          cell("bars", bar(weightOf(f), functions.total[f], wholeWeight)),
          cell("number wide", totalOf(f)), hasStacks && cell("number wide", errorOf(f)), cell("number calls", count(functions.calls[f])),
          cell("number wide", each(functions.self[f], callsOf(f))),
          cell("grow", swatch(f), functionLink(f)), cell("module", moduleOf(f)),
          cell("place", sourceLink(functions.file[f], functions.line[f], placeOf(f)))];
      },
      onSort: (key) => {
        this.sort = { key, isUp: this.sort.key === key ? !this.sort.isUp : isText(key) };
        this.update();
        this.list.scrollTo(0);
      },
    });
    this.none = el("div");
    host.append(this.count, this.list.host, this.none);
  },

  update() {
    const { key, isUp } = this.sort;
    const of = sortKeys[key];
    const sign = isUp ? 1 : -1;
    const keys = functions.name.map((_, f) => of(f));
    const { found } = search;
    this.found = byWeight.filter((f) => !found || found.is[f]);
    this.found.sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : 0));
    const time = this.found.reduce((sum, f) => sum + weightOf(f), 0);
    this.count.textContent = found?.error ?? (found
      ? `${count(this.found.length)} of ${counted(functionCount, "function")}, with ${percents(time, wholeWeight)} of the ${hasTime ? "time" : "calls"} in themselves`
      : `${counted(functionCount, "function")}. Self times are measured${isApportioned && hasTime ? ", total times are apportioned by calls" : ""}.`);
    this.list.host.hidden = this.found.length === 0;
    this.none.replaceChildren(this.found.length ? "" : empty(`No function matches “${state.query}”`,
      ["Names, linker's names and modules are searched. ", el("a", { href: address({ query: "" }) }, "Show all functions")]));
    this.list.sorted(key, isUp);
    this.list.show(this.found.length);
  },
};
