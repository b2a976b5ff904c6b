// One query: two rankings side by side.

const dialog = document.getElementById("query");

// openQuery shows query i with outcomes a and b.
function openQuery(i, a, b) {
  const q = data.queries[i];
  const names = data.outcomes.map((o, k) => [String(k), groups.length > 1 ? `${o.method} (${o.conditions})` : o.method]);
  const to = (x, y) => { location.hash = `#query/${encodeURIComponent(q.id)}/${x}/${y}`; };
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
      lists));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
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
