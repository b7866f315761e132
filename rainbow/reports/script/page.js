// Comfort for readers: nothing here is needed to read. What all parts use, the theme, and the section in view.
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const data = (id) => { const holder = byId(id); return holder ? JSON.parse(holder.textContent) : null; };
// What the page holds compressed, as the value that it was.
const expand = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
};
const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};
const drawn = (name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) made.textContent = text;
  return made;
};

document.documentElement.classList.add("script");
all(".needs-script").forEach((node) => { node.hidden = false; });
all(".without-script").forEach((node) => { node.hidden = true; });

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

// ---- Tabs: one part of the page is shown, that which holds what the address names; back goes back.
const links = all(".contents a");
const tabs = all("main > .tab");
const named = () => byId(decodeURIComponent(location.hash.slice(1).split("?")[0]));
const openTab = () => {
  const target = named(), tab = target?.closest(".tab") ?? tabs[0];
  tabs.forEach((part) => { part.hidden = part !== tab; });
  links.forEach((link) => {
    if (link.hash !== `#${tab?.id}`) { link.removeAttribute("aria-current"); return; }
    link.setAttribute("aria-current", "page");
    link.closest("ol").scrollTo({ left: link.offsetLeft - 24 });
  });
  tab?.dispatchEvent(new Event("shown"));
  if (target === tab) scrollTo(0, 0);
  else target?.scrollIntoView({ block: "start" });
};
if (tabs.length > 1) {
  window.addEventListener("popstate", openTab);
  byId("main").previousElementSibling.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], place = links.indexOf(event.target);
    if (step && place >= 0) links[(place + step + links.length) % links.length].focus();
  });
  openTab();
}

// ---- On paper everything stands open.
let folded = [];
window.addEventListener("beforeprint", () => { folded = all("details:not([open])"); folded.forEach((part) => { part.open = true; }); });
window.addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));

// ---- What is wider or longer than its place fades out on that side, as long as there is more.
const fade = (box) => {
  box.classList.toggle("more-right", box.scrollWidth - box.clientWidth - box.scrollLeft > 4);
  box.classList.toggle("more-below", box.scrollHeight - box.clientHeight - box.scrollTop > 4);
};
const sizes = new ResizeObserver((entries) => entries.forEach((entry) => fade(entry.target)));
all(".scroll, .contents ol, pre").forEach((box) => { sizes.observe(box); box.addEventListener("scroll", () => fade(box), { passive: true }); });
