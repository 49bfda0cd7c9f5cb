// Filters: rows and marks that do not pass go, and charts without a mark left. The choices stand in the address, so that a link shows the same.
{
  const form = document.getElementById("filters"), table = document.getElementById("all-cells"), most = 12;
  const choices = form ? all("select, input", form) : [];

  const tiles = () => {
    let shown = 0;
    for (const tile of all(".tiles [data-tile]")) {
      const card = all(".card.bars[data-base]").find(card => card.querySelector("h3").textContent === tile.dataset.tile);
      const rows = all(".row:not(.off):not(.c0):not([data-unsure])", card ?? document.createElement("p"));
      const lowest = rows.reduce((best, row) => best && Number(best.dataset.ns) <= Number(row.dataset.ns) ? best : row, null);
      tile.hidden = !lowest || shown >= most;
      if (!lowest) continue;
      shown++;
      const who = tile.querySelector(".who"), group = card.querySelector(`.group[data-g="${lowest.dataset.g}"]`);
      tile.querySelector(".figure").textContent = lowest.dataset.time;
      who.textContent = lowest.querySelector(".label").textContent + (group ? ` (${group.textContent})` : "") + (lowest.dataset.strings ? ", " + lowest.dataset.strings : "");
      who.className = "who " + [...lowest.classList].find(name => /^[co]\d+$/.test(name));
      if (tile.dataset.floor) tile.querySelector(".sub").textContent = `${Number((lowest.dataset.ns / tile.dataset.floor).toFixed(1))}x the floor`;
    }
  };

  if (form && table) {
    const rows = [...table.tBodies[0].rows].map(row => ({ row, text: row.cells[0].textContent.toLowerCase(), parts: row.dataset.k.split("|") }));
    const drawn = all(".chart [data-k]").map(mark => ({
      mark, parts: mark.dataset.k.split("|"),
      text: [mark.title || mark.querySelector("title")?.textContent, mark.closest(".card").querySelector("h3").textContent, mark.dataset.k.replaceAll("|", "")].join(" ").toLowerCase(),
    }));
    for (const { mark } of drawn) if (mark.dataset.ns) mark.dataset.time = mark.querySelector(".value").textContent;
    const cards = all(".card:has([data-k])"), bars = all(".card.bars[data-base]");

    const apply = () => {
      const wanted = all("select[data-part]", form).filter(select => select.value).map(select => [Number(select.dataset.part), select.value]);
      const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
      // whoever looks for something looks for it in all rows
      if (wanted.length + words.length > 0) for (const others of all(".others")) others.open = true;
      const passes = item => wanted.every(([part, choice]) => item.parts[part] === choice) && words.every(word => item.text.includes(word));
      let count = 0;
      for (const item of rows) {
        const passed = passes(item);
        if (item.row.hidden === passed) item.row.hidden = !passed;
        count += passed;
      }
      for (const item of drawn) item.mark.classList.toggle("off", !passes(item));
      const show = form.elements.show?.value ?? "time";
      if (form.elements.base) form.elements.base.parentElement.hidden = show !== "ratio";
      for (const card of bars) drawMeasure(card, show, form.elements.base?.value);
      for (const card of cards) {
        card.hidden = !card.querySelector("[data-k]:not(.off, [hidden])");
        for (const group of all(".group", card)) group.hidden = !card.querySelector(`.row[data-g="${group.dataset.g}"]:not(.off, [hidden])`);
      }
      for (const list of all(".cards")) {
        const left = all(":scope > .card:not([hidden])", list).length;
        list.className = `cards n${left}`;
      }
      tiles();
      form.querySelector("output").textContent = `${count} of ${rows.length} cells`;
    };
    const keep = () => {
      const query = new URLSearchParams(choices.filter(choice => choice.value && choice.value !== "time").map(choice => [choice.name, choice.value])).toString();
      try { history.replaceState(null, "", (query ? "?" + query : location.pathname) + location.hash); } catch { /* a page in a frame without an address of its own */ }
    };
    for (const [name, value] of new URLSearchParams(location.search)) {
      const choice = form.elements[name];
      if (choice && (choice.tagName !== "SELECT" || [...choice.options].some(option => option.value === value))) choice.value = value;
    }
    form.addEventListener("input", () => { apply(); keep(); });
    form.addEventListener("reset", () => setTimeout(() => { apply(); keep(); }));
    form.addEventListener("submit", event => event.preventDefault());
    form.hidden = false;
    apply();
  }
}
