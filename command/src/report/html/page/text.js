// Numbers and names as people read them, and elements of the page. Names reach the page as text only.

const NO_BREAK = "\u00a0";
const grouping = new Intl.NumberFormat("en-US");

// A count, exact beyond 2^53 as well: such counts come as strings.
const count = (n) => (n == null ? "–" : grouping.format(typeof n === "string" ? BigInt(n) : n));

// A count as a number, for sums, order and widths.
const approximate = (n) => Number(n ?? 0);

const counted = (n, noun) => {
  const plural = noun.endsWith("s") ? "es" : "s";
  return `${count(n)} ${noun}${approximate(n) === 1 ? "" : plural}`;
};

// Nanoseconds as seconds, with as many places as the clock has.
const seconds = (ns) => (ns / 1e9).toFixed(data.places);
const time = (ns) => `${seconds(ns)}${NO_BREAK}${data.unit === "seconds" ? "s" : data.unit}`;

const share = (part, whole) => (whole > 0 ? (100 * part) / whole : 0);
const percent = (part, whole) => share(part, whole).toFixed(1);
const percents = (part, whole) => `${percent(part, whole)}${NO_BREAK}%`;

// The time of one call, with three digits.
const each = (ns, calls) => {
  if (!calls || !ns) return "–";
  const [unit, name] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]].find(([u]) => ns / calls >= u) ?? [1, "ns"];
  const n = ns / calls / unit;
  return `${n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : 2)}${NO_BREAK}${name}`;
};

// The last part of a path.
const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);

// A name without arguments, parameters and what stands around them, and of what is left the last part, or more of them.
const shortName = (name, most = 1) => {
  if (name.startsWith("[")) return name;
  let plain = "";
  const open = [];
  // The signs of an operator are no brackets.
  for (const c of name.replace(/operator(<<|>>|<=>|<=|>=|->|<|>|\(\))/g, (_, sign) => `operator${[...sign].map((c) => String.fromCharCode(c.charCodeAt() + 0xe000)).join("")}`).replaceAll("->", "")) {
    if (c === "<" || c === "(") open.push(c);
    if (open.length === 0) plain += c;
    if (c === ")") open.length = Math.max(0, open.lastIndexOf("("));
    // Elsewhere it means "greater".
    if (c === ">" && open.at(-1) === "<") open.pop();
  }
  const [own] = /(\S*\boperator .*|\S+)$/.exec(plain.replace(/( const| volatile| ?&+| ?\[[^\]]+\])*$/, "").trim()) ?? [""];
  const parts = own.split("::").filter((part) => part !== "");
  return parts.slice(-most).join("::").replace(/[\ue000-\ue07f]/g, (c) => String.fromCharCode(c.charCodeAt() - 0xe000)) || name;
};
// A name in so many letters.
const cutName = (name, most) => (name.length <= most ? name : isAddress(name) ? `…${name.slice(1 - most)}` : `${name.slice(0, most - 1)}…`);
// What is named by its address differs at its end.
const isAddress = (name) => /\+0x/.test(name);
// The fullest form of a name that has room in a list. Where none has, the list cuts it.
const listName = (name) => {
  const room = innerWidth > 860 ? 40 : 24;
  return [name, ...[99, 3, 2].map((most) => shortName(name, most))].find((it) => it.length <= room) ?? (isAddress(name) ? cutName(name, room) : shortName(name));
};

// An element of a tag and classes ("p.foot"), with properties, if the first is an object, and children.
const el = (kind, ...rest) => {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return fill(element, rest[0]?.constructor === Object ? rest.shift() : {}, rest);
};

const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
};

// What begins with `aria-` or `data-` is an attribute.
const fill = (element, properties, children) => {
  for (const [name, value] of Object.entries(properties)) {
    if (value == null) continue;
    if (name === "style") Object.entries(value).forEach(([n, v]) => element.style.setProperty(n, v));
    else if (/^(aria-|data-|role$|scope$|colspan$)/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
};

const button = (text, onclick, properties) => el("button", { type: "button", onclick, ...properties }, text);
const div = (className, ...children) => el("div", { className }, ...children);
// A part of a view, with its title and a note beside that.
const card = (title, note, ...children) =>
  el("section.card", el("h3", title, note && el("small", note)), ...children);
// What scrolls can be reached by keys.
const scrolling = (kind, label, ...children) => el(kind, { tabIndex: 0, role: "region", "aria-label": label }, children);
const cell = (className, ...children) => el("td", { className }, ...children);
const code = (text) => el("code", text);
// The head of a table: titles and classes of its columns; of numbers if there is a title alone.
const heads = (...columns) => el("thead", el("tr", columns.map((column) => [column, "number"].flat()).map(([title, className]) =>
  el(title ? "th" : "td", title ? { className, scope: "col" } : { className }, title))));

// A bar of two parts: time in a function itself, and with all that it called.
const bar = (own, total, whole) => {
  const part = (className, weight) => weight > 0 && el("i", { className, style: { width: `${Math.min(100, share(weight, whole))}%` } });
  return el("span.bar", { "aria-hidden": "true" }, part("total", total), part("own", own));
};
