import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, box, find, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const wide = { size: [1440, 900] };
const shown = (page) => page.locator(".hits > li").first().waitFor();
const query = (page) => new URL(page.url()).searchParams.get("q");
const value = (page, name) => page.getByRole("region", { name: "Narrow by" }).getByRole("button", { name });

test("a value narrows the results, and does no more when it is clicked again", async (t) => {
  const page = await s.open(t, find("dog AND NOT ball"), wide);
  await shown(page);
  const { facets } = await ask(s.url, "/v1/collections/demo/search", { query: "dog AND NOT ball", facets: ["kind"] });
  for (const b of facets[0].buckets) await value(page, `${b.value} ${b.count}`).waitFor();

  await value(page, /^photo/).click();
  await page.waitForURL((u) => u.searchParams.get("q") === "dog AND NOT ball AND kind:photo");
  await page.waitForFunction(() => [...document.querySelectorAll(".hits > li")].every((li) => li.dataset.id.startsWith("photo")));
  assert.equal(await value(page, /photo/).getAttribute("aria-pressed"), "true");
  await value(page, /photo/).click();
  await page.waitForURL((u) => u.searchParams.get("q") === "dog AND NOT ball");
  await page.waitForFunction(() => [...document.querySelectorAll(".hits > li")].some((li) => !li.dataset.id.startsWith("photo")));
});

test("ranges, sentences and groups are narrowed too", async (t) => {
  let page = await s.open(t, find("dogs without leashes"), wide);
  await shown(page);
  await value(page, /^2000 to 2020/).click();
  await page.waitForURL((u) => u.searchParams.get("q") === "dogs AND NOT leashes AND year:>=2000 AND year:<2020");
  await value(page, /✓ >=2000 <2020/).click(); // it is divided further, and can be taken back
  await page.waitForURL((u) => u.searchParams.get("q") === "dogs AND NOT leashes");

  page = await s.open(t, find("(beach AND sunset) OR lake"), wide);
  await shown(page);
  await value(page, /^photo/).click();
  await page.waitForURL((u) => u.searchParams.get("q").includes("kind:photo"));
  await value(page, /✓ photo/).click();
  await page.waitForFunction(() => !new URLSearchParams(location.search).get("q").includes("kind"));
  const before = await ask(s.url, "/v1/parse", { query: "(beach AND sunset) OR lake" }), now = await ask(s.url, "/v1/parse", { query: query(page) });
  assert.equal(now.formula, before.formula);
});

test("where there is no room beside the results, the values are in a menu", async (t) => {
  for (const size of [[390, 844], [1100, 800]]) {
    const page = await s.open(t, find("dog"), { size });
    await shown(page);
    assert.equal(await value(page, /^photo/).count(), 0);
    await page.locator(".narrow summary").click();
    await value(page, /^photo/).click();
    await page.waitForURL((u) => u.searchParams.get("q") === "dog AND kind:photo");
    await page.locator(".narrow summary").focus();
    await page.keyboard.press("Escape");
    await page.locator(".facets").waitFor({ state: "hidden" });
  }
});

test("a collection without fields has nothing to narrow by", async (t) => {
  await ask(s.url, "/v1/collections", { name: "bare" });
  await ask(s.url, "/v1/collections/bare/documents", [{ id: "a", text: "A dog." }, { id: "b", text: "A cat." }]);
  const page = await s.open(t, find("dog", "&c=bare"), wide);
  await shown(page);
  assert.equal(await page.locator(".narrow").count(), 0);
  assert.equal(await page.getByRole("button", { name: "More results" }).count(), 0); // there are two
});

test("more results are those of one larger search", async (t) => {
  const page = await s.open(t, find("dog AND NOT ball", "&c=demo&k=5"), wide);
  await shown(page);
  const asked = [];
  page.on("request", (r) => r.url().endsWith("/rank") && asked.push(r.postDataJSON().offset));
  const { hits } = await ask(s.url, "/v1/collections/demo/search", { query: "dog AND NOT ball", k: 15 });
  for (const n of [10, 15]) {
    await page.getByRole("button", { name: "More results" }).click();
    await page.waitForFunction((want) => document.querySelectorAll(".hits > li").length === want, n);
  }
  assert.deepEqual(await order(page), hits.map((h) => h.id));
  assert.deepEqual(asked, [5, 10]);
  assert.deepEqual(await page.locator(".rank").allInnerTexts(), hits.map((h) => String(h.rank)));
  // Another search begins at the beginning.
  await box(page).fill("cat");
  await box(page).press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".hits > li").length === 5);
});
