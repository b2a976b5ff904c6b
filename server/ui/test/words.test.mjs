import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, eventually, eventuallyEqual, find, order, start, study } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const both = "dog AND ball";
const search = (query, body) => ask(s.url, "/v1/collections/demo/search", { query, k: 10, explain: true, ...body });
const shown = (page) => page.locator(".hits > li").first().waitFor();
const value = (text) => Number(text.replaceAll("−", "-"));

test("the snippet shows every wanted atom, with what was found marked", async (t) => {
  const page = await s.open(t, find(both));
  await shown(page);
  const { hits } = await search(both);
  for (const [i, hit] of hits.entries()) {
    const text = page.locator(".hits > li").nth(i).locator(".snippet, .title, .lead");
    for (const f of hit.words.flatMap((a) => a.found)) {
      if (!f.matched || f.matched.includes(" ")) continue;
      const marks = text.locator(f.similarity === 1 ? "mark.exact" : "mark.soft", { hasText: new RegExp(`^${f.matched}s?$`, "i") });
      await eventually(async () => assert.ok(await marks.count() > 0, `${hit.id}: ${f.matched}`));
    }
  }
  for (const kind of ["exact", "soft"]) await eventually(async () => assert.ok(await page.locator(`.hits mark.${kind}`).count() > 0, kind));
});

test("the explanation has words as a part of its own, and the sum is the score", async (t) => {
  const { hits } = await search(both);
  const hit = hits.find((h) => h.words.some((a) => a.found.some((f) => f.matched && f.similarity < 1)));
  const page = await s.open(t, find(both, "&doc=" + hit.id + study));
  const part = page.getByRole("region", { name: "Words" });
  await part.waitFor();
  const text = await part.innerText();
  for (const a of hit.words) {
    assert.ok(text.includes(a.share.toFixed(3)), text);
    for (const f of a.found) {
      const want = !f.matched ? `${f.word}: not found` : f.similarity < 1 ? `${f.word}: ${f.matched} ~${f.similarity.toFixed(2)}, ` : `${f.matched}, `;
      assert.ok(text.includes(want), `${want} in ${text}`);
    }
  }
  const [left, right] = (await part.locator(".added").innerText()).split(" = ");
  const [, vectors, sign, weight, said] = left.match(/^(\S+) vectors ([+−]) (\S+) · (\S+) words$/);
  const total = value(vectors) + (sign === "−" ? -1 : 1) * value(weight) * value(said);
  assert.ok(Math.abs(total - value(right)) < 0.005 && right === hit.score.toFixed(3), `${left} = ${right}`);
  // The sum of the calculus ends where that of words begins.
  const sum = await page.locator(".inspector .sum").first().innerText();
  assert.equal(sum.split(" = ")[1], vectors);
  await eventuallyEqual(() => page.locator(".inspector .formula .total").first().innerText(), hit.score.toFixed(3));
});

test("what a document denies is ruled out by the text", async (t) => {
  await ask(s.url, "/v1/collections", { name: "pastry" });
  await ask(s.url, "/v1/collections/pastry/documents", [
    { id: "with", title: "Walnut cake", text: "A cake with nuts on top and more nuts inside." },
    { id: "without", title: "Plain cake", text: "A cake for everybody, baked without nuts." },
    { id: "soup", text: "A soup of pumpkins for cold evenings." },
  ]);
  const inPastry = "&c=pastry&doc=without" + study;
  let page = await s.open(t, find("cake AND NOT nuts", inPastry));
  await shown(page);
  const part = (p) => p.getByRole("region", { name: "Words" });
  await part(page).getByText("ruled out by the text, passage 1").waitFor();
  await eventuallyEqual(() => part(page).locator("mark.denied").innerText(), "nuts");
  await eventually(async () => assert.ok((await part(page).innerText()).includes("−0.250")));
  await eventuallyEqual(async () => (await order(page))[0], "without");
  const card = (p) => p.locator('.hits > li[data-id="without"]');
  await eventuallyEqual(() => card(page).locator(".evidence .denied").innerText(), "✓ NOT nuts ruled out by the text");
  await eventuallyEqual(() => card(page).locator(".snippet mark.denied").innerText(), "nuts");

  // Wanted, the same counts against it.
  page = await s.open(t, find("cake AND nuts", inPastry));
  await shown(page);
  await eventuallyEqual(async () => (await order(page))[0], "with");
  await eventuallyEqual(() => card(page).locator(".evidence .against").innerText(), "✕ nuts ruled out by the text");
  await eventuallyEqual(() => card(page).locator("mark.denied").innerText(), "nuts");
  await eventually(async () => assert.ok((await part(page).locator(".added").innerText()).includes("vectors")));

  // In the demo too somebody denies something.
  const query = "recipe AND NOT dairy";
  const { hits } = await search(query, { k: 549 });
  const hit = hits.find((h) => h.words.some((a) => a.share < 0));
  page = await s.open(t, find(query, "&doc=" + hit.id + study));
  await part(page).getByText("ruled out by the text").first().waitFor();
});

test("the map tells the score of vectors from that of words", async (t) => {
  const page = await s.open(t, find(both, "&view=map"));
  const best = page.locator(".dots circle").last();
  await best.waitFor();
  const { hits: [hit] } = await search(both, { k: 1 });
  const at = await best.boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  const tip = await page.locator(".tip").innerText();
  const { vectors, weight, lexical } = hit.explanation.words;
  for (const part of [`score ${hit.score.toFixed(3)}`, `${vectors.toFixed(3)} vectors +${(weight * lexical).toFixed(3)} words`]) assert.ok(tip.includes(part), tip);
  await page.getByText("score of vectors and words, low to high").waitFor();

  // The colours are those of the whole score: the best has the strongest.
  const { columns } = await search(both, { columns: true });
  const low = Math.min(...columns.scores), high = Math.max(...columns.scores);
  const want = columns.scores.map((v) => Math.min(6, Math.floor((7 * (v - low)) / (high - low))));
  const got = await page.locator(".dots circle").evaluateAll((all) => all.map((c) => Number(c.getAttribute("class").match(/s(\d)/)[1])));
  assert.deepEqual(got.reverse(), want);
  assert.ok(columns.scores.every((v, i) => Number.isFinite(v - columns.words[i])));
});

test("how much words count can be chosen, and left to the profile", async (t) => {
  const page = await s.open(t, find(both, study));
  await shown(page);
  const asked = [];
  page.on("request", (r) => /\/search$/.test(r.url()) && asked.push([r.url().split("/").pop(), r.postDataJSON().words]));
  const slider = page.getByRole("slider", { name: "Words: weight beside vectors" });
  const { hits: [own] } = await search(both);
  await eventuallyEqual(async () => Number(await slider.inputValue()), own.explanation.words.weight);
  const becomes = async (words, want) => {
    const ids = (await search(both, words === null ? {} : { words })).hits.map((h) => h.id);
    await page.waitForFunction((list) => [...document.querySelectorAll(".hits > li")].map((li) => li.dataset.id).join() === list, ids.join());
    await eventuallyEqual(() => asked.at(-1), want);
    return ids;
  };
  const before = await order(page);
  await slider.fill("0");
  const none = await becomes(0, ["search", 0]);
  assert.notDeepEqual(none, before);
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("words"), "0");
  await eventuallyEqual(() => page.locator(".hits .delta .of", { hasText: "words" }).count(), 0);
  await slider.fill("2"); // they were not looked for
  await becomes(2, ["search", 2]);
  await slider.fill("3");
  await becomes(3, ["search", 3]);
  await page.getByRole("button", { name: "Reset" }).click();
  await becomes(null, ["search", undefined]);
  await eventuallyEqual(() => order(page), before);
});

test("a passage says where it stands", async (t) => {
  await ask(s.url, "/v1/collections", { name: "placed" });
  await ask(s.url, "/v1/collections/placed/documents", {
    id: "guide", title: "Guide", passages: ["Bring your zebra.", "An okapi stays outside."], metadata: { source: "doc/guide.md" },
    places: [{ line: 3 }, { heading: "Guests › Large", page: 2, line: 120 }],
  });
  const where = "doc/guide.md, Guests › Large, page 2, line 120";
  let page = await s.open(t, find("okapi", "&c=placed"));
  await shown(page);
  await eventuallyEqual(() => page.locator(".hits .where").innerText(), where);
  page = await s.open(t, find("okapi AND zebra", "&c=placed&doc=guide"), { size: [400, 800] });
  await page.locator(".verdicts .where").nth(1).waitFor();
  await eventuallyEqual(() => page.locator(".verdicts .where").allInnerTexts(), [where, "doc/guide.md, line 3"]);
});
