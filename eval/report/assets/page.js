// The page: controls, the list of queries, and navigation by URL fragment.

const part = (id) => {
  const s = document.getElementById(id);
  return {controls: s.querySelectorAll(".controls"), figures: s.querySelectorAll("figure"), table: s.querySelector("table")};
};
const parts = Object.fromEntries(["templates", "gains", "recall", "queries"].map((id) => [id, part(id)]));
const open = (i) => { location.hash = `#query/${encodeURIComponent(data.queries[i].id)}/${state.a}/${state.b}`; };

// choose sets the conditions and the two methods to compare.
function choose(group, b) {
  state.group = group;
  const own = inGroup();
  state.b = b ?? (own.find((o) => o.method === "rerank") ?? own.find((o) => o.base >= 0) ?? own.at(-1)).i;
  const base = data.outcomes[state.b].base;
  state.a = base >= 0 ? base : own[0].i;
  if (state.a === state.b) state.b = (own.find((o) => o.i !== state.a) ?? own[0]).i;
}

const templateOptions = [["all", "all templates"], ...data.templates.map((t, i) => [String(i), symbols(t)])];

function controls() {
  const own = inGroup(), methods = own.map((o) => [String(o.i), o.method]);
  const set = (key) => (v) => { state[key] = key === "a" || key === "b" ? Number(v) : v; render(); };
  const group = () => (groups.length > 1 ? [select("fusion, passages", groups.map((g) => [g, g]), state.group, (g) => { choose(g); render(); })] : []);
  const compare = () => [select("of", methods, String(state.b), set("b")), select("against", methods, String(state.a), set("a")), select("", templateOptions, state.template, set("template"))];
  parts.templates.controls[0].replaceChildren(...group());
  parts.gains.controls[0].replaceChildren(...group(), ...compare());
  const curves = [[String(data.templates.length), "mean of templates"], ...data.templates.map((t, i) => [String(i), symbols(t)])];
  parts.recall.controls[0].replaceChildren(...group(), select("", curves, String(state.recall), set("recall")));
  const search = el("input", {type: "search", placeholder: "words of a query", "aria-label": "filter queries", value: state.text, oninput: () => { state.text = search.value; state.shown = 200; list(); }});
  parts.queries.controls[0].replaceChildren(...group(), ...compare(), search, el("span", {class: "count"}));
}

const order = {
  order: (x, y) => x.i - y.i, query: (x, y) => asked(x.q).localeCompare(asked(y.q)), template: (x, y) => x.q.template - y.q.template || x.i - y.i,
  r: (x, y) => y.q.r - x.q.r, a: (x, y) => y.a - x.a, b: (x, y) => y.b - x.b, d: (x, y) => y.d - x.d,
};

function list() {
  const wanted = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = pairs().filter((r) => {
    const text = `${r.q.id} ${r.q.text ?? ""} ${r.q.formula}`.toLowerCase();
    return wanted.every((w) => text.includes(w));
  }).sort(order[state.sort]);
  parts.queries.controls[0].querySelector(".count").textContent = rows.length === 1 ? "1 query" : `${rows.length} queries`;
  const head = (key, text, title, n) => el("th", {class: n ? "n" : null, title: title ?? null, "aria-sort": state.sort === key ? "descending" : null, onclick: () => { state.sort = key; list(); }}, text + (state.sort === key && key !== "order" ? " ↓" : ""));
  const link = (r) => `#query/${encodeURIComponent(r.q.id)}/${state.a}/${state.b}`;
  parts.queries.table.replaceChildren(
    el("thead", null, el("tr", null, head("order", "id"), head("query", "query"), head("template", "template"), head("r", "R", "relevant documents", true),
      head("a", data.outcomes[state.a].method, null, true), head("b", data.outcomes[state.b].method, null, true), head("d", "Δ", "difference of average precision", true))),
    el("tbody", null, ...rows.slice(0, state.shown).map((r) => el("tr", null,
      el("td", null, el("a", {href: link(r)}, r.q.id)), el("td", {class: "text"}, el("a", {href: link(r)}, asked(r.q))), el("td", null, symbols(data.templates[r.q.template])), el("td", {class: "n"}, String(r.q.r)),
      el("td", {class: "n"}, f4(r.a)), el("td", {class: "n"}, f4(r.b)), el("td", {class: "n " + (r.d > 0 ? "up" : r.d < 0 ? "down" : "")}, signed(r.d))))),
    el("tfoot", null, rows.length > state.shown ? el("tr", null, el("td", {colspan: 7}, el("button", {type: "button", onclick: () => { state.shown = Infinity; list(); }}, `Show all ${rows.length}`))) : null));
}

function render() {
  controls();
  drawTemplates(parts.templates.figures[0]);
  drawGains(parts.gains.figures[0], open);
  drawRecall(parts.recall.figures[0]);
  list();
}

// The URL fragment selects the view: #queries/OUTCOME/TEMPLATE or #query/ID/LEFT/RIGHT.
function follow() {
  const [what, x, y, z] = location.hash.slice(1).split("/");
  const outcome = (s) => (data.outcomes[Number(s)] ? Number(s) : null);
  if (what === "queries" && x !== undefined) {
    const o = outcome(x) ?? state.b;
    choose(data.outcomes[o].conditions, o);
    state.template = data.templates[Number(y)] !== undefined ? y : "all";
    state.sort = data.outcomes[o].base >= 0 ? "d" : "a";
    state.shown = 200;
    render();
    document.getElementById("queries").scrollIntoView();
  }
  if (what === "query") {
    const i = data.queries.findIndex((q) => encodeURIComponent(q.id) === x);
    if (i >= 0) openQuery(i, outcome(y) ?? state.a, outcome(z) ?? state.b);
  } else if (dialog.open) {
    dialog.close();
  }
}

const theme = document.getElementById("theme");
theme.addEventListener("click", () => {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme ?? (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
});

for (const th of document.querySelectorAll(".figures th[data-method]")) th.style.setProperty("--dot", colour(th.dataset.method));
choose(groups[0]);
render();
follow();
addEventListener("hashchange", follow);

let was = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === was) return;
  was = innerWidth;
  requestAnimationFrame(render);
});
