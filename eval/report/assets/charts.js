"use strict";
// Code shared by all parts of the page, and the charts. Texts come from outside: they are
// only set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes ?? {})) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

function select(label, options, value, change) {
  const s = el("select", {onchange: () => change(s.value)}, ...options.map(([v, text]) => el("option", {value: v}, text)));
  s.value = value;
  return el("label", null, label, s);
}

const symbols = (t) => t.replaceAll(" AND ", "∧").replaceAll(" OR ", "∨").replaceAll("NOT ", "¬");
const f4 = (v) => v.toFixed(4);
const signed = (v) => (v < 0 ? "−" : "+") + Math.abs(v).toFixed(4);
const clip = (s, n) => (s.length > n ? s.slice(0, n - 1) + "…" : s);
const asked = (q) => q.text || q.formula;
const titleOf = (d) => data.documents[d][1] || data.documents[d][0];

// Grey is plain retrieval, cold colours are the calculus, warm ones plain geometry.
const palette = {
  baseline: "#8a8f98", rerank: "#2f6fde", sqo: "#45a7c4", hybrid: "#7a5bd6", exact: "#1f9d6b",
  "geo-rerank": "#d9822b", "geo-opt": "#c2a12a", "geo-hybrid": "#c8503c", auto: "#b0589b",
};
const colour = (method) => palette[method] ?? "#888";

const groups = [...new Set(data.outcomes.map((o) => o.conditions))];
const state = {group: groups[0], a: 0, b: 0, template: "all", recall: data.templates.length, text: "", sort: "order", shown: 200};
const inGroup = () => data.outcomes.map((o, i) => ({...o, i})).filter((o) => o.conditions === state.group);

function legend(entries) {
  return el("div", {class: "legend"}, ...entries.map(([text, c]) => {
    const s = el("span", null, text);
    s.style.setProperty("--dot", c);
    return s;
  }));
}

// draw puts a chart into a figure. A click opens the item under the pointer.
function draw(figure, options, open) {
  const chart = Plot.plot({style: {fontSize: "12px"}, ...options});
  if (open) {
    chart.classList.add("pick");
    chart.addEventListener("click", () => chart.value && open(chart.value));
  }
  figure.append(chart);
}

// room returns the maximum width of a chart.
function room(figure) {
  return Math.max(280, Math.min(1140, figure.getBoundingClientRect().width || 900));
}

const tipOf = (title) => ({title, fill: "var(--card)", stroke: "var(--line)", fontSize: 12.5, lineWidth: 26});

function drawTemplates(figure) {
  figure.replaceChildren();
  const own = inGroup();
  const columns = [...data.templates.map((t, k) => [symbols(t), (o) => o.cells[k], k]), ["mean", (o) => o.mean, "all"]];
  const bars = columns.flatMap(([template, of, k]) => own.map((o) => ({template, k, method: o.method, o: o.i, ...of(o)})));
  const title = (d) => `${d.method}, ${d.template}\n${f4(d.map)}  [${f4(d.low)}, ${f4(d.high)}]` + (d.p ? `\np = ${d.p} after correction` : "");
  const open = (d) => { location.hash = `#queries/${d.o}/${d.k}`; };
  const width = room(figure);
  figure.append(legend(own.map((o) => [o.method, colour(o.method)])));
  const methods = own.map((o) => o.method), templates = columns.map((c) => c[0]);
  const common = {width, color: {domain: methods, range: methods.map(colour)}};
  if (width > 640) {
    draw(figure, {
      ...common, height: 330, marginLeft: 44, marginBottom: 34,
      x: {axis: null, domain: methods, padding: 0.12}, y: {label: null, grid: true, zero: true}, fx: {label: null, domain: templates, axis: "bottom", padding: 0.12},
      marks: [
        Plot.barY(bars, {fx: "template", x: "method", y: "map", fill: "method"}),
        Plot.ruleX(bars, {fx: "template", x: "method", y1: "low", y2: "high", stroke: "currentColor", strokeWidth: 1.2}),
        Plot.ruleY([0]),
        Plot.tip(bars, Plot.pointer({fx: "template", x: "method", y: "map", ...tipOf(title)})),
      ],
    }, open);
  } else {
    draw(figure, {
      ...common, height: 26 + templates.length * (own.length * 11 + 14), marginLeft: 62, marginRight: 8,
      y: {axis: null, domain: methods, padding: 0.12}, x: {label: null, grid: true, zero: true, ticks: 4}, fy: {label: null, domain: templates, padding: 0.14},
      marks: [
        Plot.barX(bars, {fy: "template", y: "method", x: "map", fill: "method"}),
        Plot.ruleY(bars, {fy: "template", y: "method", x1: "low", x2: "high", stroke: "currentColor"}),
        Plot.ruleX([0]),
        Plot.tip(bars, Plot.pointer({fy: "template", y: "method", x: "map", ...tipOf(title)})),
      ],
    }, open);
  }
  figure.append(el("figcaption", null, "mAP@100 with 95 % intervals from resampled queries. Click a bar to show its queries."));
}

// pairs returns the queries of the selected template with the precisions of both methods.
function pairs() {
  const a = data.outcomes[state.a], b = data.outcomes[state.b];
  return data.queries.map((q, i) => ({i, q, a: a.ap[i], b: b.ap[i], d: b.ap[i] - a.ap[i]}))
    .filter((r) => state.template === "all" || r.q.template === Number(state.template));
}

function drawGains(figure, open) {
  figure.replaceChildren();
  const rows = pairs().sort((x, y) => y.d - x.d).map((r, x) => ({...r, x}));
  const better = rows.filter((r) => r.d > 0).length, worse = rows.filter((r) => r.d < 0).length;
  const name = (o) => data.outcomes[o].method;
  const title = (r) => `${clip(asked(r.q), 90)}\n${symbols(data.templates[r.q.template])}\n${name(state.a)} ${f4(r.a)} → ${name(state.b)} ${f4(r.b)}  (${signed(r.d)})`;
  draw(figure, {
    width: room(figure), height: 260, marginLeft: 44, marginBottom: 22,
    x: {axis: null, domain: [0, Math.max(1, rows.length)]}, y: {label: null, grid: true},
    marks: [
      Plot.rect(rows, {x1: (r) => r.x, x2: (r) => r.x + 1, y1: 0, y2: "d", fill: (r) => (r.d < 0 ? "var(--bad)" : "var(--good)"), insetLeft: rows.length < 150 ? 0.5 : 0, fillOpacity: 0.85}),
      Plot.ruleY([0]),
      Plot.rect(rows, Plot.pointerX({x1: (r) => r.x, x2: (r) => r.x + 1, px: (r) => r.x + 0.5, y1: 0, y2: "d", fill: "currentColor"})),
      Plot.tip(rows, Plot.pointerX({x: (r) => r.x + 0.5, y: "d", ...tipOf(title), lineWidth: 34})),
    ],
  }, (r) => open(r.i));
  figure.append(el("figcaption", null, `Average precision of ${name(state.b)} minus ${name(state.a)}, one bar per query: ${better} better, ${rows.length - better - worse} the same, ${worse} worse. Click a bar to open its query.`));
}

function drawRecall(figure) {
  figure.replaceChildren();
  const own = inGroup(), t = Number(state.recall);
  const points = own.flatMap((o) => o.recall[t].map((r, k) => ({method: o.method, k: k + 1, r})));
  const methods = own.map((o) => o.method);
  figure.append(legend(own.map((o) => [o.method, colour(o.method)])));
  draw(figure, {
    width: room(figure), height: 320, marginLeft: 44, marginBottom: 34,
    color: {domain: methods, range: methods.map(colour)},
    x: {label: "k", domain: [1, 100]}, y: {label: null, grid: true, zero: true},
    marks: [
      Plot.lineY(points, {x: "k", y: "r", z: "method", stroke: "method", strokeWidth: 1.8}),
      Plot.ruleY([0]),
      Plot.tip(points, Plot.pointer({x: "k", y: "r", ...tipOf((d) => `${d.method}\nrecall@${d.k} ${f4(d.r)}`)})),
    ],
  });
  figure.append(el("figcaption", null, "Share of the relevant documents among the first k."));
}
