// Uses a page as a reader does: arrow keys, tables, sorting, filters, measures; and says what came of it.
const column = (page, at) => page.$$eval("#all-cells tbody tr:not([hidden])", (rows, at) => rows.map(row => row.cells[at].dataset.v ?? row.cells[at].textContent), at);
const bars = page => page.$$eval(".card.bars[data-base]:not([hidden])", cards => cards.slice(0, 3).map(card => ({
  title: card.querySelector("h3").textContent,
  sub: card.querySelector(".sub")?.textContent ?? "",
  rows: [...card.querySelectorAll(".row:not(.off, [hidden])")].map(row => ({ label: row.querySelector(".label").textContent, value: row.querySelector(".value").textContent, ns: Number(row.dataset.ns) })),
})));
const tiles = page => page.$$eval(".tiles [data-tile]:not([hidden])", tiles => tiles.map(tile => ({ name: tile.dataset.tile, who: tile.querySelector(".who").textContent, figure: tile.querySelector(".figure").textContent })));

export async function use(page) {
  const found = {
    charts: await page.$$eval(".chart", charts => charts.map(chart => ({
      title: chart.closest(".card").querySelector("h3").textContent,
      marks: chart.querySelectorAll(".m").length,
      rows: chart.closest(".card").querySelectorAll("details tbody tr").length,
      focusable: chart.tabIndex === 0,
    }))),
    bars: await page.$$eval(".card.bars[data-base]", cards => cards.length),
  };
  if (found.charts.length) {
    await page.focus(".chart");
    await page.keyboard.press("ArrowRight");
    found.readout = await page.$eval(".readout", line => line.textContent);
    const summary = page.locator(".card > details summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    found.tableOpens = await page.locator(".card > details table").first().isVisible();
  }
  if (await page.$("#all-cells")) Object.assign(found, await sortAndFilter(page));
  if (found.bars) found.measures = await measure(page);
  if (await page.$("#service")) found.service = await service(page);
  return found;
}

async function sortAndFilter(page) {
  const found = {};
  const median = page.locator("#all-cells th button").nth(2);
  const begin = performance.now();
  await median.click();
  found.ascending = await column(page, 2);
  await median.click();
  found.descending = await column(page, 2);
  found.sort = await page.$eval("#all-cells th:nth-child(3)", head => head.getAttribute("aria-sort"));
  found.filters = {};
  for (const choice of await page.locator("#filters select[data-part]").all()) {
    const [name, at] = [await choice.getAttribute("name"), Number(await choice.getAttribute("data-part"))];
    const wanted = await choice.locator("option").nth(1).textContent();
    await choice.selectOption({ index: 1 });
    const keys = selector => page.$$eval(selector, (all, at) => all.map(one => one.dataset.k.split("|")[at]), at);
    found.filters[name] = {
      wanted, rows: await keys("#all-cells tbody tr:not([hidden])"), drawn: await keys(".chart [data-k]:not(.off, [hidden])"), address: page.url(), tiles: await tiles(page),
      fastest: await bars(page),
    };
    await page.locator("#filters button").click();
    await page.waitForFunction(all => document.querySelector("#filters output").textContent.startsWith(`${all} of`), found.ascending.length);
  }
  found.afterReset = (await column(page, 0)).length;
  found.seconds = (performance.now() - begin) / 1000;
  return found;
}

async function measure(page) {
  const found = { time: await bars(page) };
  const show = page.locator("#filters select[name=show]"), base = page.locator("#filters select[name=base]");
  for (const name of await show.locator("option").evaluateAll(options => options.map(option => option.value))) {
    await show.selectOption(name);
    found[name + "Drawn"] = await bars(page);
  }
  await show.selectOption("ratio");
  found.choices = await base.locator("option").evaluateAll(options => options.map(option => option.value).filter(Boolean));
  await base.selectOption(found.time[0].rows.at(-1).label);
  found.chosen = await bars(page);
  found.address = page.url();
  await page.locator("#filters button").click();
  await page.waitForFunction(() => document.querySelector("#filters select[name=base]").parentElement.hidden);
  found.after = await bars(page);
  return found;
}

// A service with other messages and another load, and then one with a rate that is no number.
async function service(page) {
  const rows = () => page.$$eval(".service:not([hidden]) tbody tr", all => all.map(row => [...row.cells].map(cell => cell.textContent)));
  const over = () => page.$eval(".service:not([hidden]) .over", text => !text.hidden);
  const found = { before: await rows(), over: [await over()] };
  await page.selectOption("#service-kind", { index: 1 });
  await page.fill("#service-rate", "20000");
  await page.fill("#service-read", "100");
  await page.fill("#service-network", "100");
  found.after = await rows();
  found.over.push(await over());
  await page.fill("#service-rate", "");
  found.without = await rows();
  found.invalid = await page.$eval("#service-rate", input => input.getAttribute("aria-invalid"));
  return found;
}
