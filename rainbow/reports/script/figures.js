// ---- Figures on narrow screens: panels below each other, or one panel narrower, with letters as large as before.
const NARROW = window.matchMedia("(max-width: 600px)");
const NARROW_WIDTH = 250; // of a figure with one panel, in its own units
const boxOf = (axes) => axes.querySelector("path").getBBox();
const piece = (content, x, y, width, height, left = 0, top = 0) => {
  const made = drawn("svg", { x: left, y: top, width, height, viewBox: `${x} ${y} ${width} ${height}` });
  made.append(drawn("use", { href: `#${content.id}` }));
  return made;
};
const framed = (width, height, ...pieces) => {
  const made = drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  made.append(...pieces);
  return made;
};

// What stands beside panels: legends, and names that are not an axis's own.
const beside = (content) => [...content.children].filter((node) => node.matches("g:not(.axes)") && node.querySelector("text"));
const extra = (content, box) => framed(box.width + 4, box.height + 4, piece(content, box.x - 2, box.y - 2, box.width + 4, box.height + 4));

// Panels side by side, each with the names that stand left of the first where it has none of its own.
const stacked = (content, panels, size) => {
  const [first] = panels, boxes = beside(content).map((node) => node.getBBox());
  const above = boxes.filter((box) => box.y + box.height < first.y), below = boxes.filter((box) => box.y > first.y + first.height);
  const top = Math.max(0, ...above.map((box) => box.y + box.height)), bottom = Math.min(size.height, ...below.map((box) => box.y));
  const ownNames = (place) => panels[place].x - (place ? panels[place - 1].x + panels[place - 1].width : 0) > 20;
  const rows = panels.map((box, place) => {
    const next = panels[place + 1], most = next ? (ownNames(place + 1) ? box.x + box.width + 4 : next.x - 1) : size.width;
    const right = Math.min(box.x + box.width + 10, most);
    if (ownNames(place)) {
      const left = place ? panels[place - 1].x + panels[place - 1].width + 4 : 0;
      return framed(right - left, bottom - top, piece(content, left, top, right - left, bottom - top));
    }
    const names = piece(content, 0, top, first.x - 1, first.y + first.height - top + 2);
    return framed(first.x + right - box.x, bottom - top, names, piece(content, box.x - 8, top, right - box.x + 8, bottom - top, first.x - 8));
  });
  const whole = (box) => extra(content, box);
  return [...above.map(whole), ...rows, ...below.map(whole)];
};
// One panel: places move together, letters and marks stay as they are; a legend above it stays whole.
const narrowed = (content, [box], size) => {
  const share = (NARROW_WIDTH - box.x) / (size.width - box.x), copy = content.cloneNode(true);
  const moveTo = (x) => (x > box.x ? box.x + (x - box.x) * share : x);
  const boxes = new Map(beside(content).map((node) => [[...content.children].indexOf(node), node.getBBox()]));
  const legends = [...boxes].filter(([, own]) => own.y + own.height < box.y);
  legends.map(([place]) => copy.children[place]).forEach((node) => node.remove());
  all("[id]", copy).forEach((node) => node.removeAttribute("id"));
  copy.removeAttribute("id");
  all("path", copy).forEach((node) => node.setAttribute("transform", `matrix(${share} 0 0 1 ${box.x * (1 - share)} 0)`));
  all("use", copy).forEach((node) => node.setAttribute("x", moveTo(Number(node.getAttribute("x")))));
  let right = NARROW_WIDTH;
  all("text", copy).forEach((node) => node.setAttribute("transform", node.getAttribute("transform").replace(/translate\((\S+)/, (_, x) => {
    const place = moveTo(Number(x));
    right = Math.max(right, place + Number(node.getAttribute("textLength")) + 2);
    return `translate(${place.toFixed(1)}`;
  })));
  return [...legends.map(([, own]) => extra(content, own)), framed(right, size.height, copy)];
};
const narrow = (picture) => {
  const svg = picture.querySelector("svg"), content = [...svg.children].find((node) => node.tagName === "g");
  const size = svg.viewBox.baseVal, axes = all(".axes", content).map(boxOf), panels = axes.filter((box) => box.width > 20);
  const inRow = panels.every((box) => Math.abs(box.y - panels[0].y) < 2 && box.width < 0.45 * size.width);
  const form = panels.length > 1 && inRow ? stacked : axes.length === 1 ? narrowed : null;
  if (!form) return;
  content.id = `content-${picture.parentNode.id}`;
  const made = element("div", "narrow");
  made.append(...form(content, panels, size));
  picture.append(made);
  picture.classList.add("has-narrow");
};
// What is not seen has no size: it is made narrow when its tab, or what it is folded into, is opened.
const narrowAll = () => { if (NARROW.matches) all(".picture:not(.has-narrow)").filter((picture) => picture.offsetHeight).forEach(narrow); };
NARROW.addEventListener("change", narrowAll);
tabs.forEach((tab) => tab.addEventListener("shown", narrowAll));
document.addEventListener("toggle", narrowAll, true);
narrowAll();
