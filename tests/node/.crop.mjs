import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
const [file, out, y, h, w] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", headless: true, args: ["--no-sandbox", "--disable-gpu"] });
const p = await b.newPage({ viewport: { width: +w, height: +h } });

await p.setContent(`<body style="margin:0">`); await p.evaluate(([w,h]) => { document.body.innerHTML = `<div style="width:${w}px;height:${h}px;overflow:hidden"><img id=i></div>`; }, [w,h]); await p.evaluate(([src,y]) => new Promise(r => { const i=document.getElementById("i"); i.onload=r; i.style.marginTop=`-${y}px`; i.src=src; }), [`data:image/png;base64,${(await import("node:fs")).readFileSync(file).toString("base64")}`, y]);
await p.waitForTimeout(500);
await p.screenshot({ path: out });
await b.close();
