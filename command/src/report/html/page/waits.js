// Where threads waited, if that was sampled: the functions that did, and what called them to.

if (hasWaits) {
  const waiting = functions.waiting;
  const all = wholeRun.order.reduce((sum, f) => sum + waiting[f], 0);
  const rows = (times) => wholeRun.order.filter((f) => times[f] > 0).sort((a, b) => times[b] - times[a]).slice(0, 200);
  const cells = (times) => (f) => [cell("number time", seconds(times[f])), cell("number strong", percent(times[f], all)),
    cell("number wide", seconds(functions.total[f] - functions.totalWaiting[f])), cell("grow", swatch(f), functionLink(f)), cell("module", moduleOf(f))];
  const list = (title, note, times) => card(title, note, tableOf(title, [[`waiting${unit}`, "number time"], ["%", "number strong"],
    [`running${unit}`, "number wide"], ["function", ""], ["module", ""]], rows(times).map(cells(times))));
  views.waits = {
    title: "Waits",
    make(host) {
      host.append(el("p.lead", `Threads ran for ${time(wholeRun.time - all)} and waited for ${time(all)}, by the clock on the wall.`),
        ...(all > 0 ? [list("Functions that waited", "in themselves", waiting), list("Functions with all that they called", "", functions.totalWaiting)]
          : [empty("No sample found a thread waiting")]));
    },
  };
}
