import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, eventually, eventuallyEqual, find, order, start, study } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const query = "dog AND NOT ball";
const search = (body) => ask(s.url, "/v1/collections/demo/search", { query, ...body });
const shown = (page) => page.locator(".hits > li").first().waitFor();

test("results are those of the API, with all there is to see", async (t) => {
  const page = await s.open(t, find(query, study));
  await shown(page);
  const want = await search({ k: 10, explain: true, compare: true });
  await eventuallyEqual(() => order(page), want.hits.map((h) => h.id));
  const scores = await page.locator(".hits .score").allInnerTexts();
  assert.deepEqual(scores, want.hits.map((h) => h.score.toFixed(3)));
  const first = page.locator(".hits > li").first(), hit = want.hits[0];
  const text = await first.innerText();
  for (const part of [hit.title, hit.snippet.text.slice(0, 30), "dog mentioned in the title", "NOT ball not mentioned", hit.id, String(hit.metadata.year), "Δ ball"]) assert.ok(text.includes(part), part);
  const delta = hit.explanation.deltas[0].value;
  assert.ok(text.includes((delta < 0 ? "−" : "+") + Math.abs(delta).toFixed(3)), text);
  await eventuallyEqual(() => first.locator(".signed.gain").count(), 2); // a negative delta of NOT earns, and so do words
  const found = new Set(want.hits.flatMap((h) => h.words.flatMap((a) => a.found.flatMap((f) => [f.matched, f.word]))));
  const marks = await page.locator(".hits mark").allInnerTexts();
  assert.ok(marks.length > 5 && marks.every((m) => found.has(m.toLowerCase())), String(marks));
});

test("a click explains a result in words and numbers", async (t) => {
  const page = await s.open(t, find(query, study));
  await shown(page);
  await page.locator(".hits a").first().click();
  const { hits: [hit] } = await search({ k: 1, explain: true });
  const text = await page.locator(".inspector").innerText();
  const x = hit.explanation;
  for (const part of [x.sentence.slice(1, 40), "Similarities", "Deltas", "Gate", "Noise floor", "AND NOT", x.gates[0].value.toFixed(3), x.score.toFixed(3), hit.snippet.text]) {
    assert.ok(text.includes(part), part);
  }
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("doc"), hit.id);
  await page.goBack();
  await page.locator(".inspector").waitFor({ state: "detached" });
});

test("a document beyond the results is explained as well", async (t) => {
  const worst = (await search({ k: 549 })).hits.at(-1);
  const page = await s.open(t, find(query, "&doc=" + worst.id));
  await page.getByText(`Rank ${worst.rank} of 549`).waitFor();
});

test("nested parts are explained inside each other", async (t) => {
  const page = await s.open(t, find("(beach OR lake) AND sunset AND NOT people", study));
  await shown(page);
  await page.locator(".hits a").first().click();
  await page.locator(".parts .parts summary").first().waitFor();
  await eventually(async () => assert.ok((await page.locator(".parts summary").allInnerTexts()).some((p) => p.includes("AND sunset AND NOT people"))));
});

test("a floor that fires is told", async (t) => {
  const all = await search({ k: 549, all: true, explain: true });
  const hit = all.hits.find((h) => h.explanation.floor === "departure");
  const page = await s.open(t, find(query, "&doc=" + hit.id + study));
  await page.locator(".facts .fired").waitFor();
  await eventuallyEqual(() => page.locator(".facts .fired").innerText(), "departure");
  await page.getByText("Departure: the fusion is below every part").waitFor();
});

test("the comparison joins the same documents", async (t) => {
  const page = await s.open(t, find(query, "&view=compare&k=20"));
  await page.locator(".compare path").first().waitFor();
  const want = await search({ k: 20, compare: true });
  const plain = want.plain.map((p) => p.id), hits = want.hits.map((h) => h.id);
  const kinds = { in: 0, out: 0, up: 0, down: 0, same: 0 };
  hits.forEach((id, i) => {
    const was = plain.indexOf(id);
    kinds[was < 0 ? "in" : was > i ? "up" : was < i ? "down" : "same"]++;
  });
  kinds.out = plain.filter((id) => !hits.includes(id)).length;
  assert.ok(kinds.in > 0 && kinds.up > 0, JSON.stringify(kinds));
  for (const [kind, n] of Object.entries(kinds)) await eventuallyEqual(() => page.locator(`.compare path.${kind}`).count(), n, kind);
  await eventuallyEqual(() => page.locator(".tag.in").count(), kinds.in);
  await eventuallyEqual(() => page.locator(".tag.out").count(), kinds.out);

  // A line begins and ends at the middle of its two rows.
  const id = hits.find((h) => plain.includes(h));
  await page.locator(`.compare li[data-id="${id}"]`).first().hover();
  await page.locator(".compare path.lit").waitFor({ state: "attached" });
  await eventuallyEqual(() => page.locator(".compare li.lit").count(), 2);
  const ends = await page.evaluate(() => {
    const middle = (e) => { const b = e.getBoundingClientRect(); return (b.top + b.bottom) / 2; };
    const path = document.querySelector(".compare path.lit"), svg = path.ownerSVGElement.getBoundingClientRect();
    const at = (l) => path.getPointAtLength(l).y + svg.top;
    const rows = [...document.querySelectorAll(".compare li.lit")].map(middle);
    return { rows, line: [at(0), at(path.getTotalLength())] };
  });
  ends.rows.forEach((y, i) => assert.ok(Math.abs(y - ends.line[i]) < 2.5, JSON.stringify(ends)));
});

test("the map has every candidate, and rings where a floor fires", async (t) => {
  const page = await s.open(t, find(query, "&view=map"));
  await page.locator(".dots circle").first().waitFor();
  const all = await search({ k: 549, all: true, explain: true });
  await eventuallyEqual(() => page.locator(".dots circle").count(), 549);
  const fired = all.hits.filter((h) => (h.explanation.floor ?? "none") !== "none").length;
  assert.ok(fired > 0);
  await eventuallyEqual(() => page.locator(".dots .ring").count(), fired);
  await eventuallyEqual(() => page.locator(".region.not").count(), 1);

  await page.getByLabel("NOT, departure").uncheck();
  await page.locator(".region").waitFor({ state: "detached" });
  await eventuallyEqual(() => page.locator(".dots .ring").count(), 0);
});

test("the map reads on hover, opens on click and goes by keys", async (t) => {
  const page = await s.open(t, find(query, "&view=map"));
  const best = page.locator(".dots circle").last();
  await best.waitFor();
  const { hits } = await search({ k: 3 });
  const at = await best.boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await eventually(async () => assert.match(await page.locator(".tip").innerText(), new RegExp(hits[0].score.toFixed(3))));
  await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2);
  await page.getByRole("article", { name: hits[0].title }).waitFor();
  await page.mouse.move(0, 0);
  await page.locator(".map svg").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForURL((u) => u.searchParams.get("doc") === hits[1].id);
});

test("any two terms can be the axes", async (t) => {
  const page = await s.open(t, find(query, "&view=map"));
  await page.getByRole("combobox", { name: "Up" }).selectOption("dog AND ball");
  await page.getByText("Δ of ball is positive, below it negative").waitFor();
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("y"), "dog AND ball");
  await eventually(async () => assert.ok((await page.locator(".axis .name").allTextContents()).some((l) => l.includes("S(dog AND ball)"))));
  // In this plane a departure lies below the line: F < dog.
  const below = await page.locator(".region.not path").evaluate((p) => p.getBBox().height > 0);
  assert.ok(below);
});

test("zero order stands beside first order", async (t) => {
  const page = await s.open(t, find("dog AND ball", "&view=deltas"));
  await page.locator(".series").first().waitFor();
  const panels = page.locator(".orders figure");
  await eventuallyEqual(() => panels.count(), 2);
  await eventuallyEqual(() => panels.nth(0).locator(".legend").innerText().then((x) => x.split("\n")), ["dog", "ball", "dog AND ball"]);
  await eventuallyEqual(() => panels.nth(1).locator(".legend").innerText().then((x) => x.split("\n")), ["Δ ball | dog", "Δ dog | ball"]);
  await eventuallyEqual(() => panels.nth(0).locator(".series circle").count(), 3 * 30);
  await eventuallyEqual(() => panels.nth(1).locator(".series rect").count(), 2 * 30);
  const box = await panels.nth(1).locator("svg").boundingBox();
  await page.mouse.move(box.x + 48, box.y + 100);
  const { hits: [best] } = await ask(s.url, "/v1/collections/demo/search", { query: "dog AND ball", explain: true, k: 1 });
  const d = best.explanation.deltas.find((x) => x.of === "ball").value;
  await eventually(async () => assert.match(await panels.nth(1).locator(".tip").innerText(), new RegExp("\\+" + d.toFixed(3))));
});

test("a pointer that rests on a chart survives a smaller search", async (t) => {
  for (const [view, last] of [["map", ".dots circle"], ["deltas", ".series rect >> nth=-1"]]) {
    const page = await s.open(t, find("dog AND ball", "&view=" + view));
    await page.locator(last).first().hover({ force: true });
    await page.locator(".tip").first().waitFor();
    const answered = page.waitForResponse((r) => r.url().endsWith("/search") && r.ok());
    await page.getByRole("textbox", { name: "Formula to search for" }).fill("dog AND ball year:2016 kind:photo");
    await page.keyboard.press("Enter");
    const { ranked } = await (await answered).json();
    assert.ok(ranked > 0 && ranked < 30, String(ranked));
    await page.getByText(`${ranked} of 549 documents ranked`).or(page.getByText(`${ranked} documents ranked`)).first().waitFor();
    await page.locator(".chart svg").first().waitFor();
  }
});

test("single words, only NOT and no results have their views too", async (t) => {
  for (const view of ["results", "compare", "map", "deltas"]) {
    const one = await s.open(t, find("dog", "&view=" + view));
    await one.locator(".status").waitFor();
    if (view === "map") await one.getByText("A plane needs a formula of two terms").waitFor();
    const none = await s.open(t, find("dog year:>=2999", "&view=" + view));
    await none.getByText("No documents match the filter.").waitFor();
  }
  const page = await s.open(t, find("NOT dog", study));
  await shown(page);
  await page.locator(".hits a").first().click();
  await page.getByText("nothing is wanted but the absence of", { exact: false }).waitFor();
});
