// ---- The browser of outputs.
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
const number = (value) => (typeof value === "number" ? value : NaN);
const printed = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(3)).replace("-", "−");
const PAGE = 20;
const LONG = 400;

const browse = async (about) => {
  const form = byId("browser"), list = byId("utterance-list"), found = byId("found"), pages = byId("pages");
  const fields = form.elements;
  let rows;
  try {
    const columns = await expand(tables[about.file]);
    const names = Object.keys(columns);
    rows = columns.output.map((_, place) => Object.fromEntries(names.map((name) => [name, columns[name][place]])));
  } catch {
    found.textContent = "This browser cannot expand the table of outputs that is inside the page; a newer one can.";
    [form, list, pages].forEach((node) => { node.hidden = true; });
    byId("worst").hidden = false;
    return;
  }
  rows.forEach((row) => {
    row.searched = [row.output, row.mr ?? "", ...row.references].join("\n").toLowerCase();
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
