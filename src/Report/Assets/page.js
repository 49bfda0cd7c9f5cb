"use strict";
{
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // A head sorts by its column: first ascending, then descending. Figures sort by their full value, what is empty comes last.
  const value = cell => cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b
    : typeof a === "number" ? -1 : typeof b === "number" ? 1
    : (a === "") - (b === "") || a.localeCompare(b, "en", { numeric: true });
  for (const button of all("th button")) {
    button.addEventListener("click", () => {
      const head = button.parentElement, table = head.closest("table"), column = head.cellIndex;
      const descending = head.getAttribute("aria-sort") === "ascending";
      for (const other of all("th", table)) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map(row => [value(row.cells[column]), row]);
      rows.sort(([a], [b]) => descending && a !== "" && b !== "" ? order(b, a) : order(a, b));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  }

  // The mark under the mouse or chosen with the arrow keys is read out below its picture.
  const show = (chart, mark) => {
    for (const other of all(".m.on", chart)) other.classList.remove("on");
    mark?.classList.add("on");
    chart.parentElement.querySelector(".readout").textContent = mark?.querySelector("title").textContent ?? "";
  };
  for (const chart of all(".chart")) {
    chart.addEventListener("mouseover", event => { const mark = event.target.closest(".m"); if (mark) show(chart, mark); });
    chart.addEventListener("mouseleave", () => show(chart, null));
    chart.addEventListener("blur", () => show(chart, null));
    chart.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const choices = all(".m:not(.off)", chart);
      if (choices.length === 0) return;
      const at = choices.indexOf(chart.querySelector(".m.on"));
      show(chart, choices[at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length]);
    });
  }

  // Filters: rows that do not pass go, marks that do not pass fade, a chart without a mark left goes.
  const form = document.getElementById("filters"), table = document.getElementById("all-cells");
  if (form && table) {
    const rows = [...table.tBodies[0].rows].map(row => ({
      row, text: row.cells[0].textContent.toLowerCase(), parts: [1, 2, 3, 4].map(column => row.cells[column].textContent),
    }));
    const drawn = all(".chart [data-k]").map(mark => ({ mark, text: mark.querySelector("title").textContent.toLowerCase(), parts: mark.dataset.k.split("|") }));
    for (const item of drawn) item.text += " " + (item.mark.closest(".card").querySelector("h3").textContent + item.parts.join("")).toLowerCase();
    const apply = () => {
      const wanted = all("select", form).filter(select => select.value).map(select => [Number(select.dataset.part), select.value]);
      const words = form.querySelector("input").value.toLowerCase().split(/\s+/).filter(Boolean);
      const passes = item => wanted.every(([part, choice]) => item.parts[part] === choice) && words.every(word => item.text.includes(word));
      let count = 0;
      for (const item of rows) {
        const passed = passes(item);
        if (item.row.hidden === passed) item.row.hidden = !passed;
        count += passed;
      }
      for (const item of drawn) item.mark.classList.toggle("off", !passes(item));
      for (const card of all(".card:has([data-k])")) card.hidden = !card.querySelector("[data-k]:not(.off)");
      form.querySelector("output").textContent = `${count} of ${rows.length} cells`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("reset", () => setTimeout(apply));
    form.addEventListener("submit", event => event.preventDefault());
    form.hidden = false;
    apply();
  }
}
