import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
const [file, out, query = ""] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", headless: true, args: ["--no-sandbox", "--disable-gpu"] });
for (const width of [1400, 900, 400]) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: "light" });
  await page.goto(pathToFileURL(file).href + query);
  for (const s of await page.$$("main section, section")) {
    const id = await s.getAttribute("id");
    try { await s.screenshot({ path: `${out}-${id}-${width}.png` }); } catch (e) { console.log(id, width, e.message.split("\n")[0]); }
  }
  await page.screenshot({ path: `${out}-top-${width}.png` });
}
await browser.close();
