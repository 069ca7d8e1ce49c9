// A view of rows, which are numbers, in a long table: sorted and filtered as asked. `own` has what is its own:
// `rows` gives them in their first order, `keys` to sort by, `texts` among them, `columns`, the cells of a row, and words.
const listView = (own) => ({
  make(host) {
    this.count = el("p.tools.found", { role: "status" });
    this.list = new LongTable({
      label: this.title,
      columns: this.columns,
      row: (i) => this.row(this.found[i]),
      onSort: (key) => {
        this.sort = { key, isUp: this.sort.key === key ? !this.sort.isUp : this.texts.includes(key) };
        this.update();
        this.list.scrollTo(0);
      },
    });
    this.none = el("div");
    host.append(this.count, this.list.host, this.none);
  },

  update() {
    const { key, isUp } = this.sort;
    const sign = isUp ? 1 : -1;
    const { found } = search;
    this.found = this.rows().filter((row) => !found || this.isFound(row, found.is));
    const keys = [];
    for (const row of this.found) keys[row] = this.keys[key](row);
    this.found.sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : 0));
    this.count.textContent = found?.error ?? this.words(found);
    this.list.host.hidden = this.found.length === 0;
    this.none.replaceChildren(this.found.length || !found ? "" : empty(`No function matches “${state.query}”`,
      ["Names, linker's names and modules are searched. ", linkTo({ query: "" }, "Show all")]));
    this.list.sorted(key, isUp);
    this.list.show(this.found.length);
  },
  ...own,
});
