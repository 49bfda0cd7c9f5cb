// Opens report pages in a real browser and prints what it found as JSON. Usage: node report.mjs <chromium> <page.html>...
// With the variable REPORT_PICTURES a folder gets a picture of every look.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { look } from "./look.mjs";
import { use } from "./use.mjs";

const [executablePath, ...files] = process.argv.slice(2);
const profile = await mkdtemp(join(tmpdir(), "protobench-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// One page for all looks: each page is a process of the browser.
const page = await browser.newPage();
let found;
page.on("console", message => found.errors.push(message.text()));
page.on("pageerror", error => found.errors.push(error.message));
page.on("dialog", dialog => { found.errors.push("dialog: " + dialog.message()); dialog.dismiss(); });
page.on("request", request => found.requests.push(request.url()));

async function open(file, width, colorScheme, query = "") {
  found.opened++;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, media: null });
  await page.goto(pathToFileURL(file).href + query);
}

// Each width once, both colours, and the measures; what is closed at first is open.
const looks = [
  ["narrow", 400, "dark", ""], ["middle", 900, "light", ""], ["wide", 1400, "light", ""], ["wideDark", 1400, "dark", ""],
  ["ratioNarrow", 400, "light", "?show=ratio"], ["ratioWide", 1400, "dark", "?show=ratio"], ["rate", 400, "light", "?show=rate"], ["allocated", 400, "light", "?show=allocated"],
];
const results = {};
try {
  for (const file of files) {
    found = { errors: [], requests: [], opened: 0, looks: {} };
    await open(file, 1280, "light");
    Object.assign(found, await use(page));
    const small = (await stat(file)).size < 2e6; // what is on a larger page, smaller pages have too
    for (const [name, width, scheme, query] of small ? looks : []) {
      if (query && !found.bars) continue;
      await open(file, width, scheme, query);
      await page.$$eval(name === "middle" ? "details.more, details.others, details.warnings" : "details.more", all => all.forEach(one => { one.open = true; }));
      found.looks[name] = await page.evaluate(look);
      if (process.env.REPORT_PICTURES) await page.screenshot({ path: join(process.env.REPORT_PICTURES, `${basename(file, ".html")}-${name}.png`), fullPage: true });
    }
    if (small) {
      await open(file, 718, "light"); // A4 without its margins
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      await page.emulateMedia({ media: "print" });
      found.firstChart = await page.$eval(".card, .grids table", card => card.getBoundingClientRect().top);
      found.printed = (pdf.match(/\/Type\s*\/Page\b/g) ?? []).length;
    }
    results[basename(file, ".html")] = found;
  }
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}
console.log(JSON.stringify(results));
