// Draws the rows of the bar charts again by another measure: the ratio to a baseline, MB/s, the time per item, allocated bytes. The page comes with the
// time drawn.
const drawMeasure = (() => {
  const digits = value => value === 0 ? "0" : Math.abs(value) >= 999.5 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
  const scaled = units => value => {
    const [size, name] = units.findLast(([size]) => value >= size * 0.9995) ?? units[0];
    return digits(value / size) + " " + name;
  };
  const time = scaled([[1, "ns"], [1e3, "μs"], [1e6, "ms"], [1e9, "s"]]), bytes = scaled([[1, "B"], [1e3, "kB"], [1e6, "MB"], [1e9, "GB"]]);
  const number = (row, name) => row.dataset[name] === undefined ? undefined : Number(row.dataset[name]);
  // each gives a row's value and interval, or nothing where the row has none
  const measures = {
    rate: { text: value => digits(value) + " MB/s", of: row => { const ns = number(row, "ns"), mb = number(row, "mb"); return mb === undefined ? null : [mb, mb * ns / number(row, "hi"), mb * ns / number(row, "lo")]; } },
    item: { text: time, of: row => { const ns = number(row, "ns"), it = number(row, "it"); return it === undefined ? null : [it, it * number(row, "lo") / ns, it * number(row, "hi") / ns]; } },
    allocated: { text: bytes, of: row => { const b = number(row, "b"); return b === undefined ? null : [b, b, b]; } },
    ratio: {
      text: value => (value < 999.5 ? value.toPrecision(3) : digits(value)) + "x", tick: value => digits(value) + "x", log: true,
      of: (row, base) => base && number(base, "lo") > 0 ? [number(row, "ns") / number(base, "ns"), number(row, "lo") / number(base, "hi"), number(row, "hi") / number(base, "lo")] : null,
    },
  };
  const ticksOf = (least, most, log) => {
    if (log) {
      const steps = most / least > 300 ? [1] : most / least > 25 ? [1, 3] : [1, 2, 5], ticks = [];
      for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) ticks.push(...steps.map(step => step * 10 ** power));
      return ticks.filter(tick => tick >= least && tick <= most);
    }
    const power = 10 ** Math.floor(Math.log10(most / 4)), step = [1, 2, 2.5, 5, 10].map(factor => factor * power).find(candidate => candidate >= most / 4 * 0.999);
    return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  };
  // words that would touch on a card of 300 pixels are left out, as on the page as it comes
  const spaced = marks => {
    const kept = [];
    for (const [at, text] of marks) {
      const width = text.length * 2.2, from = at - width * (at < 8 ? 0 : at > 92 ? 1 : 0.5);
      if (from < (kept.at(-1)?.to ?? -1) + 2 && kept.length) continue;
      kept.push({ mark: [at, text], to: from + width });
    }
    return kept.map(item => item.mark);
  };
  const bar = (kind, from, to) => { const i = document.createElement("i"); i.className = kind; i.style.left = Math.min(from, to) + "%"; i.style.width = Math.abs(to - from) + "%"; return i; };

  const originals = new Map();
  const restore = card => {
    const original = originals.get(card);
    if (!original) return;
    card.querySelector(".chart").style.setProperty("--ticks", original.ticks);
    card.querySelector(".ticks").replaceChildren(...original.marks);
    card.querySelector(".sub")?.replaceChildren(original.sub);
    for (const [row, value, strip, title] of original.rows) {
      row.hidden = false;
      row.title = title;
      row.querySelector(".value").textContent = value;
      row.querySelector(".strip").replaceChildren(...strip);
    }
    place(card, original.rows.map(([row]) => row));
  };
  const keep = card => {
    if (originals.has(card)) return;
    const sub = card.querySelector(".sub") ?? card.querySelector("figcaption").appendChild(Object.assign(document.createElement("p"), { className: "sub" }));
    originals.set(card, {
      ticks: card.querySelector(".chart").style.getPropertyValue("--ticks"), marks: [...card.querySelector(".ticks").childNodes], sub: sub.textContent,
      rows: all(".row", card).map(row => [row, row.querySelector(".value").textContent, [...row.querySelector(".strip").childNodes], row.title]),
    });
  };
  // rows in a new order stay below the head of their group
  const place = (card, rows) => {
    const chart = card.querySelector(".chart"), ticks = chart.querySelector(".ticks");
    for (const group of new Set(rows.map(row => row.dataset.g))) {
      const head = chart.querySelector(`.group[data-g="${group}"]`);
      for (const item of [...head ? [head] : [], ...rows.filter(row => row.dataset.g === group)]) chart.insertBefore(item, ticks);
    }
  };

  const labelOf = row => row.querySelector(".label").textContent;
  return (card, show, baseline) => {
    keep(card);
    const rows = originals.get(card).rows.map(([row]) => row);
    const measure = measures[show];
    if (!measure) return restore(card);
    const label = rows.some(row => labelOf(row) === baseline) ? baseline : card.dataset.base;
    const baseOf = row => rows.find(other => other.dataset.g === row.dataset.g && labelOf(other) === label);
    const found = rows.map(row => [row, measure.of(row, baseOf(row))]);
    for (const [row, value] of found) row.hidden = value === null || !value.every(Number.isFinite);
    const drawn = found.filter(([row]) => !row.hidden);
    const log = measure.log === true;
    const values = drawn.filter(([row]) => !row.classList.contains("off")).flatMap(([, value]) => value).filter(value => value > 0);
    const most = Math.max(...values, log ? 1.25 : 0) * (log ? 1.1 : 1.02) || 1, least = log ? Math.min(...values, 0.8) / 1.1 : 0;
    const at = value => Math.min(100, Math.max(0, log ? Math.log(value / least) / Math.log(most / least) * 100 : value / most * 100));
    const ticks = ticksOf(least, most, log).map(tick => [at(tick), (measure.tick ?? measure.text)(tick)]);
    const lines = ticks.map(([x, text]) => `var(--${log && text === "1x" ? "one" : "grid"}-line) ${x}% 0/1px 100% no-repeat`);
    card.querySelector(".chart").style.setProperty("--ticks", lines.join(",") || "none");
    card.querySelector(".ticks").replaceChildren(...spaced(ticks).map(([x, text]) => {
      const span = Object.assign(document.createElement("span"), { textContent: text, className: x < 8 ? "from" : x > 92 ? "to" : "" });
      span.style.left = x + "%";
      return span;
    }));
    card.querySelector(".sub").textContent = { ratio: `time divided by that of ${label}; logarithmic scale`, rate: "megabytes per second; more is better", item: "time for each item of the message", allocated: "allocated bytes per operation" }[show];
    for (const [row, [value, low, high]] of drawn) {
      const text = measure.text(value) + (low < high ? show === "ratio" ? ` [${measure.text(low).slice(0, -1)}, ${measure.text(high).slice(0, -1)}]` : "" : "");
      row.querySelector(".value").textContent = text;
      row.title = `${labelOf(row)}: ${text}`;
      const zero = log ? at(1) : 0;
      row.querySelector(".strip").replaceChildren(bar("bar", zero, at(value)), ...low < high ? [bar("whisker", at(low), at(high))] : []);
    }
    place(card, drawn.sort(([, [a]], [, [b]]) => show === "rate" ? b - a : a - b).map(([row]) => row));
  };
})();
