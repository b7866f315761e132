// ---- The browser of outputs: which are shown, in what order, and why they score as they do.
const number = (value) => (typeof value === "number" ? value : NaN);
const PAGE = NARROW.matches ? 3 : 8;
const LONG = 400;
const STRONGEST = 5; // words of an output, with what they change
const ANCHOR = "#utterances";
const SHARED = "shared words"; // a metric that the page computes by itself

// Orders by a key, the smallest first; what has none comes last. Apart are metric and people, or without ratings this
// system and the one beside.
const ORDERS = {
  either: (entry) => -Math.abs(entry.apart),
  above: (entry) => -entry.apart,
  below: (entry) => entry.apart,
  worst: (entry) => entry.worth,
  best: (entry) => -entry.worth,
  data: () => 0,
};
const lastOf = (value) => (Number.isNaN(value) ? Infinity : value);
const inOrder = (entries, key) => entries
  .map((entry) => [lastOf(key(entry)), entry])
  .sort((a, b) => (a[0] === b[0] ? 0 : a[0] - b[0]))
  .map(([, entry]) => entry);

// What people and a metric say of every output, as percentiles among those that have both; what a metric says where there is no rating.
const judgements = (rows, rating, metric) => {
  const rated = rows.map((row) => number(row[rating]));
  const scored = rows.map((row) => number(row[metric.name]));
  const turned = (value) => (metric.lower ? -value : value);
  if (!rating) return rows.map((row, place) => ({ row, rated: NaN, scored: scored[place], worth: turned(scored[place]), apart: NaN }));
  const both = rows.map((_, place) => !Number.isNaN(rated[place]) && !Number.isNaN(scored[place]));
  const people = percentiles(rated.map((value, place) => (both[place] ? value : NaN)));
  const machine = percentiles(scored.map((value, place) => (both[place] ? turned(value) : NaN)));
  return rows.map((row, place) => ({ row, rated: rated[place], worth: rated[place], scored: scored[place], people: people[place], machine: machine[place], apart: machine[place] - people[place] }));
};

// An output as it stands in the list.
const shownText = (name, content, spans = []) => {
  const made = marked(element(name, content.length > LONG ? "text long" : "text"), content, spans);
  made.dir = "auto";
  if (content.length > LONG) made.tabIndex = 0;
  return made;
};
const comparedTo = ({ row, scored, apart }, { metric, beside }) => {
  const made = element("p", "verdict"), by = apart ? ` by ${printed(Math.abs(apart))}` : "";
  made.append(element("span", "", `${metric} ${Number.isNaN(scored) ? "missing" : printed(scored)}`));
  if (!Number.isNaN(apart) && row.system !== beside) made.append(element("b", "", `${apart > 0 ? "better than" : apart < 0 ? "worse than" : "as good as"} ${beside}${by}`));
  return made;
};
const verdictOf = (entry, choice) => {
  const { row, rated, scored, people, machine, apart } = entry, { rating, metric, raters } = choice;
  if (!rating) return comparedTo(entry, choice);
  const made = element("p", "verdict");
  const percentile = (value) => (Number.isNaN(value) ? "" : ` (percentile ${value.toFixed(0)})`);
  const single = raters[rating].map((name) => number(row[name])).filter((value) => !Number.isNaN(value));
  made.append(
    element("span", "", `${rating} ${Number.isNaN(rated) ? "not rated" : printed(rated)}${percentile(people)}`),
    ...(single.length ? [element("span", "raters", `raters: ${single.map(printed).join(", ")}`)] : []),
    element("span", "", `${metric} ${Number.isNaN(scored) ? "missing" : printed(scored)}${percentile(machine)}`),
    element("b", "", Number.isNaN(apart) ? "" : `${apart > 0 ? "metric higher by" : apart < 0 ? "metric lower by" : "agree"} ${apart === 0 ? "" : Math.abs(apart).toFixed(0)}`),
  );
  return made;
};
// Which slots are mentioned, missing and so on, in words.
const slotList = (words) => {
  const list = element("p", "slots");
  words.forEach(([state, names]) => { const line = element("span"); line.append(element("b", slotClass(state), state), ` ${names}`); list.append(line); });
  return list;
};
const inputOf = (row, slots) => {
  const made = element("div");
  if (!row.mr) return made;
  made.append(element("h4", "", "Input"), shownText("code", row.mr, slots?.input));
  if (slots?.words.length) made.append(slotList(slots.words));
  return made;
};
const referencesOf = (row, found) => {
  const made = element("div"), texts = element("ul");
  texts.append(...row.references.map((reference, place) => {
    const line = element("li"), near = found?.place === place;
    line.append(shownText("span", reference, near ? runSpans(found, 1) : []));
    if (near && row.references.length > 1) line.append(element("small", "", " nearest"));
    return line;
  }));
  made.append(element("h4", "", row.references.length === 1 ? "Reference" : `${row.references.length} references`), texts);
  return made;
};
// The output with what its references and its input have too, or with what its words do to a score.
const saidOf = (row, found, slots, changes) => {
  const made = element("p", "said");
  const spans = changes ? changeSpans(row.output, toldOf(row, changes)?.words ?? [], changes.strong) : [...(found ? runSpans(found, 0) : []), ...(slots?.output ?? [])];
  made.append(shownText("span", row.output, spans));
  return made;
};
// The words that change a score most.
const strongest = (row, changes) => {
  const { metric, strong } = changes, told = toldOf(row, changes), list = element("ol", "changes");
  const words = inOrder(told?.words.filter(({ change }) => change) ?? [], ({ change }) => -Math.abs(change)).slice(0, STRONGEST);
  list.append(...words.map(({ word, change }) => {
    const line = element("li"), bar = element("span", "amount"), length = element("i", changeClass(change));
    length.style.width = `${Math.min(100, 100 * Math.abs(change) / (2 * strong))}%`;
    bar.append(length);
    line.append(element("span", "word", word), bar, element("span", "", `${change > 0 ? "+" : ""}${printed(change)}`));
    return line;
  }));
  list.setAttribute("aria-label", `Effect of each word on ${metric}`);
  const made = element("div");
  made.append(element("p", "verdict", told ? `${metric} ${Number.isNaN(told.score) ? "missing" : printed(told.score)}; words that change it most:` : `${metric}: no explanation for this output`), ...(words.length ? [list] : []));
  return made;
};
const slotsOf = (row, choice) => choice.slots && slotMarks(row, choice.slots, choice.known);
// What another system says for the same input.
const besideOf = (entry, choice) => {
  const made = element("div", "beside"), { row } = entry, slots = slotsOf(row, choice);
  const wrong = (slots?.words ?? []).filter(([state]) => state !== "mentioned");
  made.append(element("h4", "", `${row.system}, for the same input`), saidOf(row, nearest(row.output, row.references), slots, choice.changes), verdictOf(entry, choice));
  if (wrong.length) made.append(slotList(wrong));
  return made;
};
const card = (entry, choice) => {
  const { row } = entry, { changes } = choice, made = element("li", "utterance"), given = element("div", "given");
  const found = nearest(row.output, row.references), slots = slotsOf(row, choice), other = choice.other(row);
  given.append(inputOf(row, slots), referencesOf(row, changes ? null : found));
  made.append(saidOf(row, found, slots, changes), element("p", "who", [row.system, row.dataset, row.id].filter(Boolean).join(" · ")), verdictOf(entry, choice));
  if (changes) made.append(strongest(row, changes));
  if (other) made.append(besideOf(other, choice));
  made.append(given);
  made.dataset.row = row.place;
  made.tabIndex = -1;
  return made;
};

const browse = async (about) => {
  const form = byId("browser"), list = byId("utterance-list"), found = byId("found"), pages = byId("pages"), figure = byId("scatter");
  const fields = form.elements;
  const NAMES = ["text", "system", "rating", "low", "high", "metric", "order", "beside", "marks"];
  let rows, slots, changed;
  try {
    const columns = await expand(tables[about.file]);
    const names = Object.keys(columns);
    rows = columns.output.map((_, place) => Object.fromEntries([["place", place], ...names.map((name) => [name, columns[name][place]])]));
    slots = about.slots && await expand(about.slots);
    changed = about.changes ? changesOf(await expand(tables[about.changes])) : new Map();
  } catch {
    found.textContent = "This browser is too old to decompress the table of outputs in this page.";
    [form, list, pages, figure].forEach((node) => { if (node) node.hidden = true; });
    byId("worst").hidden = false;
    return;
  }
  rows.forEach((row) => { row.searched = [row.output, row.mr ?? "", ...row.references].join("\n").toLowerCase(); });
  const known = new Set(slots?.values), rated = about.ratings.length > 0;
  if (about.metrics.some((metric) => metric.name === SHARED)) rows.forEach((row) => { row[SHARED] = sharedWords(row); });
  const options = (select, names) => select.append(...names.map((name) => { const option = element("option", "", name); option.value = name; return option; }));
  const systems = [...new Set(rows.map((row) => row.system))];
  [fields.system, fields.beside].forEach((field) => options(field, systems));
  fields.beside.closest("label").hidden = systems.length < 2;
  changed.forEach((_, metric) => { const option = element("option", "", `effect of words on ${metric}`); option.value = metric; fields.marks.append(option); });
  fields.marks.closest("label").hidden = !changed.size;
  const input = (row, system) => JSON.stringify([row.dataset, row.item, system]);
  const byInput = new Map([...rows].reverse().map((row) => [input(row, row.system), row.place]));
  options(fields.rating, about.ratings);
  options(fields.metric, about.metrics.map((metric) => metric.name));
  ["rating", "low", "high"].forEach((name) => { fields[name].closest("label").hidden = !rated; });

  let judged = [], wanted = [], page = 0, open = null;
  const usual = (name) => ({ rating: about.ratings[0], metric: about.best[fields.rating.value], order: "either", system: about.system, beside: about.beside })[name] ?? "";
  const metric = () => about.metrics.find((entry) => entry.name === fields.metric.value);
  const other = (row) => (row.system === fields.beside.value ? null : judged[byInput.get(input(row, fields.beside.value))]);
  const judge = () => {
    judged = judgements(rows, fields.rating.value, metric());
    if (!rated) judged.forEach((entry) => { entry.apart = entry.worth - (other(entry.row)?.worth ?? NaN); });
  };
  const choose = () => {
    const text = fields.text.value.trim().toLowerCase(), system = fields.system.value;
    const low = fields.low.value === "" ? -Infinity : Number(fields.low.value);
    const high = fields.high.value === "" ? Infinity : Number(fields.high.value);
    const bounded = low !== -Infinity || high !== Infinity;
    const passes = ({ row, rated }) => (!text || row.searched.includes(text)) && (!system || row.system === system) && (!bounded || (rated >= low && rated <= high));
    wanted = inOrder(judged.filter(passes), ORDERS[fields.order.value]);
  };

  const plot = rated && scatter(byId("scatter-host"), (entry) => { toOutput(entry.row.place); keep(true); });
  const draw = () => {
    const most = Math.max(1, Math.ceil(wanted.length / PAGE));
    page = Math.max(0, Math.min(page, most - 1));
    const choice = { rating: fields.rating.value, metric: fields.metric.value, beside: fields.beside.value, raters: about.raters, slots, known, other, changes: changed.get(fields.marks.value) };
    byId("shared-marks").hidden = Boolean(choice.changes);
    byId("change-marks").hidden = !choice.changes;
    found.textContent = `${wanted.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} outputs`;
    list.replaceChildren(...wanted.slice(page * PAGE, (page + 1) * PAGE).map((entry) => card(entry, choice)));
    list.start = page * PAGE + 1;
    list.querySelector(`[data-row="${open}"]`)?.classList.add("open");
    const [back, forth] = all("button", pages);
    back.disabled = page === 0;
    forth.disabled = page >= most - 1;
    pages.querySelector("span").textContent = `page ${page + 1} of ${most}`;
    if (plot) byId("scatter-sentence").textContent = plot.draw({ ...choice, lower: metric().lower, entries: judged, wanted, open });
  };
  // An output is shown on its page; filters that hide it are taken away.
  const toOutput = (place) => {
    open = place;
    if (!wanted.some((entry) => entry.row.place === place)) {
      ["text", "system", "low", "high"].forEach((name) => { fields[name].value = ""; });
      choose();
    }
    page = Math.floor(wanted.findIndex((entry) => entry.row.place === place) / PAGE);
    draw();
    const one = list.querySelector(`[data-row="${place}"]`);
    one?.scrollIntoView({ block: "start" });
    one?.focus({ preventScroll: true });
  };

  // What is chosen stands in the address: a link to it opens the same, and back goes back.
  const address = () => {
    const chosen = new URLSearchParams(NAMES.map((name) => [name, fields[name].value]).filter(([name, value]) => value !== usual(name)));
    if (page) chosen.set("page", page + 1);
    if (open !== null) chosen.set("output", open);
    return `${ANCHOR}${chosen.size ? `?${chosen}` : ""}`;
  };
  const keep = (step) => {
    const to = address();
    if (to !== location.hash) history[step ? "pushState" : "replaceState"](null, "", to);
  };
  const restore = (scroll) => {
    const chosen = new URLSearchParams(location.hash.split("?")[1] ?? "");
    NAMES.forEach((name) => {
      fields[name].value = chosen.get(name) ?? usual(name);
      if (fields[name].selectedIndex === -1) fields[name].value = usual(name);
    });
    open = null;
    judge();
    choose();
    page = Number(chosen.get("page") ?? 1) - 1 || 0;
    const place = Number(chosen.get("output") ?? NaN);
    if (rows[place]) { toOutput(place); return; }
    draw();
    if (scroll) byId("utterances").scrollIntoView({ block: "start" });
  };
  window.addEventListener("popstate", () => { if (location.hash === "" || location.hash.startsWith(ANCHOR)) restore(false); });

  pages.addEventListener("click", (event) => {
    const step = Number(event.target.dataset?.step);
    if (!step) return;
    page += step;
    open = null;
    draw();
    keep(true);
    form.scrollIntoView({ block: "start" });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target === fields.rating) fields.metric.value = usual("metric");
    if (event.target === fields.rating || event.target === fields.metric || event.target === fields.beside) judge();
    choose();
    page = 0;
    open = null;
    draw();
    keep(event.target.tagName === "SELECT");
  });
  if (plot) byId("scatter-save").addEventListener("click", () => download(`${about.name}-${fields.metric.value}-${fields.rating.value}.svg`, "image/svg+xml", plot.save()));
  // What is drawn while its tab is hidden has no width.
  if (plot) figure.closest(".tab")?.addEventListener("shown", draw);
  let width = innerWidth;
  if (plot) window.addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; draw(); } });
  restore(location.hash.startsWith(`${ANCHOR}?`));
};
const about = data("browser-data");
if (about) browse(about);
