// The page: which view is shown, with what; its address, keys, colours and print.

const order = Object.keys(views);
const state = {};
const search = { query: null, found: null };
let isPrinting = false;

// Where a state is, as the part of the address behind #.
const address = (change) => {
  const to = { ...state, ...change };
  const parts = { v: to.view };
  if (to.part != null) parts.t = partKeys[to.part];
  if (to.query) parts.q = to.query;
  if (to.view === "flame") {
    if (to.inverted) parts.i = 1;
    if (to.table) parts.l = 1;
    if (to.zoom) parts.z = to.zoom;
  }
  if (to.range) parts.r = to.range;
  if (to.colour) parts.c = to.colour;
  if (to.view === "function" && to.function != null) parts.f = functionKeys[to.function];
  if (to.view === "source" && to.file != null) parts.s = `${files[to.file]}${to.line ? `:${to.line}` : ""}`;
  return `#${new URLSearchParams(parts)}`;
};

const read = () => {
  const parts = new URLSearchParams(location.hash.slice(1));
  const at = (list, key) => (list.includes(key) ? list.indexOf(key) : null);
  const place = /^(.*?)(?::(\d+))?$/.exec(parts.get("s") ?? "");
  Object.assign(state, {
    view: order.includes(parts.get("v")) ? parts.get("v") : "overview",
    part: at(partKeys, parts.get("t")), query: parts.get("q") ?? "", range: /^\d+-\d+$/.test(parts.get("r")) ? parts.get("r") : "", zoom: parts.get("z") ?? "",
    inverted: parts.get("i") === "1", table: parts.get("l") === "1", colour: parts.get("c") ?? "",
    function: functionOfKey.get(parts.get("f")) ?? state.function,
    file: at(files, place[1]) ?? state.file, line: place[2] ? Number(place[2]) : null,
  });
};

// Goes to another state. What is typed is no step to go back to.
const go = (change, isTyped) => {
  const to = address(change);
  if (to === location.hash) return;
  if (isTyped) {
    try {
      history.replaceState(null, "", to);
      show();
      return;
    } catch { /* Not allowed in this frame: then it is a step. */ }
  }
  location.hash = to;
  show();
};

let shown;
const show = () => {
  shown = location.hash;
  read();
  if (search.query !== state.query) {
    search.query = state.query;
    search.found = matching(state.query);
    if (box.value !== state.query) box.value = state.query;
  }
  const note = chooseInterval(views[state.view]);
  banner.hidden = !note;
  banner.replaceChildren(...note ?? []);
  for (const name of order) {
    const view = views[name];
    const isShown = isPrinting || name === state.view;
    view.section.hidden = !isShown;
    view.link.ariaCurrent = name === state.view ? "page" : null;
    view.link.href = address({ view: name });
    if (!isShown) continue;
    view.link.scrollIntoView({ block: "nearest" });
    if (!view.isMade) {
      view.isMade = true;
      view.make(view.body);
    }
    view.update?.();
    // What is laid out already stays so until its size changes.
    if (isPrinting || view.icicle?.rows.length === 0) view.icicle?.arrange();
  }
  document.body.dataset.view = state.view;
};

const box = document.getElementById("search");
const help = document.getElementById("help");
// The interval of which views are, if one was chosen.
const banner = el("p.caution.interval", { role: "status" });

const setTheme = (theme, isKept) => {
  document.documentElement.dataset.theme = theme;
  // Storage can be forbidden for files.
  if (isKept) try { localStorage.setItem("gmon-theme", theme); } catch { /* Then it is not kept. */ }
  repaint();
};
const repaint = () => {
  styles.clear();
  if (isReady) {
    for (const view of Object.values(views)) {
      if (view.list) view.list.draw(true);
      else if (view.legend) view.explain();
      else {
        // What has colours in it is made anew.
        Object.assign(view, { isMade: false, shown: null });
        view.body.replaceChildren();
      }
    }
    show();
  }
};
const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

const keys = {
  "/": () => box.focus(),
  "?": () => (help.open ? help.close() : help.showModal()),
  i: () => go({ view: "flame", inverted: !state.inverted, zoom: "" }),
  t: () => {
    const next = (state.part ?? -1) + 1;
    go({ view: "flame", zoom: "", part: next < partKeys.length ? next : null });
  },
  Escape: () => {
    if (state.view === "flame" && views.flame.escape()) return;
    if (state.query) go({ query: "" });
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || (help.open && event.key !== "?")) return;
  const isTyping = event.target.matches("input, select, textarea");
  if (isTyping) {
    if (event.target !== box) return;
    if (event.key === "Escape") {
      go({ query: "" }, true);
      box.blur();
    } else if (event.key === "Enter" && search.found?.count) {
      const first = byWeight().find((f) => search.found.is[f]);
      if (state.view === "flame" || state.view === "functions") box.blur();
      else go({ view: "function", function: first });
    }
    return;
  }
  const tab = order[event.key - 1];
  if (tab) go({ view: tab });
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});

const makePage = () => {
  const main = document.querySelector("main");
  const tabs = document.getElementById("tabs");
  main.replaceChildren();
  main.before(banner);
  order.forEach((name, i) => {
    const view = views[name];
    view.link = el("a", { title: `Key ${i + 1}` }, view.title);
    view.body = el("div.body");
    view.section = el("section", { id: name, className: "view", hidden: true },
      el("h2.printed", view.title), view.body);
    tabs.append(el("li", view.link));
    main.append(view.section);
  });
  document.getElementById("last").textContent = order.length;
  box.addEventListener("input", () => go({ query: box.value }, true));
  document.getElementById("theme").onclick = () => setTheme(isDark() ? "light" : "dark", true);
  document.getElementById("keys").onclick = keys["?"];
  help.querySelector("button").onclick = () => help.close();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  addEventListener("hashchange", () => location.hash !== shown && show());
  addEventListener("resize", () => views.flame.icicle?.arrange());
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
};

// On paper: all views one after the other, in dark ink.
let themeBefore;
const print = (starts) => {
  const { dataset } = document.documentElement;
  isPrinting = starts;
  if (starts) {
    themeBefore = dataset.theme;
    dataset.theme = "light";
  } else if (themeBefore) dataset.theme = themeBefore;
  else delete dataset.theme;
  repaint();
};

let isReady = false;
try {
  const theme = localStorage.getItem("gmon-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch { /* Not allowed for this file. */ }
makePage();
show();
isReady = true;
document.body.dataset.ready = "1";
