// Tables of any length: only the rows in sight are made.

const PRINTED = 50;

class LongTable {
  // `columns`: [title, class, key to sort by]; `row(i)` makes the cells of row i.
  constructor({ label, columns, row, onSort, rowHeight = 30 }) {
    Object.assign(this, { row, onSort, rowHeight, columns, length: 0 });
    this.head = el("tr");
    this.body = el("tbody");
    this.table = el("table", { "aria-label": label, className: "long" }, el("thead", this.head), this.body);
    this.host = scrolling("div.scroll", label, this.table);
    this.host.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw(true)).observe(this.host);
    this.sorted();
  }

  // The heads of the columns, with the one by which rows are sorted.
  sorted(key, isUp) {
    this.head.replaceChildren(...this.columns.map(([title, className, by, tip]) => {
      const sort = by && (by === key ? (isUp ? "ascending" : "descending") : "none");
      const text = by ? button(title, () => this.onSort(by)) : title;
      return el(title ? "th" : "td", { className, scope: title ? "col" : null, "aria-sort": sort, title: tip }, text);
    }));
  }

  show(length) {
    this.length = length;
    this.table.ariaRowCount = length + 1;
    this.draw(true);
  }

  scrollTo(i) {
    this.host.scrollTop = Math.max(0, i * this.rowHeight - this.host.clientHeight / 3);
    this.draw(true);
  }

  draw(isNew) {
    const height = this.host.clientHeight;
    const first = Math.max(0, Math.min(Math.floor(this.host.scrollTop / this.rowHeight) - 10, this.length));
    const last = isPrinting ? Math.min(this.length, PRINTED)
      : Math.min(this.length, first + Math.ceil(height / this.rowHeight) + 20);
    if (!isNew && first === this.first) return;
    this.first = first;
    const from = isPrinting ? 0 : first;
    const rows = [];
    for (let i = from; i < last; i++) rows.push(el("tr", { "aria-rowindex": i + 2 }, this.row(i)));
    const gap = (count) => el("tr.gap", { "aria-hidden": "true" },
      el("td", { style: { height: `${count * this.rowHeight}px` } }));
    const below = this.length - last;
    const rest = isPrinting && below > 0
      ? el("tr", cell("", "…"), cell("", `${count(below)} more`)) : gap(below);
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.body.replaceChildren(isPrinting ? "" : gap(from), ...rows, rest);
    if (focused) this.body.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

// A link to a function.
const toFunction = (f) => address({ view: "function", function: f });
const functionLink = (f) => f < 0
  ? el("span.outside", { title: f === OUTSIDE ? "Code without profiling calls it" : null }, nameOf(f))
  : el("a", { href: toFunction(f), className: "name", title: nameOf(f), "data-key": f }, listName(nameOf(f)));

const patch = (colour) => el("i.swatch", { "aria-hidden": "true", style: { background: colour } });
const swatch = (f) => patch(colourOf(f));

// A place without data tells what to do next.
const empty = (title, ...next) => div("empty", el("h3", title), next.map((text) => el("p", text)));
