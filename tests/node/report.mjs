// Opens report pages in a real browser and prints what it found as JSON. Usage: node report.mjs <chromium> <page.html>...
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, ...files] = process.argv.slice(2);
const profile = await mkdtemp(join(tmpdir(), "protobench-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

async function open(file, width, colorScheme) {
  const page = await browser.newPage();
  const found = { errors: [], requests: [] };
  page.on("console", message => found.errors.push(message.text()));
  page.on("pageerror", error => found.errors.push(error.message));
  page.on("dialog", dialog => { found.errors.push("dialog: " + dialog.message()); dialog.dismiss(); });
  page.on("request", request => found.requests.push(request.url()));
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(pathToFileURL(file).href);
  return [page, found];
}

// What a person with this screen sees: is anything cut at the right edge, and is all text far enough from its background?
const look = page => page.evaluate(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (...layers) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = colour => [0, 1, 2].map(i => colour[i] / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const behind = element => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
    const field = element.parentElement?.querySelector?.(":scope > .field");
    return field ? [...layers, getComputedStyle(field).fill] : layers;
  };
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const text of document.querySelectorAll(".chart text")) {
    const box = text.getBoundingClientRect(), card = text.closest(".card").getBoundingClientRect();
    if (box.width > 0 && (box.left < card.left || box.right > card.right)) faults.push(`cut: ${text.textContent}`);
  }
  let lowest = 99;
  const words = [...document.querySelectorAll("h1,h2,h3,p,li,a,summary,label,code,dt,button,caption,td,.chart text")].filter(e => e.textContent.trim() && e.getClientRects().length > 0).slice(0, 3000);
  for (const element of words) {
    const style = getComputedStyle(element), back = behind(element);
    const ratio = contrast(rgb(...back, element.closest("svg") ? style.fill : style.color), rgb(...back));
    lowest = Math.min(lowest, ratio);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${element.tagName} ${element.textContent.trim().slice(0, 40)}`);
  }
  for (const mark of document.querySelectorAll(".bar, .dot, .part, .mark:not(.hollow), .line")) {
    const style = getComputedStyle(mark), back = behind(mark);
    const ratio = contrast(rgb(...back, style.fill === "none" ? style.stroke : style.fill), rgb(...back));
    if (ratio < 3) faults.push(`contrast ${ratio.toFixed(2)} of a mark: ${mark.getAttribute("class")}`);
  }
  return { faults: [...new Set(faults)].slice(0, 20), lowest };
});

const column = (page, at) => page.$$eval("#all-cells tbody tr:not([hidden])", (rows, at) => rows.map(row => row.cells[at].dataset.v ?? row.cells[at].textContent), at);

async function use(page) {
  const found = { charts: await page.$$eval(".chart", charts => charts.map(chart => ({
    title: chart.closest(".card").querySelector("h3").textContent,
    marks: chart.querySelectorAll(".m").length,
    rows: chart.closest(".card").querySelectorAll("details tbody tr").length,
    focusable: chart.tabIndex === 0,
  }))) };
  if (found.charts.length) {
    await page.focus(".chart");
    await page.keyboard.press("ArrowRight");
    found.readout = await page.$eval(".readout", line => line.textContent);
    const summary = page.locator(".card details summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    found.tableOpens = await page.locator(".card details table").first().isVisible();
  }
  if (await page.$("#all-cells")) {
    const median = page.locator("#all-cells th button").nth(5);
    const begin = performance.now();
    await median.click();
    found.ascending = await column(page, 5);
    await median.click();
    found.descending = await column(page, 5);
    found.sort = await page.$eval("#all-cells th:nth-child(6)", head => head.getAttribute("aria-sort"));
    for (const [part, select] of Object.entries({ verb: 0, message: 1, library: 2, buffer: 3 })) {
      const choice = page.locator(`#filters select[data-part="${select}"]`);
      if (await choice.count() === 0) continue;
      const wanted = await choice.locator("option").nth(1).textContent();
      await choice.selectOption({ index: 1 });
      found[part] = { wanted, rows: await column(page, select + 1), bright: await page.$$eval("[data-k]:not(.off)", (marks, at) => marks.map(mark => mark.dataset.k.split("|")[at]), select) };
      await page.locator("#filters button").click();
      await page.waitForFunction(all => document.querySelector("#filters output").textContent.startsWith(`${all} of`), found.ascending.length);
    }
    found.afterReset = (await column(page, 0)).length;
    found.seconds = (performance.now() - begin) / 1000;
  }
  return found;
}

const results = {};
try {
  for (const file of files) {
    const [page, found] = await open(file, 1280, "light");
    Object.assign(found, await use(page));
    if ((await stat(file)).size < 1e6) found.wide = await look(page); // what is on it, smaller pages have too
    await page.close();
    for (const [name, width, scheme] of [["dark", 1280, "dark"], ["narrow", 390, "light"], ["narrowDark", 390, "dark"]]) {
      if (!found.wide) break;
      const [other, seen] = await open(file, width, scheme);
      found[name] = await look(other);
      found.errors.push(...seen.errors);
      found.requests.push(...seen.requests);
      if (process.env.REPORT_PICTURES)
        await other.screenshot({ path: join(process.env.REPORT_PICTURES, `${basename(file, ".html")}-${name}.png`) });
      await other.close();
    }
    results[basename(file, ".html")] = found;
  }
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}
console.log(JSON.stringify(results));
