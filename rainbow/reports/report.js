"use strict";
// Comfort for readers: theme, sorting, details of cells, downloads, and the browser of outputs. Nothing here is needed to read.
(() => {
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const data = (id) => { const holder = byId(id); return holder ? JSON.parse(holder.textContent) : null; };
const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

document.documentElement.classList.add("script");
all(".needs-script").forEach((node) => { node.hidden = false; });
all(".without-script").forEach((node) => { node.hidden = true; });
all(".sort").forEach((button) => { button.disabled = false; });

// ---- Theme: as the system has it until the reader chooses.
const theme = byId("theme");
const asked = window.matchMedia("(prefers-color-scheme: dark)");
const remembered = () => { try { return localStorage.getItem("rainbow-theme"); } catch { return null; } };
const remember = (name) => { try { localStorage.setItem("rainbow-theme", name); } catch { /* private windows forget */ } };
const isDark = () => (document.documentElement.dataset.theme ?? (asked.matches ? "dark" : "light")) === "dark";
const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", `Show in ${isDark() ? "light" : "dark"} colours`); };
const chosen = remembered();
if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
theme.addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remember(next);
  label();
});
asked.addEventListener("change", label);
label();

// ---- Sections: the one in view is marked in the list.
const links = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "-10% 0px -80% 0px" });
all("main > section").forEach((section) => seen.observe(section));

// ---- Sorting: descending, ascending, as it was. What has no number goes last.
const sortValue = (row, place, kind) => {
  const cell = row.cells[place];
  if (kind === "text") return cell.firstChild?.textContent ?? "";
  return cell.dataset.value === "" || cell.dataset.value === undefined ? null : Number(cell.dataset.value);
};
const placeOf = (head) => {
  const rows = head.closest("thead").rows;
  if (head.parentNode === rows[0]) return [...rows[0].cells].indexOf(head);
  return all("th[rowspan]", rows[0]).length + [...rows[1].cells].indexOf(head);
};
const sort = (head) => {
  const body = head.closest("table").tBodies[0];
  const rows = [...body.rows];
  rows.forEach((row, place) => { row.dataset.place ??= place; });
  const before = head.getAttribute("aria-sort");
  const text = head.dataset.kind === "text";
  const cycle = text ? { none: "ascending", ascending: "descending", descending: "none" } : { none: "descending", descending: "ascending", ascending: "none" };
  const order = cycle[before];
  all("[aria-sort]", head.closest("thead")).forEach((other) => other.setAttribute("aria-sort", "none"));
  head.setAttribute("aria-sort", order);
  const place = placeOf(head);
  const sign = order === "ascending" ? 1 : -1;
  const keys = new Map(rows.map((row) => [row, order === "none" ? Number(row.dataset.place) : sortValue(row, place, head.dataset.kind)]));
  rows.sort((first, second) => {
    const [a, b] = [keys.get(first), keys.get(second)];
    if (order === "none") return a - b;
    if (a === null || b === null) return (a === null) - (b === null);
    return (text ? a.localeCompare(b) : a - b) * sign || first.dataset.place - second.dataset.place;
  });
  body.append(...rows);
};
document.addEventListener("click", (event) => {
  const button = event.target.closest(".sort");
  if (button) sort(button.closest("th"));
});

// ---- What a metric's name says, wherever it begins a row.
const says = new Map(all("#glossary dt").map((name) => [name.textContent, name.nextElementSibling.textContent]));
all(".grid tbody th").forEach((head) => { const sentence = says.get(head.firstChild?.textContent.trim()); if (sentence) head.title = sentence; });

// ---- Details of a cell, meaning of a column: beside the pointer, and beside a cell that the arrow keys reach.
const tip = byId("tip");
let shown = null;
const hide = () => {
  if (!shown) return;
  shown.title = shown.dataset.tip;
  shown.removeAttribute("aria-describedby");
  shown = null;
  tip.hidden = true;
};
const show = (cell) => {
  if (cell === shown) return;
  hide();
  if (!cell) return;
  shown = cell;
  cell.dataset.tip = cell.title;
  cell.removeAttribute("title");
  cell.setAttribute("aria-describedby", "tip");
  tip.textContent = cell.dataset.tip;
  tip.hidden = false;
  place();
};
const place = () => {
  const box = shown.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(box.left + box.width / 2 - own.width / 2, 8), innerWidth - own.width - 8);
  const above = box.top - own.height - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above > 8 ? above : box.bottom + 8}px`;
};
const tipped = (target) => target.closest?.("td[title], td[data-tip], th[title], th[data-tip], .arrow[title], .arrow[data-tip]");
document.addEventListener("pointerover", (event) => show(tipped(event.target)));
document.addEventListener("focusin", (event) => show(tipped(event.target)));
document.addEventListener("focusout", hide);
document.addEventListener("scroll", () => { if (shown?.matches(":hover, :focus-within")) place(); else hide(); }, { capture: true, passive: true });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

// Every table has one cell in the tab order; arrow keys move on from there.
const enter = (table) => { const cell = table.tBodies[0].querySelector("td[data-value]"); if (cell) cell.tabIndex = 0; };
all(".grid").forEach(enter);
const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
document.addEventListener("keydown", (event) => {
  const cell = event.target.closest(".grid td[data-value]");
  const step = steps[event.key];
  if (!cell || !step) return;
  const row = cell.parentNode;
  const next = row.parentNode.rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
  event.preventDefault();
  if (!next || next.dataset.value === undefined) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

// ---- Tables inside the page: compressed, expanded when they are asked for.
const tables = data("tables-data") ?? {};
const expand = async (name) => {
  const bytes = Uint8Array.from(atob(tables[name]), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
};
all(".download").forEach((button) => button.addEventListener("click", async () => {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([await expand(button.dataset.file)], { type: "text/csv" }));
  link.download = button.dataset.file.split("/").pop();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}));

// ---- The browser of outputs.
const parseCsv = (text) => {
  const rows = [[]];
  let field = "", quoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place];
    if (quoted) {
      if (letter !== '"') field += letter;
      else if (text[place + 1] === '"') { field += '"'; place += 1; }
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "," || letter === "\n") {
      rows.at(-1).push(field);
      field = "";
      if (letter === "\n") rows.push([]);
    } else field += letter;
  }
  rows.pop();
  const [header, ...lines] = rows;
  return lines.map((line) => Object.fromEntries(header.map((name, place) => [name, line[place]])));
};
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
const number = (text) => (text === "" || text === undefined ? NaN : Number(text));
const printed = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(3)).replace("-", "−");
const PAGE = 20;
const LONG = 400;

const browse = async (about) => {
  const form = byId("browser"), list = byId("utterance-list"), found = byId("found"), pages = byId("pages");
  const fields = form.elements;
  let rows;
  try {
    rows = parseCsv(await expand(about.file));
  } catch {
    found.textContent = "This browser cannot expand the table of outputs that is inside the page; a newer one can.";
    [form, list, pages].forEach((node) => { node.hidden = true; });
    byId("worst").hidden = false;
    return;
  }
  rows.forEach((row) => {
    row.references = JSON.parse(row.references);
    row.searched = [row.output, row.mr, ...row.references].join("\n").toLowerCase();
  });
  const options = (select, names) => select.append(...names.map((name) => { const option = element("option", "", name); option.value = name; return option; }));
  options(fields.system, [...new Set(rows.map((row) => row.system))]);
  options(fields.rating, about.ratings);
  options(fields.metric, about.metrics.map((metric) => metric.name));
  fields.metric.value = about.best[about.ratings[0]];

  let judged = [], wanted = [], page = 0;
  const judge = () => {
    const rating = fields.rating.value;
    const metric = about.metrics.find((entry) => entry.name === fields.metric.value);
    const rated = rows.map((row) => number(row[rating]));
    const scored = rows.map((row) => number(row[metric.name]));
    const both = rows.map((_, place) => !Number.isNaN(rated[place]) && !Number.isNaN(scored[place]));
    const people = percentiles(rated.map((value, place) => (both[place] ? value : NaN)));
    const machine = percentiles(scored.map((value, place) => (both[place] ? (metric.lower ? -value : value) : NaN)));
    judged = rows.map((row, place) => ({ row, rated: rated[place], scored: scored[place], people: people[place], machine: machine[place], apart: machine[place] - people[place] }));
  };
  const orders = {
    either: (entry) => -Math.abs(entry.apart),
    above: (entry) => -entry.apart,
    below: (entry) => entry.apart,
    worst: (entry) => entry.rated,
    best: (entry) => -entry.rated,
    data: () => 0,
  };
  const choose = () => {
    const text = fields.text.value.trim().toLowerCase(), system = fields.system.value;
    const low = fields.low.value === "" ? -Infinity : Number(fields.low.value);
    const high = fields.high.value === "" ? Infinity : Number(fields.high.value);
    const bounded = low !== -Infinity || high !== Infinity;
    wanted = judged.filter(({ row, rated }) => (!text || row.searched.includes(text)) && (!system || row.system === system) && (!bounded || (rated >= low && rated <= high)));
    const key = orders[fields.order.value];
    const last = (value) => (Number.isNaN(value) ? Infinity : value);
    wanted = wanted.map((entry) => [last(key(entry)), entry]).sort((a, b) => (a[0] === b[0] ? 0 : a[0] - b[0])).map(([, entry]) => entry);
    page = 0;
    draw();
  };
  const text = (name, content) => {
    const made = element(name, content.length > LONG ? "text long" : "text", content);
    made.dir = "auto";
    if (content.length > LONG) made.tabIndex = 0;
    return made;
  };
  const card = ({ row, rated, scored, people, machine, apart }) => {
    const made = element("li", "utterance");
    const said = element("p", "said");
    said.append(text("span", row.output));
    const verdict = element("p", "verdict");
    const percentile = (value) => (Number.isNaN(value) ? "" : ` (percentile ${value.toFixed(0)})`);
    verdict.append(
      element("span", "", `${fields.rating.value} ${Number.isNaN(rated) ? "not rated" : printed(rated)}${percentile(people)}`),
      element("span", "", `${fields.metric.value} ${Number.isNaN(scored) ? "missing" : printed(scored)}${percentile(machine)}`),
      element("b", "", Number.isNaN(apart) ? "" : `${apart > 0 ? "metric higher by" : apart < 0 ? "metric lower by" : "agree"} ${apart === 0 ? "" : Math.abs(apart).toFixed(0)}`),
    );
    const given = element("div", "given"), meaning = element("div"), references = element("div");
    meaning.append(element("h4", "", "Meaning representation"), row.mr ? text("code", row.mr) : element("span", "", "none"));
    const texts = element("ul");
    texts.append(...row.references.map((reference) => { const line = element("li"); line.append(text("span", reference)); return line; }));
    references.append(element("h4", "", row.references.length === 1 ? "Reference" : `${row.references.length} references`), texts);
    given.append(meaning, references);
    made.append(said, element("p", "who", [row.system, row.dataset, row.id].filter(Boolean).join(" · ")), verdict, given);
    return made;
  };
  const draw = () => {
    const most = Math.max(1, Math.ceil(wanted.length / PAGE));
    found.textContent = `${wanted.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} outputs`;
    list.replaceChildren(...wanted.slice(page * PAGE, (page + 1) * PAGE).map(card));
    list.start = page * PAGE + 1;
    const [back, forth] = all("button", pages);
    back.disabled = page === 0;
    forth.disabled = page >= most - 1;
    pages.querySelector("span").textContent = `page ${page + 1} of ${most}`;
  };
  pages.addEventListener("click", (event) => {
    const step = Number(event.target.dataset?.step);
    if (!step) return;
    page += step;
    draw();
    form.scrollIntoView({ block: "start" });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target === fields.rating) fields.metric.value = about.best[fields.rating.value];
    if (event.target === fields.rating || event.target === fields.metric) judge();
    choose();
  });
  judge();
  choose();
};
const about = data("browser-data");
if (about) browse(about);
})();
