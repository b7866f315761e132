// ---- Why: words that an output shares with the nearest reference, and slots of the input that it says.
const MOST_WORDS = 400;
const wordsOf = (text) => [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((found) => ({ word: found[0].toLowerCase(), start: found.index, end: found.index + found[0].length }));

// The longest run of words in both, then the longest of what is left, and so on: [start in one, start in other, length].
const sharedRuns = (one, other) => {
  const free = [one.map(() => true), other.map(() => true)], runs = [];
  for (;;) {
    let best = [0, 0, 0], before = new Array(other.length + 1).fill(0);
    one.forEach(({ word }, a) => {
      const now = new Array(other.length + 1).fill(0);
      other.forEach((entry, b) => {
        if (!free[0][a] || !free[1][b] || word !== entry.word) return;
        now[b + 1] = before[b] + 1;
        if (now[b + 1] > best[2]) best = [a - now[b + 1] + 1, b - now[b + 1] + 1, now[b + 1]];
      });
      before = now;
    });
    const [a, b, length] = best;
    if (!length) return runs;
    runs.push(best);
    free[0].fill(false, a, a + length);
    free[1].fill(false, b, b + length);
  }
};
// The reference that shares most words with an output, as a share of the words of both, with the runs.
const nearest = (output, references) => {
  const own = wordsOf(output);
  let best = null;
  if (own.length > MOST_WORDS) return best;
  references.forEach((text, place) => {
    const other = wordsOf(text);
    if (other.length > MOST_WORDS) return;
    const runs = sharedRuns(own, other);
    const share = 2 * runs.reduce((sum, run) => sum + run[2], 0) / (own.length + other.length || 1);
    if (share > (best?.share ?? 0)) best = { place, share, runs, own, other };
  });
  return best;
};
// The same share without where the words stand: what equal words both have, of the words of both, by the nearest reference.
const counted = new Map();
const countsOf = (text) => {
  if (!counted.has(text)) {
    const found = new Map();
    wordsOf(text).forEach(({ word }) => found.set(word, (found.get(word) ?? 0) + 1));
    counted.set(text, found);
  }
  return counted.get(text);
};
const sharedWords = ({ output, references }) => {
  const own = countsOf(output), sum = (found) => [...found.values()].reduce((total, times) => total + times, 0);
  const shares = references.map((text) => {
    const other = countsOf(text), both = [...own].reduce((total, [word, times]) => total + Math.min(times, other.get(word) ?? 0), 0);
    return 2 * both / (sum(own) + sum(other) || 1);
  });
  return shares.length ? Math.max(...shares) : NaN;
};
const runClass = (length) => (length > 3 ? "run4" : length > 1 ? "run2" : "run1");
// Where the runs stand in the output (0) or in the reference (1), as [start, end, class].
const runSpans = ({ runs, own, other }, side) => runs.map((run) => {
  const list = side ? other : own, first = run[side];
  return [list[first].start, list[first + run[2] - 1].end, runClass(run[2])];
});

// Where a value stands, however it is spaced and written.
const pattern = (value) => {
  const parts = value.match(/[\p{L}\p{N}]+/gu);
  return parts && new RegExp(`(?<![\\p{L}\\p{N}])${parts.join("[\\s_'’-]*")}(?![\\p{L}\\p{N}])`, "giu");
};
const places = (text, value, name) => {
  const found = pattern(value);
  return found ? [...text.matchAll(found)].map((match) => [match.index, match.index + match[0].length, name]) : [];
};
const STATES = { r: "mentioned", m: "missing", w: "wrong" };
const slotClass = (state) => `slot-${state}`;
const squeezed = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
// Numbers that no value has, and values of other inputs.
const strayWords = (text, values, known) => {
  const own = values.map(squeezed), list = wordsOf(text), spans = [];
  for (let start = 0; start < list.length; start += 1) {
    for (let size = Math.min(5, list.length - start); size > 0; size -= 1) {
      const said = list.slice(start, start + size).map(({ word }) => word).join("");
      const stray = (size === 1 && /\p{N}/u.test(said)) || known.has(said);
      if (!stray || own.some((value) => value.includes(said))) continue;
      spans.push([list[start].start, list[start + size - 1].end, slotClass("invented")]);
      start += size - 1;
      break;
    }
  }
  return spans;
};
// What is marked in the input and in the output, and in words; nothing where the input was not read.
const slotMarks = (row, slots, known) => {
  const own = slots.slots[row.mr], states = slots.said[row.place];
  if (!own) return null;
  const marks = { input: [], output: [], words: [] }, names = { mentioned: [], missing: [], wrong: [] };
  let from = 0;
  own.forEach(([name, value], place) => {
    const state = STATES[states[place]], at = row.mr.indexOf(name, from);
    names[state].push(name.replaceAll("_", " "));
    const start = value && at >= 0 ? row.mr.indexOf(value, at + name.length) : at;
    if (start >= 0) { marks.input.push([start, start + (value || name).length, slotClass(state)]); from = start; }
    if (state === "mentioned") marks.output.push(...places(row.output, value, slotClass("mentioned")));
  });
  const invented = row.slots_invented ?? row.added;
  const stray = invented ? strayWords(row.output, own.map(([, value]) => value), known) : [];
  marks.output.push(...stray);
  Object.entries(names).filter(([, list]) => list.length).forEach(([state, list]) => marks.words.push([state, list.join(", ")]));
  const unnamed = stray.map(([start, end]) => `“${row.output.slice(start, end)}”`).join(", ");
  if (invented) marks.words.push(["invented", unnamed || String(invented)]);
  return marks;
};

// What every word does to a score: by metric and output its words in their order, and how far 95 % of all words go.
const changesOf = (columns) => {
  const found = new Map();
  columns.metric.forEach((metric, place) => {
    if (!found.has(metric)) found.set(metric, { metric, outputs: new Map(), sizes: [] });
    const { outputs, sizes } = found.get(metric), id = String(columns.id[place]), change = number(columns.change[place]);
    if (!outputs.has(id)) outputs.set(id, { score: number(columns.score[place]), words: [] });
    outputs.get(id).words.push({ word: columns.word[place], change });
    if (!Number.isNaN(change)) sizes.push(Math.abs(change));
  });
  found.forEach((entry) => { entry.strong = entry.sizes.sort((a, b) => a - b)[Math.floor(.95 * entry.sizes.length)] || 1; });
  return found;
};
// Nothing where the words are those of another text: the outputs were others when they were explained.
const withoutBlanks = (text) => text.replace(/\s+/gu, "");
const toldOf = (row, { outputs }) => {
  const told = outputs.get(row.id);
  return told && told.words.map(({ word }) => word).join("") === withoutBlanks(row.output) ? told : null;
};
const changeClass = (change) => (change > 0 ? "raises" : "lowers");
const changeSpans = (text, words, strong) => {
  let from = 0;
  return words.flatMap(({ word, change }) => {
    const start = text.indexOf(word, from), share = Math.abs(change) / strong;
    if (start < 0) return [];
    from = start + word.length;
    return share >= .1 ? [[start, from, `${changeClass(change)}${share < 1 / 3 ? 1 : share < 2 / 3 ? 2 : 3}`]] : [];
  });
};

// A text with what is marked in it; where marks meet, a piece has both.
const marked = (node, text, spans) => {
  const ends = [...new Set([0, text.length, ...spans.flatMap(([start, end]) => [start, end])])].sort((a, b) => a - b);
  ends.slice(1).forEach((end, place) => {
    const start = ends[place];
    const names = spans.filter((span) => span[0] <= start && span[1] >= end).map((span) => span[2]);
    node.append(names.length ? element("mark", [...new Set(names)].join(" "), text.slice(start, end)) : text.slice(start, end));
  });
  return node;
};
