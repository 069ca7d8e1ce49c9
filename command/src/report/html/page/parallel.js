// Parallel programs: ranks of MPI and regions of OpenMP, and how evenly they share the work.

if (data.ranks.length + data.regions.length > 0 || data.openmpWaiting > 0) {
  // The most of some times, their mean over so many, and how much longer the slowest one takes than the mean.
  const spread = (times, number) => {
    const [sum, most] = [times.reduce((a, b) => a + b, 0), Math.max(0, ...times)];
    return { sum, most, mean: sum / number, imbalance: sum > 0 ? (most * number) / sum : 1 };
  };
  const ranks = () => {
    const own = (rank) => rank.time_ns - rank.mpi_ns;
    const rows = [...data.ranks].sort((a, b) => own(b) - own(a) || a.rank - b.rank);
    const { imbalance } = spread(rows.map(own), rows.length);
    return card("Ranks", `imbalance ${imbalance.toFixed(2)}`, tableOf("Ranks",
      [`time${unit}`, `MPI${unit}`, `other${unit}`, "rank", ["", "bars"]],
      rows.map((rank) => [cell("number", seconds(rank.time_ns)), cell("number", seconds(rank.mpi_ns)), cell("number", seconds(own(rank))),
        cell("number", String(rank.rank)), cell("bars", bar(own(rank), rank.time_ns, Math.max(...rows.map((it) => it.time_ns))))])),
    el("p.foot", "Imbalance is the most time outside MPI divided by the mean."));
  };
  const regions = () => {
    const rows = data.regions.map((region) => ({ ...region, ...spread(region.threads.map((it) => it.time_ns), region.team) }))
      .sort((a, b) => b.sum - a.sum);
    return card("Parallel regions", "", tableOf("Parallel regions",
      [`time${unit}`, "threads", `mean${unit}`, `longest${unit}`, "imbalance", ["region", ""]],
      rows.map((it) => [cell("number", seconds(it.sum)), cell("number", count(it.team)), cell("number", seconds(it.mean)),
        cell("number", seconds(it.most)), cell("number", it.imbalance.toFixed(2)), cell("grow", swatch(it.function), functionLink(it.function))])),
    el("p.foot", "Imbalance is the longest time of a thread divided by the mean."));
  };
  views.parallel = {
    title: "Parallel",
    make(host) {
      if (data.openmpWaiting > 0) {
        host.append(el("p.lead", `OpenMP: ${time(data.openmpWaiting * data.period)} of ${time(wholeRun.time)} waiting for the other threads of parallel regions.`));
      }
      if (data.ranks.length) host.append(ranks());
      if (data.regions.length) host.append(regions());
    },
  };
}
