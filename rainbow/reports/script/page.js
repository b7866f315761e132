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
