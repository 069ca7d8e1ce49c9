// The run over time: threads below each other, with their states, and marks; an interval is chosen here.

// Borders of an interval in the order in which somebody dragged.
const spanOf = (a, b) => [Math.min(a, b), Math.max(a, b) + 1];

// The state of threads in each step: microseconds running, runnable and waiting.
const STATES = ["running", "runnable", "waiting"];
const statesOf = new Map(over.states.thread.map((t, k) => {
  const [runs, all] = [over.states.runs[k], new Float64Array(3 * over.steps)];
  for (let i = 0, at = 0; i < runs.length; i += 4) {
    for (const end = at + 3 * runs[i]; at < end; at += 3) all.set(runs.slice(i + 1, i + 4), at);
  }
  return [t, all];
}));
const drawn = statesOf.size > 0 ? STATES : [];
const secondsOf = (us) => (us / 1e6).toFixed(3);
const statesDuring = (t, [from, to]) => {
  const sums = [0, 0, 0];
  const all = statesOf.get(t) ?? [];
  for (let i = 3 * from; i < Math.min(3 * to, all.length); i++) sums[i % 3] += all[i];
  return sums;
};

// Marks as the page draws and lists them: moments in a row of their own, phases in the first row below that is free then.
const marks = (() => {
  const { name, thread, atUs, lengthUs } = over.marks;
  const ends = lengthUs.some((us) => us < 0) ? [Infinity] : [];
  return name.map((text, k) => {
    const stepOf = (us) => Math.max(0, (us - over.startUs) / over.stepUs);
    const [at, isMoment] = [stepOf(atUs[k]), lengthUs[k] < 0];
    const end = stepOf(atUs[k] + Math.max(0, lengthUs[k]));
    const row = isMoment ? 0 : [...ends, -Infinity].findIndex((last) => last <= at);
    if (!isMoment) ends[row] = end;
    const first = inRun(Math.floor(at));
    const steps = [first, Math.max(first + 1, Math.min(Math.ceil(end), over.steps))];
    return { name: text, thread: thread[k], atUs: atUs[k], lengthUs: lengthUs[k], isMoment, at, end, row, steps };
  });
})();

{
  // A bar of samples above a strip of states.
  const [LANE, STRIP] = [28, 6];
  // Samples of each thread in each step.
  const lanes = threads.map(() => new Float64Array(over.steps));
  for (let step = 0; step < over.steps; step++) {
    for (let k = sums.starts[step]; k < sums.starts[step + 1]; k++) lanes[over.thread[k]][step] += over.samples[k];
  }
  const busy = lanes.map((_, t) => t).filter((t) => lanes[t].some(Boolean));
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const canvasOf = (label, width, height) => {
    const canvas = el("canvas", { width, height, role: "img", "aria-label": label });
    return [canvas, canvas.getContext("2d")];
  };

  // Parts of a processor around each step, of 16 samples or more: of fewer one would see chance.
  const shares = (lane) => {
    const full = over.stepUs * 1000 / data.period;
    const wide = Math.round(8 / full);
    return lane.map((_, i) => {
      const near = lane.slice(Math.max(0, i - wide), i + wide + 1);
      return near.reduce((a, b) => a + b) / near.length / full;
    });
  };

  const threadsPicture = () => {
    const label = `Samples of ${counted(busy.length, "thread")} over time; a table below has their sums`;
    const [canvas, context] = canvasOf(label, over.steps, busy.length * LANE);
    context.fillStyle = colour("--heat");
    busy.forEach((t, row) => shares(lanes[t]).forEach((part, step) => {
      const height = part > 0 ? Math.max(1, Math.round(Math.min(1, part) * (LANE - STRIP - 4))) : 0;
      context.fillRect(step, (row + 1) * LANE - STRIP - 1 - height, 1, height);
    }));
    // What is unknown is left free.
    STATES.forEach((state, k) => {
      context.fillStyle = colour(`--${state}`);
      busy.forEach((t, row) => {
        const all = statesOf.get(t) ?? [];
        for (let i = 0; i < all.length; i += 3) {
          const top = (k < 1 ? all[i + 1] : 0) + (k < 2 ? all[i + 2] : 0);
          const scale = STRIP / over.stepUs;
          if (all[i + k] > 0) context.fillRect(i / 3, (row + 1) * LANE - (top + all[i + k]) * scale, 1, all[i + k] * scale);
        }
      });
    });
    canvas.style.height = `${busy.length * LANE}px`;
    return canvas;
  };

  // Moments and phases above the threads. The table has them for those who cannot click here.
  const PHASES = 8;
  const phasesPicture = (choose) => {
    const rows = Math.min(PHASES, marks.reduce((most, { row }) => Math.max(most, row + 1), 0));
    const place = (step) => `${share(step, over.steps)}%`;
    return el("div.phases", { "aria-hidden": "true", style: { height: `${rows * 20}px` } }, marks.filter(({ row }) => row < PHASES).slice(0, 1000).map((mark) =>
      el(mark.isMoment ? "i" : "b", { title: markWords(mark), onclick: () => choose(mark.steps),
        style: { left: place(mark.at), top: `${mark.row * 20}px`, width: mark.isMoment ? "" : place(mark.end - mark.at) } }, mark.isMoment ? "" : mark.name)));
  };
  const lengthOf = ({ lengthUs }) => each(lengthUs * 1000, 1);
  const markWords = (mark) => `${mark.name}, ${threadName(mark.thread)}${mark.isMoment ? "" : `, ${lengthOf(mark)}`}`;
  const marksCard = (choose) => {
    const row = (mark) => el("tr", cell("number", secondsOf(mark.atUs)), cell("number", mark.isMoment ? "" : lengthOf(mark)),
      cell("grow", mark.isMoment ? mark.name : button(mark.name, () => choose(mark.steps), { className: "phase" })), cell("", threadName(mark.thread)));
    const rows = el("tbody", marks.slice(0, 20).map(row));
    return card("Phases and marks", "choose a phase to see it",
      el("table", { "aria-label": "Phases and marks" }, heads("at s", "length", ["name", "grow"], ["thread", ""]), rows),
      marks.some(({ row }) => row >= PHASES) && el("p.foot", `Of more than ${PHASES - 1} phases at a time the others are in this table alone.`),
      over.marks.leftOut > 0 && el("p.foot", `${counted(over.marks.leftOut, "mark")} more, the shortest, are not here.`),
      marks.length > 20 && button(`${marks.length - 20} more`, ({ target }) => {
        rows.append(...marks.slice(20).map(row));
        target.remove();
      }, { className: "more" }));
  };

  const heatPicture = () => {
    const columns = over.heat.length / over.parts;
    const [canvas, context] = canvasOf("Samples by second, left to right, and part of the second, top to bottom", columns, over.parts);
    const most = over.heat.reduce((a, b) => Math.max(a, b), 1);
    context.fillStyle = colour("--heat");
    over.heat.forEach((n, i) => {
      context.globalAlpha = n / most;
      context.fillRect(Math.floor(i / over.parts), i % over.parts, 1, 1);
    });
    return canvas;
  };

  views.time = {
    title: "Time",
    make(host) {
      const interval = (change) => go({ range: change && `${millis(change[0])}-${millis(change[1])}`, zoom: "" }, true);
      this.band = div("band");
      const picture = div("lanes", threadsPicture(), this.band);
      const stepAt = ({ clientX }) => {
        const { left, width } = picture.getBoundingClientRect();
        return inRun(Math.floor((clientX - left) / width * over.steps));
      };
      let [from, next] = [null, null];
      picture.onpointerdown = (event) => {
        from = stepAt(event);
        picture.setPointerCapture(event.pointerId);
        event.preventDefault();
      };
      picture.onpointermove = (event) => {
        if (from === null) return;
        // One picture for all moves before it is drawn.
        if (next === null) requestAnimationFrame(() => {
          this.draw(next);
          if (from === null) interval(next);
          next = null;
        });
        next = spanOf(from, stepAt(event));
      };
      picture.onpointerup = picture.onpointercancel = (event) => {
        if (from === null) return;
        const chosen = spanOf(from, stepAt(event));
        from = null;
        if (next === null) interval(chosen[1] === chosen[0] + 1 ? null : chosen);
        else next = chosen;
      };
      const slider = (label, edge) => el("input", { type: "range", min: edge, max: over.steps - 1 + edge, step: 1, "aria-label": label,
        oninput: ({ target }) => {
          const [a, b] = intervalOf(state.range) ?? [0, over.steps];
          const at = Number(target.value);
          interval(edge ? [Math.min(a, at - 1), at] : [at, Math.max(b, at + 1)]);
        } });
      this.edges = [slider("Start of the interval", 0), slider("End of the interval", 1)];
      this.words = el("p", { role: "status" });
      this.all = button("Whole run", () => interval(null));
      this.table = div("");
      host.append(el("p.lead", `Drag over threads to see an interval in all views. Full bars are whole processors, steps ${each(over.stepUs * 1000, 1)}.`),
        card("Threads", `${moment(0)} to ${moment(over.steps)}`,
          drawn.length > 0 && el("ul.legend", { "aria-label": "States of threads" }, drawn.map((state) =>
    el("li", patch(`var(--${state})`), state === "waiting" && over.states.fromSamples ? "waiting, or runnable" : state))),
          over.states.leftOut > 0 && el("p.foot", `The states of ${counted(over.states.leftOut, "thread")} are not drawn; they changed most often.`),
          div("timeline", marks.length > 0 && [el("span", { "aria-hidden": "true" }, "marks"), phasesPicture(interval)],
            el("ul.threads", { "aria-hidden": "true" }, busy.map((t) => el("li", { title: threadName(t) }, threadName(t)))), picture),
          div("edges", el("label", "Start", this.edges[0]), el("label", "End", this.edges[1])),
          div("tools", this.words, this.all, this.flame = el("a", "Flame graph of it"))),
        this.table, marks.length ? marksCard(interval) : "",
        over.heat.length ? card("Heat map", "a column for each second; what comes again and again makes a pattern",
          div("heat", heatPicture())) : "");
    },
    update() {
      this.draw(intervalOf(state.range));
    },
    draw(chosen) {
      const [a, b] = chosen ?? [0, over.steps];
      Object.assign(this.band.style, { left: `${share(a, over.steps)}%`, width: `${share(b - a, over.steps)}%` });
      this.band.hidden = !chosen;
      this.edges.forEach((edge, k) => {
        edge.value = [a, b][k];
        edge.ariaValueText = moment([a, b][k]);
      });
      this.all.disabled = !chosen;
      this.flame.href = address({ view: "flame" });
      const { self, total, threadTimes, samples: all } = timesDuring([a, b]);
      this.words.textContent = `${intervalWords([a, b])}: ${counted(all, "sample")}, ${time(all * data.period)}`;
      const rows = [...self.keys()].filter((f) => self[f] > 0).sort((f, g) => self[g] - self[f]).slice(0, 20);
      const times = [...busy].sort((t, u) => threadTimes[u] - threadTimes[t]);
      const timesOf = (ns) => [cell("number time", seconds(ns)), cell("number strong", percent(ns, all * data.period))];
      this.table.replaceChildren(
        card("Functions", "of the interval, by their own time", tableOf("Functions of the interval", [`self${unit}`, "%", `total${unit}`, ["function", "grow"]],
          rows.map((f) => [...timesOf(self[f]), cell("number", seconds(total[f])), cell("grow", swatch(f), functionLink(f))]))),
        card("Threads of the interval", "", tableOf("Threads of the interval", [`time${unit}`, "%", ...drawn.map((state) => `${state} s`), ["thread", "grow"]],
          times.slice(0, 50).map((t) => [...timesOf(threadTimes[t] * data.period), ...drawn.map((_, k) => cell("number", statesOf.has(t) ? secondsOf(statesDuring(t, [a, b])[k]) : "–")), cell("grow", threadName(t))]))));
    },
  };
}
