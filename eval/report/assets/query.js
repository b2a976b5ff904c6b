// One query: zero and first order of its candidates, and two rankings side by side.

function candidatesOf(i) {
  return data.deltas?.queries.find((c) => c.query === i);
}

// drawCandidates draws the paper's figure: similarities above, deltas below, one position on
// the axis per candidate in the order of plain retrieval.
function drawCandidates(figure, c) {
  figure.replaceChildren();
  const n = c.documents.length, width = room(figure);
  const used = [...new Set(c.fusions.flatMap((f) => [...f.parts, f.term]))];
  const points = used.flatMap((t, k) => c.similarities[t].map((s, x) => ({x: x + 1, s, t, k, term: c.terms[t]})));
  const kinds = c.fusions.flatMap((f) => f.parts.filter((_, k) => f.rule !== "not" || k === 0)
    .map((p) => ({f, p, name: `${f.rule.toUpperCase()}: ${clip(c.terms[f.term], 40)} minus ${clip(c.terms[p], 30)}`})));
  const bars = kinds.flatMap((kind, k) => c.documents.map((_, x) => ({
    x1: x + 0.6 + (0.8 * k) / kinds.length, x2: x + 0.6 + (0.8 * (k + 1)) / kinds.length,
    x: x + 1, d: c.similarities[kind.f.term][x] - c.similarities[kind.p][x], name: kind.name, k,
  })));
  const relevant = c.relevant.flatMap((r, x) => (r ? [{x1: x + 0.5, x2: x + 1.5}] : []));
  const band = () => Plot.rect(relevant, {x1: "x1", x2: "x2", fill: "var(--good)", fillOpacity: 0.14});
  const x = {domain: [0.5, n + 0.5], label: null, ticks: []};
  const doc = (p) => `${p.x}. ${clip(titleOf(c.documents[p.x - 1]), 70)}${c.relevant[p.x - 1] ? " (relevant)" : ""}`;
  figure.append(el("div", {class: "hint"}, "Zero order: similarity of the candidate"));
  figure.append(legend(used.map((t, k) => [clip(c.terms[t], 50), series[k % series.length]])));
  draw(figure, {
    width, height: 210, marginLeft: 44, marginBottom: 8, x, y: {label: null, grid: true},
    marks: [
      band(), Plot.lineY(points, {x: "x", y: "s", z: "t", stroke: (p) => series[p.k % series.length], strokeOpacity: 0.55}),
      Plot.dot(points, {x: "x", y: "s", fill: (p) => series[p.k % series.length], r: 2.6}),
      Plot.tip(points, Plot.pointer({x: "x", y: "s", ...tipOf((p) => `${doc(p)}\n${clip(p.term, 50)}: ${p.s.toFixed(3)}`)})),
    ],
  });
  figure.append(el("div", {class: "hint"}, "First order: gain from the fusion"));
  figure.append(legend(kinds.map((kind, k) => [kind.name, series[k % series.length]])));
  draw(figure, {
    width, height: 190, marginLeft: 44, marginBottom: 38, x: {...x, ticks: [1, ...[10, 20, 30, 40].filter((t) => t <= n)], tickFormat: "d", label: "rank in plain retrieval", labelOffset: 34}, y: {label: null, grid: true},
    marks: [
      band(), Plot.rect(bars, {x1: "x1", x2: "x2", y1: 0, y2: "d", fill: (b) => series[b.k % series.length]}), Plot.ruleY([0]),
      Plot.tip(bars, Plot.pointer({x: (b) => (b.x1 + b.x2) / 2, y: "d", ...tipOf((b) => `${doc(b)}\n${b.name}\nΔ ${signed(b.d)}`)})),
    ],
  });
  figure.append(el("figcaption", null, `${n} candidates; relevant ones have a green background.`));
}

const dialog = document.getElementById("query");

// openQuery shows query i with outcomes a and b.
function openQuery(i, a, b) {
  const q = data.queries[i], c = candidatesOf(i);
  const names = data.outcomes.map((o, k) => [String(k), groups.length > 1 ? `${o.method} (${o.conditions})` : o.method]);
  const to = (x, y) => { location.hash = `#query/${encodeURIComponent(q.id)}/${x}/${y}`; };
  const figure = el("figure");
  const found = (o) => data.outcomes[o].ranked[i].filter((d) => d < q.relevant).length;
  let all = false;
  const lists = el("div", {class: "pair"});
  const fill = () => {
    const depth = all ? data.depth : Math.min(20, data.depth);
    lists.replaceChildren(...[[a, b], [b, a]].map(([own, other]) => el("div", null,
      el("h3", null, `${names[own][1]}: AP ${f4(data.outcomes[own].ap[i])}`),
      el("p", {class: "hint"}, `${found(own)} of ${q.r} relevant documents among the first ${data.depth}`),
      ranking(q, i, own, other, depth, own === b))));
  };
  fill();
  const more = el("button", {type: "button", onclick: () => { all = !all; more.textContent = all ? "First 20 only" : `All ${data.depth}`; fill(); }}, `All ${data.depth}`);
  dialog.replaceChildren(
    el("div", {class: "top"}, el("h2", null, asked(q)), el("button", {type: "button", "aria-label": "close", onclick: () => dialog.close()}, "✕"),
      el("p", {class: "hint"}, q.text ? el("code", null, q.formula) : null, q.text ? " · " : null, `${q.id} · ${symbols(data.templates[q.template])} · ${q.r} relevant`)),
    el("div", {class: "body"},
      el("div", {class: "controls"}, select("left", names, String(a), (v) => to(v, b)), select("right", names, String(b), (v) => to(a, v)), data.depth > 20 ? more : null),
      lists, c ? el("h3", null, "Zero and first order across candidates") : null, figure));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  if (c && c.fusions.length) drawCandidates(figure, c);
}

// ranking lists documents. The right list shows how far each moved, the left one where it
// went; green is a move that helps.
function ranking(q, i, own, other, depth, after) {
  const there = new Map(data.outcomes[other].ranked[i].map((d, rank) => [d, rank + 1]));
  const list = el("ol", {class: "ranking"});
  data.outcomes[own].ranked[i].slice(0, depth).forEach((d, k) => {
    const rank = k + 1, at = there.get(d), relevant = d < q.relevant;
    const up = at === undefined ? after : after ? at > rank : at < rank;
    let text = after ? "new" : "gone";
    if (at !== undefined) text = at === rank ? "=" : after ? `${up ? "▲" : "▼"} ${Math.abs(at - rank)}` : `→ ${at}`;
    const [id] = data.documents[q.documents[d]], title = titleOf(q.documents[d]);
    list.append(el("li", {class: relevant ? "relevant" : null, "data-document": d, title: `${id}: ${title}`, onmouseenter: () => same(d, true), onmouseleave: () => same(d, false)},
      el("span", {class: "rank"}, String(rank)), el("span", {class: "sign"}, relevant ? "✓" : ""), el("span", {class: "title"}, title),
      el("span", {class: "moved" + (text === "=" ? "" : up === relevant ? " up" : " down")}, text)));
  });
  return list;
}

// same marks a document in both rankings.
function same(d, on) {
  for (const li of dialog.querySelectorAll(`[data-document="${d}"]`)) li.classList.toggle("same", on);
}

dialog.addEventListener("close", () => { if (location.hash.startsWith("#query/")) history.replaceState(null, "", "#queries"); });
dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
