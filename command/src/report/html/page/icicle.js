// A picture of stacks on a canvas: a row for each depth, a width for each share. It is laid out row by row,
// as far as rows are looked at, and without what is narrower than half a pixel; so its size is that of the
// window and not that of the profile.

const ROW = 20;
const NARROWEST = 0.5;

class Icicle {
  // `rows` limits the height; without it the picture scrolls. `grows` is "down" or "up".
  // With `hidesPath` it begins with the zoomed branch.
  constructor({ label, rows, grows = "down", hidesPath, onCurrent, onZoom, onOpen }) {
    Object.assign(this, { label, rowLimit: rows, grows, hidesPath, onCurrent, onZoom, onOpen, rows: [] });
    this.canvas = el("canvas", { tabIndex: 0, role: "img", "aria-label": label });
    this.spacer = el("div");
    this.host = div("icicle", this.canvas, this.spacer);
    this.host.addEventListener("scroll", () => this.draw());
    this.canvas.addEventListener("pointermove", (event) => this.hover(this.find(event)));
    this.canvas.addEventListener("pointerleave", () => this.hover(null));
    this.canvas.addEventListener("click", (event) => {
      const branch = this.find(event);
      if (branch) this.choose(branch);
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.arrange()).observe(this.host);
  }

  show(stacks, zoom = stacks.root) {
    Object.assign(this, { stacks, zoomed: zoom, current: zoom, hovered: null });
    this.host.scrollTop = 0;
    this.arrange();
  }

  // Who cannot see the picture hears of the widest frames; the table holds them all.
  describe() {
    const widest = [];
    for (const rects of this.rows) {
      for (const r of rects) if (r.branch?.parent && r.branch.depth > this.zoomed.depth) widest.push(r.branch);
    }
    widest.sort((a, b) => b.total - a.total);
    const words = widest.slice(0, 5).map((b) => `${nameOf(b.function)} ${frameNote(b, this)}`);
    this.canvas.setAttribute("aria-label", `${this.label}. Widest: ${words.join(", ") || "nothing"}.`);
  }

  whole() {
    return this.stacks.samples.all;
  }

  highlight(found) {
    this.found = found;
    this.draw();
  }

  choose(branch) {
    this.zoomTo(branch);
  }

  zoomTo(branch, isSilent) {
    this.zoomed = this.current = branch;
    this.host.scrollTop = 0;
    this.arrange();
    if (!isSilent) this.onZoom?.(branch);
    this.onCurrent?.(branch, true);
  }

  arrange() {
    if (!this.stacks) return;
    this.width = this.host.clientWidth;
    if (this.width === 0) return;
    const path = [];
    for (let b = this.zoomed; b && (b === this.zoomed || !this.hidesPath); b = b.parent) path.unshift(b);
    // What leads to the zoomed branch takes all the width.
    this.rows = path.map((branch) => [{ branch, x: 0, width: this.width }]);
    this.isWhole = false;
    if (this.rowLimit) {
      this.extend(this.rowLimit);
      this.host.style.height = `${Math.min(this.rowLimit, this.rows.length) * ROW}px`;
    }
    this.draw();
    this.describe();
  }

  extend(count) {
    while (!this.isWhole && this.rows.length < count) {
      const next = [];
      for (const { branch, x, width } of this.rows.at(-1)) {
        if (!branch) continue;
        const scale = branch.total > 0 ? width / branch.total : 0;
        let at = x;
        let narrow = 0;
        for (const below of this.stacks.below(branch)) {
          const wide = below.total * scale;
          if (wide < NARROWEST) narrow += wide;
          else next.push({ branch: below, x: at, width: wide });
          at += narrow ? 0 : wide;
        }
        if (narrow >= 1) next.push({ branch: null, x: at, width: narrow });
      }
      if (next.length === 0) this.isWhole = true;
      else this.rows.push(next);
    }
  }

  draw() {
    if (!this.rows.length || !this.width) return;
    const height = this.host.clientHeight;
    const top = this.host.scrollTop;
    const last = Math.ceil((top + height) / ROW);
    this.extend(this.rowLimit ?? last + 1);
    this.spacer.style.height = this.rowLimit ? "0" : `${Math.max(0, this.rows.length * ROW - height)}px`;
    const scale = window.devicePixelRatio || 1;
    const { canvas } = this;
    if (canvas.width !== Math.round(this.width * scale) || canvas.height !== Math.round(height * scale)) {
      [canvas.width, canvas.height] = [Math.round(this.width * scale), Math.round(height * scale)];
      [canvas.style.width, canvas.style.height] = [`${this.width}px`, `${height}px`];
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, this.width, height);
    pen.font = `12px ${style("--sans")}`;
    pen.textBaseline = "middle";
    const paints = { text: style("--frame-text"), faint: style("--muted"), mark: style("--mark"), ring: style("--text") };
    const ends = Math.min(last, this.rows.length, this.rowLimit ?? Infinity);
    for (let row = Math.floor(top / ROW); row < ends; row++) {
      for (const rect of this.rows[row]) this.drawFrame(pen, rect, this.y(row, height) - top, paints);
    }
    const marked = this.hovered ?? (this.current === this.zoomed ? null : this.current);
    if (marked) this.outline(pen, marked, height, top, paints.ring);
  }

  y(row, height) {
    return this.grows === "up" ? height - (row + 1) * ROW : row * ROW;
  }

  drawFrame(pen, { branch, x, width }, y, paints) {
    if (!branch) {
      // Many frames, each too narrow to be seen.
      pen.fillStyle = style("--frame-root");
      for (let at = x; at < x + width - 1; at += 3) pen.fillRect(at, y + 3, 1, ROW - 7);
      return;
    }
    const isPath = branch.depth < this.zoomed.depth;
    const isFound = this.found && branch.function >= 0 && this.found.is[branch.function];
    const isRoot = !branch.parent && branch.function === OUTSIDE;
    const gap = width > 3 ? 1 : 0;
    pen.globalAlpha = isPath || (this.found && !isFound) ? 0.4 : 1;
    pen.fillStyle = isRoot ? style("--frame-root") : isFound ? paints.mark : frameColour(branch, this);
    pen.fillRect(x, y, width - gap, ROW - 1);
    pen.globalAlpha = 1;
    if (width < 26) return;
    const text = this.text(pen, branch, isRoot, width - 10);
    pen.fillStyle = isFound ? "#000" : paints.text;
    if (text) pen.fillText(text, x + 5, y + ROW / 2);
  }

  // The name as far as it fits: whole, or its last part, or the beginning of that.
  text(pen, branch, isRoot, room) {
    const name = isRoot ? rootName() : nameOf(branch.function);
    for (const text of [`${name} ${frameNote(branch, this)}`, name, shortName(name, 2), shortName(name)]) {
      if (textWidth(pen, text) <= room) return text;
    }
    const short = shortName(name);
    const fits = Math.floor((short.length * (room - textWidth(pen, "…"))) / textWidth(pen, short));
    return fits >= 2 ? `${short.slice(0, fits)}…` : "";
  }

  rowOf(branch) {
    return branch.depth - (this.hidesPath ? this.zoomed.depth : 0);
  }

  rectOf(branch) {
    return this.rows[this.rowOf(branch)]?.find((rect) => rect.branch === branch);
  }

  outline(pen, branch, height, top, colour) {
    const rect = this.rectOf(branch);
    if (!rect) return;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.strokeRect(rect.x + 1, this.y(this.rowOf(branch), height) - top + 1, Math.max(1, rect.width - 3), ROW - 3);
  }

  find(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const from = this.grows === "up" ? box.height - y : y + this.host.scrollTop;
    const rects = this.rows[Math.floor(from / ROW)] ?? [];
    return rects.find((r) => x >= r.x && x < r.x + r.width)?.branch ?? null;
  }

  hover(branch) {
    if (branch === this.hovered) return;
    this.hovered = branch;
    this.draw();
    this.onCurrent?.(branch ?? this.current, false);
  }

  key(event) {
    const { current } = this;
    const siblings = current.parent ? this.stacks.below(current.parent) : [current];
    const at = siblings.indexOf(current);
    const [inwards, outwards] = this.grows === "up" ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
    const next = {
      [inwards]: () => this.stacks.below(current)[0],
      [outwards]: () => (this.hidesPath && current === this.zoomed ? current : current.parent),
      ArrowRight: () => siblings[at + 1],
      ArrowLeft: () => siblings[at - 1],
      Home: () => this.stacks.root,
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") this.choose(current);
    else if (event.key === "f" && current.function >= 0) this.onOpen?.(current.function);
    else if (next) this.moveTo(next() ?? current);
    else return;
    event.preventDefault();
  }

  // Moves the current frame, and zooms to it if it is not in the picture.
  moveTo(branch) {
    this.current = branch;
    this.extend(branch.depth + 1);
    if (!this.rectOf(branch)) this.zoomTo(branch);
    const y = branch.depth * ROW;
    if (!this.rowLimit && (y < this.host.scrollTop || y + ROW > this.host.scrollTop + this.host.clientHeight)) {
      this.host.scrollTop = y - this.host.clientHeight / 2;
    }
    this.draw();
    this.onCurrent?.(branch, true);
  }
}

const widths = new Map();
const textWidth = (pen, text) => {
  let width = widths.get(text);
  if (width == null) widths.set(text, (width = pen.measureText(text).width));
  return width;
};

// What the page's style says of a name, and colours made of that.
const styles = new Map();
const style = (name) => {
  let value = styles.get(name);
  if (value == null) styles.set(name, (value = getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
  return value;
};
