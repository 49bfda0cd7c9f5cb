// The mark under the mouse or chosen with the arrow keys is read out below its picture.
{
  const words = mark => mark?.title || mark?.querySelector?.("title")?.textContent || "";
  const show = (chart, mark) => {
    for (const other of all(".m.on", chart)) other.classList.remove("on");
    mark?.classList.add("on");
    chart.parentElement.querySelector(".readout").textContent = words(mark);
  };
  for (const chart of all(".chart")) {
    chart.addEventListener("mouseover", event => { const mark = event.target.closest(".m"); if (mark) show(chart, mark); });
    chart.addEventListener("mouseleave", () => show(chart, null));
    chart.addEventListener("blur", () => show(chart, null));
    chart.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const choices = all(".m:not(.off, [hidden])", chart).filter(mark => mark.getClientRects().length > 0);
      if (choices.length === 0) return;
      const at = choices.indexOf(chart.querySelector(".m.on"));
      show(chart, choices[at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length]);
    });
  }
}
