// ---- Scores against ratings: a dot an output, with what it says under the pointer.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const FEW = 20; // different values that are moved a little, so that equal ones do not hide each other
const REACH = 24;
const LAYERS = 7;
const FEWEST = 10; // outputs of a part
const printed = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(3)).replace("-", "−");
// 100 (rank - 1/2) / n, equal values sharing a rank; NaN stays NaN.
const percentiles = (values) => {
  const order = values.map((_, place) => place).filter((place) => !Number.isNaN(values[place])).sort((a, b) => values[a] - values[b]);
  const result = values.map(() => NaN);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end < order.length && values[order[end]] === values[order[start]]) end += 1;
    for (let place = start; place < end; place += 1) result[order[place]] = 100 * ((start + end) / 2) / order.length;
    start = end;
  }
  return result;
};
// Round values between two ends, about so many.
const ticks = (low, high, about) => {
  const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((size) => size * power >= rough);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
};
// The same for the same output whenever it is drawn: between -1/2 and 1/2.
const moved = (place, salt) => { const x = Math.sin((place + 1) * salt) * 43758.5453; return x - Math.floor(x) - 0.5; };
const distinct = (values) => [...new Set(values)].sort((a, b) => a - b);
// How far few values are moved: less than to the next, and at most such a part of their range.
const spread = (values, part) => {
  const known = distinct(values);
  if (known.length > FEW || known.length < 2) return 0;
  return 0.7 * Math.min(...known.slice(1).map((value, place) => value - known[place]), (known.at(-1) - known[0]) / part);
};
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const pearson = (one, other) => {
  const [a, b] = [mean(one), mean(other)];
  const sum = (f) => one.reduce((total, value, place) => total + f(value - a, other[place] - b), 0);
  return sum((x, y) => x * y) / Math.sqrt(sum((x) => x * x) * sum((_, y) => y * y));
};
const spearman = (points) => pearson(percentiles(points.map((point) => point.x)), percentiles(points.map((point) => point.y)));
// Parts of about equally many outputs, equal scores together (of few scores, those of ten outputs by themselves): mean score, mean rating, half of its 95 % interval.
const smoothed = (points, parts) => {
  const sorted = [...points].sort((a, b) => a.x - b.x), few = distinct(points.map((point) => point.x)).length <= parts, found = [];
  const size = few ? FEWEST : Math.ceil(sorted.length / parts);
  for (let start = 0; start < sorted.length;) {
    let end = Math.min(start + size, sorted.length);
    while (end < sorted.length && sorted[end].x === sorted[end - 1].x) end += 1;
    const part = sorted.slice(start, end), ratings = part.map((point) => point.y), middle = mean(ratings);
    const variance = ratings.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, part.length - 1);
    found.push({ x: mean(part.map((point) => point.x)), y: middle, half: 1.96 * Math.sqrt(variance / part.length) });
    start = end;
  }
  return found;
};
const counts = (values, low, high, parts) => {
  const found = new Array(parts).fill(0);
  values.forEach((value) => { found[Math.min(parts - 1, Math.floor(parts * (value - low) / (high - low)))] += 1; });
  return found;
};

// Draws into `host`; `about` has names, `entries` everything judged, `wanted` what the filter leaves, `open` the one that is open.
const scatter = (host, open) => {
  const svg = drawn("svg", { role: "application", tabindex: 0, "aria-describedby": "scatter-help" });
  const ring = drawn("circle", { r: 7, fill: "none", stroke: "var(--ink)", "stroke-width": 2, visibility: "hidden" });
  host.replaceChildren(svg);
  let points = [], orders = [[], []], pointed = null, shownNow = null;
  const tellAbout = (point) => {
    pointed = point;
    if (!point) { hide(); ring.setAttribute("visibility", "hidden"); return; }
    ring.setAttribute("cx", point.left);
    ring.setAttribute("cy", point.top);
    ring.setAttribute("visibility", "visible");
    const { row, rated, scored } = point.entry;
    const text = `${row.output}\n${row.system} · ${shownNow.rating} ${printed(rated)} · ${shownNow.metric} ${printed(scored)}`;
    tell(ring, text);
    byId("scatter-said").textContent = text;
  };
  const near = (event, most) => {
    const box = svg.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const distance = (point) => (point.left - x) ** 2 + (point.top - y) ** 2;
    const best = points.reduce((found, point) => (found && distance(found) <= distance(point) ? found : point), null);
    return best && distance(best) <= most ** 2 ? best : null;
  };
  svg.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") tellAbout(near(event, REACH)); });
  svg.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") tellAbout(null); });
  let finger = false;
  svg.addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; });
  svg.addEventListener("click", (event) => {
    const point = near(event, REACH), again = point === pointed;
    if (!point) return;
    tellAbout(point);
    if (!finger || again) { tellAbout(null); open(point.entry); }
  });
  svg.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && pointed) { event.preventDefault(); const { entry } = pointed; tellAbout(null); open(entry); return; }
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1] }[event.key];
    if (!step || !points.length) return;
    event.preventDefault();
    const order = orders[step[0]], next = pointed ? order.indexOf(pointed) + step[1] : 0;
    tellAbout(order[Math.max(0, Math.min(order.length - 1, next))]);
  });
  svg.addEventListener("blur", () => tellAbout(null));

  const draw = (shown) => {
    shownNow = shown;
    pointed = null;
    const both = shown.entries.filter((entry) => !Number.isNaN(entry.apart));
    const width = Math.max(280, host.clientWidth), height = Math.max(340, Math.min(480, 0.55 * width));
    const [left, right, top, bottom] = [48, width - 62, 56, height - 46];
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    points = [];
    if (both.length < 2) return "";
    const [steps, ratingSteps] = [spread(both.map((entry) => entry.scored), 12), spread(both.map((entry) => entry.rated), 3)];
    const ends = (values, pad) => { const [low, high] = [Math.min(...values), Math.max(...values)]; const own = pad || 0.04 * (high - low) || 1; return [low - own, high + own]; };
    const [xs, ys] = [ends(both.map((entry) => entry.scored), 0.8 * steps), ends(both.map((entry) => entry.rated), 0.8 * ratingSteps)];
    const across = (value) => left + (right - left) * (value - xs[0]) / (xs[1] - xs[0]);
    const upwards = (value) => bottom - (bottom - top) * (value - ys[0]) / (ys[1] - ys[0]);
    const wanted = new Set(shown.wanted);
    const dotted = both.map((entry) => ({
      entry, x: entry.scored, y: entry.rated,
      left: across(entry.scored + steps * moved(entry.row.place, 12.9898)),
      top: upwards(entry.rated + ratingSteps * moved(entry.row.place, 78.233)),
    }));
    points = dotted.filter((point) => wanted.has(point.entry));
    orders = [[...points].sort((a, b) => a.x - b.x || a.y - b.y), [...points].sort((a, b) => a.y - b.y || a.x - b.x)];
    const text = (x, y, content, more = {}) => svg.append(drawn("text", { x, y, "font-size": 12, fill: "var(--ink)", ...more }, content));
    const line = (x1, y1, x2, y2, more = {}) => svg.append(drawn("line", { x1, y1, x2, y2, stroke: "var(--rule)", ...more }));
    ticks(...xs, width / 110).forEach((value) => { line(across(value), top, across(value), bottom); text(across(value), bottom + 16, String(value).replace("-", "−"), { "text-anchor": "middle", fill: "var(--muted)" }); });
    ticks(...ys, 6).forEach((value) => { line(left, upwards(value), right, upwards(value)); text(left - 8, upwards(value) + 4, String(value).replace("-", "−"), { "text-anchor": "end", fill: "var(--muted)" }); });
    text((left + right) / 2, height - 10, `${shown.metric}${shown.lower ? " (lower is better)" : ""}`, { "text-anchor": "middle" });
    text(0, 0, shown.rating, { "text-anchor": "middle", transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)` });
    const dots = (list, colour, opacity) => {
      const shape = list.map((point) => `M${point.left.toFixed(1)} ${point.top.toFixed(1)}h0`).join("");
      if (shape) svg.append(drawn("path", { d: shape, stroke: colour, "stroke-width": 5.5, "stroke-opacity": opacity, style: "stroke-linecap:round", fill: "none" }));
    };
    dots(dotted.filter((point) => !wanted.has(point.entry)), "var(--rule)", 1);
    const systems = [...new Set(shown.entries.map((entry) => entry.row.system))];
    const several = systems.length > 1 && systems.length <= COLOURS.length;
    // In layers, so that no system hides the others.
    for (let layer = 0; layer < LAYERS; layer += 1) {
      const own = points.filter((point) => point.entry.row.place % LAYERS === layer);
      (several ? systems : [null]).forEach((system, place) => {
        dots(own.filter((point) => system === null || point.entry.row.system === system), COLOURS[place], points.length > 300 ? 0.5 : 0.75);
      });
    }
    const bars = (values, [low, high], parts, bar) => {
      const found = counts(values, low, high, parts), most = Math.max(...found);
      found.forEach((number, place) => { if (number) svg.append(drawn("path", { d: bar(low + place * (high - low) / parts, low + (place + 1) * (high - low) / parts, number / most), fill: "var(--muted)", "fill-opacity": 0.55 })); });
    };
    if (points.length) {
      bars(points.map((point) => point.x), xs, 36, (a, b, share) => `M${across(a) + 0.5} ${top - 6}V${top - 6 - 34 * share}H${across(b) - 0.5}V${top - 6}z`);
      const marks = new Set(both.map((entry) => entry.rated)).size;
      bars(points.map((point) => point.y), ys, marks <= FEW && ratingSteps ? Math.round((ys[1] - ys[0]) / (ratingSteps / 0.7)) : FEW, (a, b, share) => `M${right + 6} ${upwards(a) - 0.5}H${right + 6 + 48 * share}V${upwards(b) + 0.5}H${right + 6}z`);
    }
    if (points.length >= 2 * FEWEST) {
      const line = smoothed(points, Math.min(12, Math.floor(points.length / FEWEST)));
      svg.append(drawn("path", { d: line.map(({ x, y, half }) => `M${across(x)} ${upwards(y - half)}V${upwards(y + half)}`).join(""), stroke: "var(--ink)", "stroke-width": 1.5, fill: "none" }));
      svg.append(drawn("path", { d: `M${line.map(({ x, y }) => `${across(x)} ${upwards(y)}`).join("L")}`, stroke: "var(--ink)", "stroke-width": 2.5, fill: "none" }));
    }
    if (several) {
      let x = right;
      [...systems.entries()].reverse().forEach(([place, system]) => {
        const name = system.length > 18 ? `${system.slice(0, 17)}…` : system;
        text(x, 12, name, { "text-anchor": "end" });
        x -= svg.lastChild.getComputedTextLength() + 10;
        svg.append(drawn("circle", { cx: x, cy: 8, r: 4, fill: COLOURS[place] }));
        x -= 14;
      });
    }
    const one = points.find((point) => point.entry.row.place === shown.open);
    if (one) svg.append(drawn("circle", { cx: one.left, cy: one.top, r: 8, fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }));
    svg.append(ring);
    ring.setAttribute("visibility", "hidden");
    const r = points.length > 2 ? spearman(points) : NaN;
    const sentence = `${shown.rating} by ${shown.metric}, ${points.length.toLocaleString("en")} outputs${Number.isNaN(r) ? "" : `, Spearman ${r.toFixed(2).replace("-", "−")}`}`;
    svg.setAttribute("aria-label", sentence);
    return sentence;
  };
  const save = () => {
    const copy = svg.cloneNode(true), style = getComputedStyle(document.documentElement);
    ["role", "tabindex", "aria-describedby"].forEach((name) => copy.removeAttribute(name));
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("font-family", "DejaVu Sans, Helvetica, Arial, sans-serif");
    return copy.outerHTML.replace(/var\((--\w+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  };
  return { draw, save };
};
