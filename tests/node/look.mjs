// What a person sees of a page, as faults: text that is cut, that covers other text, or that is too near to its background in colour.
// Runs inside the page, so it uses nothing from outside of it.
export function look() {
  const faults = [];
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (...layers) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = colour => [0, 1, 2].map(i => colour[i] / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const known = new Map();
  const contrast = (colour, back) => {
    const key = [colour, ...back].join();
    if (!known.has(key)) {
      const [x, y] = [light(rgb(...back, colour)), light(rgb(...back))].sort((p, q) => q - p);
      known.set(key, (x + 0.05) / (y + 0.05));
    }
    return known.get(key);
  };
  const backs = new Map([[null, []]]);
  const behind = element => {
    if (!backs.has(element)) backs.set(element, [...behind(element.parentElement), getComputedStyle(element).backgroundColor]);
    return backs.get(element);
  };

  // the boxes of the words themselves: a line each, wherever they run out of their element
  const words = root => {
    const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.trim() || node.parentElement.closest("title, select, .scroll")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 0 && box.height > 0) found.push({ box, text: node.data.trim().slice(0, 40), node });
    }
    return found;
  };
  const cover = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;

  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  let compared = 0;
  for (const frame of document.querySelectorAll(".card, .tiles li, #filters, header, nav")) {
    const outer = frame.getBoundingClientRect(), found = words(frame).sort((a, b) => a.box.top - b.box.top);
    for (const [i, one] of found.entries()) {
      if (one.box.left < outer.left - 1 || one.box.right > outer.right + 1) faults.push(`cut: ${one.text}`);
      for (let j = i + 1; j < found.length && found[j].box.top < one.box.bottom; j++) {
        compared++;
        if (found[j].node !== one.node && cover(one.box, found[j].box)) faults.push(`overlap: "${one.text}" and "${found[j].text}"`);
      }
    }
  }
  for (const table of document.querySelectorAll(".scroll")) {
    const wide = table.scrollWidth > table.clientWidth + 1;
    if (wide === table.previousElementSibling.hidden) faults.push(`a table is ${wide ? "cut and does not say so" : "said to be cut"}: ` + table.getAttribute("aria-label"));
    if (table.querySelector(".whole") && innerWidth >= 900 && table.scrollHeight > table.clientHeight + 1) faults.push("a table is cut: " + table.getAttribute("aria-label"));
  }
  for (const card of document.querySelectorAll(".card.bars[data-base]")) {
    const labels = [...card.querySelectorAll(".row:not([hidden], .off)")].map(row => `${row.dataset.g}: ${row.querySelector(".label").textContent}`);
    if (new Set(labels).size < labels.length) faults.push(`two bars of ${card.querySelector("h3").textContent} have the same label`);
  }

  let lowest = 99;
  const texts = [...document.querySelectorAll("h1,h2,h3,p,li,a,summary,label,code,dt,button,caption,td,.chart text,.label,.value,.ticks span")]
    .filter(e => e.textContent.trim() && e.getClientRects().length > 0).slice(0, 3000);
  for (const element of texts) {
    const style = getComputedStyle(element), back = behind(element);
    const ratio = contrast(element.closest("svg") ? style.fill : style.color, back);
    lowest = Math.min(lowest, ratio);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${element.tagName} ${element.textContent.trim().slice(0, 40)}`);
  }
  for (const mark of [...document.querySelectorAll(".bar:not(.hollow), .dot, .part, .mark:not(.hollow), .line")].slice(0, 3000)) {
    const style = getComputedStyle(mark), svg = mark.closest("svg"), back = behind(svg ? svg.parentElement : mark.parentElement);
    const ratio = contrast(svg ? style.fill === "none" ? style.stroke : style.fill : style.backgroundColor, back);
    if (ratio < 3) faults.push(`contrast ${ratio.toFixed(2)} of a mark: ${mark.getAttribute("class")}`);
  }
  return { faults: [...new Set(faults)].slice(0, 20), lowest, compared };
}
