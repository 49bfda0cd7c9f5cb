// Takes a picture of the top of a report page. Usage: node picture.mjs <chromium> <page.html> <picture.png> <height> [query]
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, file, picture, height, query = ""] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: Number(height) }, colorScheme: "light" });
  await page.goto(pathToFileURL(file).href + query);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
}
