// One rater's tasks, asked one by one. Answers stay in this browser and leave it only as a file that the rater saves.
const study = JSON.parse(document.getElementById("study").textContent);
const byId = (id) => document.getElementById(id);
const made = (name, className, text, parent) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  parent?.append(node);
  return node;
};
const tell = (text) => { byId("told").textContent = text; };

// ---- What is kept: under a name of its own for each study and rater.
const place = `rainbow-study ${study.study} ${study.rater}`;
let answers = [];
try { answers = JSON.parse(localStorage.getItem(place) ?? "[]"); } catch { tell("This browser keeps nothing: save your answers before you close the page."); }
const keep = () => {
  try { localStorage.setItem(place, JSON.stringify(answers)); } catch { tell("This browser keeps nothing: save your answers before you close the page."); }
};
const answered = () => new Set(answers.map((answer) => answer.task));

// ---- Time counts while the page is seen.
let seen = 0, since = null;
const pause = () => { if (since !== null) seen += performance.now() - since; since = null; };
const resume = () => { if (!document.hidden) since ??= performance.now(); };
document.addEventListener("visibilitychange", () => (document.hidden ? pause() : resume()));

// ---- One field for each question; `fields` hold how to read an answer (undefined where there is none yet).
let task = null, fields = [];
const choices = (question, entries, box) => {
  const marks = made("div", "marks", undefined, box);
  entries.forEach(([value, label, digit]) => {
    const holder = made("label", "", undefined, marks);
    const input = made("input", "", undefined, holder);
    Object.assign(input, { type: "radio", name: question.name, value });
    input.dataset.digit = digit;
    holder.append(` ${label}`);
  });
  const inputs = [...marks.querySelectorAll("input")];
  return {
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
    digit: (digit) => { const input = inputs.find((entry) => entry.dataset.digit === digit); if (input) { input.checked = true; input.focus(); } return Boolean(input); },
    read: () => { const input = inputs.find((entry) => entry.checked); return input && Number(input.value); },
  };
};
const number = (question, low, high, box) => {
  const input = made("input", "", undefined, made("div", "marks", undefined, box));
  Object.assign(input, { type: "number", inputMode: "decimal", min: low, step: high === undefined ? "any" : 1 });
  if (high !== undefined) input.max = high;
  input.setAttribute("aria-label", question.text);
  const valid = () => input.value !== "" && (high === undefined ? Number(input.value) > 0 : input.checkValidity());
  return { focus: () => input.focus(), digit: () => false, read: () => (valid() ? Number(input.value) : undefined) };
};
const points = (text) => [...text].length; // places count characters as Python does
const errors = (question, box) => {
  const text = task.texts[0], spans = [];
  let first = null, last = null, at = 0, kind = null, visited = false; // no error is an answer only of who was here
  const words = made("div", "words text", undefined, box), panel = made("div", "marks", undefined, box), list = made("ul", "", undefined, box);
  words.setAttribute("role", "group");
  words.setAttribute("aria-label", "Words: Enter on the first and on the last word of an error");
  const found = [...text.matchAll(/\S+/gu)].map((match) => ({ start: points(text.slice(0, match.index)), end: points(text.slice(0, match.index)) + points(match[0]), text: match[0] }));
  const buttons = found.map((word) => { const button = made("button", "", word.text, words); button.type = "button"; words.append(" "); return button; });
  const draw = () => {
    buttons.forEach((button, n) => {
      button.tabIndex = n === at ? 0 : -1;
      button.classList.toggle("marked", spans.some((span) => span.start < found[n].end && found[n].start < span.end));
      const chosen = first !== null && n >= Math.min(first, last ?? first) && n <= Math.max(first, last ?? first);
      button.classList.toggle("chosen", chosen);
      button.setAttribute("aria-pressed", String(chosen));
    });
    panel.replaceChildren();
    const offered = last === null ? [] : kind === null ? question.kinds : question.severities;
    offered.forEach((name, n) => { const button = made("button", "", `${n + 1} ${name}`, panel); button.type = "button"; button.addEventListener("click", () => pick(n)); });
    list.replaceChildren(...spans.map((span) => made("li", "", `${[...text].slice(span.start, span.end).join("")}: ${span.severity}, ${span.kind}`)));
    if (!list.children.length) list.remove(); else box.append(list);
  };
  const choose = (n) => { at = n; if (first === null || last !== null) { first = n; last = null; kind = null; } else last = n; draw(); tell(last === null ? "Now the last word of the error." : "Which kind? Press its digit."); };
  const pick = (n) => {
    if (kind === null) { kind = question.kinds[n]; draw(); tell("Minor or major? Press its digit."); return; }
    const ends = [first, last].sort((a, b) => a - b);
    spans.push({ start: found[ends[0]].start, end: found[ends[1]].end, kind, severity: question.severities[n] });
    first = last = kind = null;
    draw();
    buttons[at].focus();
    tell("Noted. Mark another error, or press n for the next text.");
  };
  buttons.forEach((button, n) => button.addEventListener("click", () => { visited = true; choose(n); }));
  words.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = Math.min(Math.max(at + step, 0), buttons.length - 1);
    draw();
    buttons[at].focus();
  });
  draw();
  return {
    focus: () => { visited = true; buttons[at]?.focus(); },
    digit: (digit) => { if (panel.children.length >= digit && digit > 0) pick(digit - 1); return false; },
    read: () => (first === null && visited ? spans : undefined),
    undo: () => { const some = first !== null || spans.length > 0; if (first !== null) first = last = kind = null; else spans.pop(); draw(); return some; },
  };
};
const field = (question, form) => {
  const box = made("fieldset", "", undefined, form);
  box.setAttribute("aria-describedby", "shown"); // who hears the page hears the texts with the question
  made("legend", "", question.text, box);
  if (question.kind === "errors") return errors(question, box);
  if (question.kind === "magnitude") return number(question, 0, undefined, box);
  if (question.kind === "pairs") return choices(question, [[1, "1 the first", "1"], [0, "2 the second", "2"], [0.5, "3 both alike", "3"]], box);
  made("span", "muted", `${question.low}: ${question.ends[0]}, ${question.high}: ${question.ends[1]}`, box);
  if (question.high > 9) return number(question, question.low, question.high, box);
  const marks = Array.from({ length: question.high - question.low + 1 }, (_, n) => question.low + n);
  return choices(question, marks.map((mark) => [mark, String(mark), String(mark)]), box);
};

// ---- The task in view.
const show = () => {
  const done = answered();
  task = study.tasks.find((entry) => !done.has(entry.task)) ?? null;
  const count = study.tasks.filter((entry) => done.has(entry.task)).length;
  byId("bar").value = count / study.tasks.length;
  byId("far").textContent = `${count} of ${study.tasks.length}`;
  byId("task").hidden = task === null;
  byId("end").hidden = task !== null;
  byId("undo").disabled = count === 0;
  if (count > 0) byId("instructions").open = false;
  if (task === null) { byId("thanks").focus(); return; }
  byId("place").textContent = `Text ${count + 1} of ${study.tasks.length}`;
  const shown = byId("shown");
  shown.replaceChildren();
  const parts = made("dl", "", undefined, shown);
  const part = (name, text, className) => { made("dt", "", name, parts); made("dd", className, text, parts); };
  if (task.input) part("The input", task.input, "said");
  if (task.reference) part("The first text, worth 100", task.reference, "text");
  const names = task.texts.length > 1 ? ["The first text", "The second text"] : [task.reference ? "The second text" : "The text"];
  task.texts.forEach((text, n) => part(names[n], text, "text"));
  byId("asked").replaceChildren();
  fields = study.questions.filter((question) => (question.kind === "pairs") === task.texts.length > 1).map((question) => ({ question, ...field(question, byId("asked")) }));
  seen = 0; since = null; resume();
  if (count > 0) fields[0].focus();
};
const next = () => {
  const missing = fields.find((entry) => entry.read() === undefined);
  if (missing) { tell(missing.question.kind === "errors" ? "Mark the errors; press n if there are no more, u if one was begun by mistake." : "There is no answer to this yet, or it is not on the scale."); missing.focus(); return; }
  pause();
  const seconds = Math.round(seen / 100) / 10, at = Date.now();
  answers.push(...fields.map((entry) => ({ task: task.task, rating: entry.question.name, value: entry.read(), seconds, at })));
  keep();
  tell("");
  show();
};
const undo = () => {
  if (task && fields.some((entry) => entry.undo?.())) return;
  const gone = answers.at(-1)?.task;
  if (!gone) return;
  answers = answers.filter((answer) => answer.task !== gone);
  keep();
  tell("The last answer was taken back.");
  show();
};

// ---- The file to send back. Its check (FNV-1a) tells who reads it whether it is as it was saved.
const check = (text) => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
};
const save = () => {
  const content = JSON.stringify({ study: study.study, rater: study.rater, tasks: study.tasks.length, answers, check: check(JSON.stringify(answers)) });
  const link = made("a", "", undefined, document.body);
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = `study-${study.study}-${study.rater}.json`;
  link.hidden = true;
  link.click();
  link.remove();
  tell(`Saved as ${link.download}.`);
};

byId("asked").addEventListener("submit", (event) => { event.preventDefault(); next(); });
byId("undo").addEventListener("click", undo);
byId("back").addEventListener("click", undo);
byId("save").addEventListener("click", save);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "u") { event.preventDefault(); undo(); return; }
  if (event.key === "n" && task) { event.preventDefault(); next(); return; }
  if (!task || !/^\d$/.test(event.key) || event.target.type === "number") return;
  event.preventDefault();
  const here = event.target.closest?.("fieldset"), own = fields.findIndex((_, n) => byId("asked").children[n] === here);
  const open = fields.findIndex((entry) => entry.read() === undefined), current = own >= 0 ? own : Math.max(open, 0);
  if (!fields[current].digit(event.key)) return;
  const following = fields.findIndex((entry) => entry.read() === undefined);
  if (following >= 0) fields[following].focus(); else if (!fields.some((entry) => entry.undo)) next();
});
show();
