// A table that is wider than its place says so.
{
  const look = () => { for (const scroll of document.querySelectorAll(".scroll")) scroll.previousElementSibling.hidden = scroll.scrollWidth <= scroll.clientWidth + 1; };
  addEventListener("resize", look);
  document.addEventListener("toggle", look, true);
  document.addEventListener("change", look);
  look();
}
// A head sorts by its column: first ascending, then descending. Figures sort by their full value, what is empty comes last.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
{
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
}
