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
const says = new Map(all(".metric-cards h3").map((name) => [name.textContent, name.nextElementSibling.textContent]));
all(".grid tbody th").forEach((head) => { const sentence = says.get(head.firstChild?.textContent.trim()); if (sentence) head.title = sentence; });

// ---- Details of a cell, meaning of a column: beside the pointer, and beside a cell that the arrow keys reach.
const tip = byId("tip");
let shown = null;
const hide = () => {
  if (!shown) return;
  if (shown.dataset.tip) shown.title = shown.dataset.tip;
  shown.removeAttribute("aria-describedby");
  shown = null;
  tip.hidden = true;
};
const tell = (node, text) => {
  hide();
  shown = node;
  tip.textContent = text;
  tip.hidden = false;
  place();
};
const show = (cell) => {
  if (cell === shown) return;
  hide();
  if (!cell) return;
  cell.dataset.tip = cell.title;
  cell.removeAttribute("title");
  cell.setAttribute("aria-describedby", "tip");
  tell(cell, cell.dataset.tip);
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

// ---- What cells hold beside what is seen: their values and details; with these, tables are sorted.
const fill = (table, [values, , tips]) => {
  if (!table) return;  // the page may show fewer tables than it has data of
  all("tbody td:not(.group)", table).forEach((cell, place) => {
    cell.dataset.value = values[place];
    if (tips[place]) cell.title = tips[place];
    if (!place) cell.tabIndex = 0;
  });
  all(".sort", table).forEach((button) => { button.disabled = false; });
};
expand(data("cells-data")).then((cells) => Object.entries(cells).forEach(([name, own]) => fill(byId(`table-${name}`), own)));

// ---- Tables inside the page: compressed, expanded when they are asked for.
const tables = data("tables-data") ?? {};
const download = (name, type, ...parts) => {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const csvField = (value) => {
  const text = Array.isArray(value) ? JSON.stringify(value) : String(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csv = (rows) => rows.map((row) => `${row.map(csvField).join(",")}\n`).join("");
all(".download").forEach((button) => button.addEventListener("click", async () => {
  const columns = await expand(tables[button.dataset.file]);
  const names = Object.keys(columns);
  const rows = columns[names[0]].map((_, place) => names.map((name) => columns[name][place]));
  download(button.dataset.file.split("/").pop(), "text/csv", csv([names, ...rows]));
}));

// ---- Copying a table as it stands, sorted as it is.
// Rows of cells, each with its text, the columns it is over, and its value where it is a number.
const cellsOf = (table) => [...table.rows].map((row) => [...row.cells].filter((cell) => !cell.hidden).map((cell) => {
  const button = cell.querySelector(".sort"), note = cell.querySelector("small"), mark = cell.querySelector("sup");
  const own = [...cell.childNodes].filter((node) => node !== note && node !== mark && !node.classList?.contains("arrow")).map((node) => node.textContent).join("");
  return { text: (button ?? { textContent: own }).textContent.trim().replace(/\s+/g, " "), mark: mark?.textContent ?? "", note: cell.matches("td") ? note?.textContent ?? "" : "", wide: cell.colSpan, tall: cell.rowSpan, value: cell.dataset.value };
}));
// One row of heads, with the names of what spans several columns before them.
const headed = (table) => {
  const rows = cellsOf(table), [first, second] = rows, heads = table.tHead.rows.length;
  if (heads === 1) return { spans: null, head: first.map((cell) => cell.text), rows: rows.slice(1) };
  const fixed = first.filter((cell) => cell.tall === 2), spans = first.filter((cell) => cell.tall === 1);
  return { spans: { fixed: fixed.length, over: spans }, head: [...fixed, ...second].map((cell) => cell.text), rows: rows.slice(heads) };
};
const readAs = ({ text, mark, note }) => `${text}${mark}${note ? ` (${note})` : ""}`;
const flatHead = ({ spans, head }) => {
  if (!spans) return head;
  const names = [...Array(spans.fixed).fill(""), ...spans.over.flatMap(({ text, wide }) => Array(wide).fill(text))];
  return head.map((name, place) => [names[place], name].filter(Boolean).join(", "));
};
const TEX = { "\\": "\\textbackslash{}", "−": "$-$", "×": "$\\times$", "–": "--", "→": "$\\to$", "≥": "$\\geq$", "\u00a0": "~", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" };
const tex = (text) => text.replace(/[\\−×–→≥\u00a0^~&%$#_{}]/g, (letter) => TEX[letter] ?? `\\${letter}`);
const FORMS = {
  LaTeX: (table) => {
    const { spans, head, rows } = headed(table), wide = (text, size, first) => `\\multicolumn{${size}}{${first}}{${tex(text)}}`;
    const columns = rows[0].map((cell) => (cell.value === undefined ? "l" : "r")).join("");
    const body = rows.map((row) => row.map(({ text, mark, note }) => `${tex(text)}${mark ? `$^{${mark.replace("×", "\\times")}}$` : ""}${note ? ` (${tex(note)})` : ""}`).join(" & "));
    const over = spans && [...Array(spans.fixed).fill(""), ...spans.over.map((cell) => wide(cell.text, cell.wide, "c"))].join(" & ");
    let from = spans?.fixed;
    const rules = spans?.over.map((cell) => { const line = `\\cmidrule(lr){${from + 1}-${from + cell.wide}}`; from += cell.wide; return line; }).join("");
    const lines = [`\\begin{tabular}{${columns}}`, "\\toprule", ...(over ? [`${over} \\\\`, rules] : []), `${head.map(tex).join(" & ")} \\\\`, "\\midrule", ...body.map((line) => `${line} \\\\`), "\\bottomrule", "\\end{tabular}"];
    return `${lines.join("\n")}\n`;
  },
  Markdown: (table) => {
    const found = headed(table), line = (texts) => `| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
    const rule = found.rows[0].map((cell) => (cell.value === undefined ? "---" : "---:"));
    return `${[line(flatHead(found)), line(rule), ...found.rows.map((row) => line(row.map(readAs)))].join("\n")}\n`;
  },
  CSV: (table) => {
    const found = headed(table);
    return csv([flatHead(found), ...found.rows.map((row) => row.map((cell) => cell.value ?? readAs(cell)))]);
  },
};
const copy = async (text) => {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* where the browser does not let a file do so */ }
  const area = element("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
};
all(".scroll > table").forEach((table) => {
  if (!table.tHead || !table.tBodies[0]?.rows.length || table.classList.contains("downloads")) return;
  const menu = element("details", "copy"), head = element("summary", "", "Copy"), said = element("span", "hidden");
  said.setAttribute("role", "status");
  head.setAttribute("aria-label", `Copy the table: ${table.caption?.textContent ?? table.parentNode.getAttribute("aria-label")}`);
  const buttons = Object.entries(FORMS).map(([name, form]) => {
    const button = element("button", "quiet", name);
    button.type = "button";
    button.addEventListener("click", async () => {
      said.textContent = await copy(form(table)) ? `Copied as ${name}` : "This browser does not allow copying";
      head.textContent = said.textContent;
      menu.open = false;
      head.focus();
      setTimeout(() => { head.textContent = "Copy"; said.textContent = ""; }, 2500);
    });
    return button;
  });
  menu.append(head, ...buttons);
  table.parentNode.before(menu, said);
});
