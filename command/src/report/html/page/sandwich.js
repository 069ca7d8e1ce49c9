// The stacks around a function: its callers above, its callees below.
const sandwich = () => {
  const picture = (label, grows) => {
    const icicle = new Icicle({
      label, grows, rows: 12,
      onCurrent: (branch) => line.replaceChildren(...frameDetails(branch, icicle).flat(9)),
      onOpen: (f) => go({ view: "function", function: f }),
    });
    icicle.choose = (branch) => branch.function >= 0 && go({ view: "function", function: branch.function });
    return icicle;
  };
  const line = el("p.foot", { role: "status" });
  const [above, below] = [picture("Callers", "up"), picture("Callees", "down")];
  return {
    card: card("Paths through it, measured", "callers above, callees below; click a frame to move there", above.host, below.host, line),
    show(f) {
      above.show(pictures.around(f, true));
      below.show(pictures.around(f, false));
    },
  };
};
