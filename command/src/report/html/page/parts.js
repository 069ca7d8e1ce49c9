// Parts that views of several kinds have.

// A link to another state of the page.
const linkTo = (change, ...children) => el("a", { href: address(change) }, children);

// A table, with the titles and classes of its columns and the cells of its rows.
const tableOf = (label, columns, rows) => el("table", { "aria-label": label },
  heads(...columns), el("tbody", rows.map((cells) => el("tr", cells))));

// What was run or compared, and what this file tells of it.
const facts = (title) => card(title, "", el("dl.facts", data.facts.map(([name, value]) => [el("dt", name), el("dd", value)])));

// The first levels of a flame graph, from the frame on that does not lead to nearly everything; `note` is for that.
const firstLevels = (title, stacks, hint, note) => {
  const icicle = new Icicle({ label: `${title}, first levels`, rows: 10, hidesPath: true });
  const line = el("p.foot", hint);
  let start = stacks.root;
  for (let [next] = stacks.below(start); next?.total > 0.75 * stacks.root.total; [next] = stacks.below(start)) start = next;
  icicle.choose = (branch) => go({ view: "flame", zoom: branch.parent ? icicle.stacks.address(branch) : "", part: null, inverted: false });
  icicle.onCurrent = (branch) => line.replaceChildren(...(branch === start ? [hint] : frameDetails(branch, icicle)).flat(9));
  icicle.show(stacks, start);
  views.overview.icicle = icicle;
  return card(title, [note(start), linkTo({ view: "flame" }, "See it whole")], icicle.host, line);
};

// The view of one function, with the stacks around it. `own` has what is its own: `update`, and words.
const functionView = (own) => ({
  title: "Function",
  make(host) {
    this.host = host;
    if (hasStacks) this.paths = sandwich();
  },
  ...own,
});

// One figure of a function, with a note below it.
const figure = (name, value, note) => el("div", el("dt", name), el("dd", value, note && el("small", note)));

// The callers or the callees of a function: the first ones, and a button for the others.
const pairsCard = (title, pairs, none, columns, cells) => {
  const FIRST = 12;
  const table = (shown) => tableOf(title, columns, shown.map(cells));
  return card(title, pairs.length ? counted(pairs.length, "function") : "",
    pairs.length ? table(pairs.slice(0, FIRST)) : el("p", none),
    pairs.length > FIRST && button(`${pairs.length - FIRST} more`, ({ target }) => {
      target.previousSibling.replaceWith(table(pairs));
      target.remove();
    }, { className: "more" }));
};
