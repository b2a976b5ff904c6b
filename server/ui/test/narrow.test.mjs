import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, box, eventually, eventuallyEqual, find, order, start } from "./harness.mjs";

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
  await eventuallyEqual(() => value(page, /photo/).getAttribute("aria-pressed"), "true");
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
    await eventuallyEqual(() => value(page, /^photo/).count(), 0);
    await page.locator(".narrow summary").click();
    await value(page, /^photo/).click();
    await page.waitForURL((u) => u.searchParams.get("q") === "dog AND kind:photo");
    await page.locator(".narrow summary").focus();
    await page.keyboard.press("Escape");
    await page.locator(".facets").waitFor({ state: "detached" });
  }
});

for (const size of [[1440, 900], [1920, 1080], [1280, 860], [390, 844]]) {
  test(`a click on a result covers no other result at ${size[0]} pixels`, async (t) => {
    for (const rest of ["", "&study=open", "&view=compare"]) {
      const page = await s.open(t, find("dog AND NOT ball", rest), { size });
      const results = page.locator(".view a.hit");
      await results.first().waitFor();
      if (!rest && size[0] > 1240) await value(page, /^photo/).waitFor(); // the facets are beside the results
      await results.first().click();
      await page.locator(".inspector .verdict").first().waitFor();
      // What a person sees at the middle of each result is the result itself.
      await eventually(async () => assert.deepEqual(await results.evaluateAll((all, sheet) => all.flatMap((a) => {
        const b = a.closest("li").getBoundingClientRect(), x = b.left + b.width / 2, y = b.top + b.height / 2;
        const bottom = sheet ? document.querySelector(".inspector").getBoundingClientRect().top : innerHeight;
        if (y < 60 || y > bottom - 20) return [];
        const seen = document.elementFromPoint(x, y);
        return a.closest("li").contains(seen) ? [] : [`${a.textContent.slice(0, 30)} is under ${seen?.className}`];
      }), size[0] < 1100), []));
      if (size[0] < 1100) continue;
      await results.nth(1).click(); // and it can be clicked
      await page.waitForURL((u) => u.searchParams.get("doc") && !u.searchParams.get("doc").startsWith("film-051"));
    }
  });
}

test("the facets stay where they are beside an explanation, and the menu closes by itself", async (t) => {
  let page = await s.open(t, find("dog AND NOT ball"), wide);
  const before = await value(page, /^photo/).boundingBox();
  await page.locator(".hits a.hit").first().click();
  await page.locator(".inspector .verdict").first().waitFor();
  const after = await value(page, /^photo/).boundingBox();
  assert.ok(Math.abs(after.width - before.width) < 2, JSON.stringify([before, after]));
  await page.locator(".inspector").getByRole("button", { name: /^Not like this/ }).click();
  await page.waitForURL((u) => u.searchParams.get("q").includes("NOT like:"));

  page = await s.open(t, find("dog AND NOT ball"), { size: [1100, 800] });
  await page.locator(".narrow summary").click();
  await value(page, /^photo/).waitFor();
  await page.locator(".hits a.hit").last().click(); // outside of it
  await page.locator(".facets").waitFor({ state: "detached" });
});

test("a collection without fields has nothing to narrow by", async (t) => {
  await ask(s.url, "/v1/collections", { name: "bare" });
  await ask(s.url, "/v1/collections/bare/documents", [{ id: "a", text: "A dog." }, { id: "b", text: "A cat." }]);
  const page = await s.open(t, find("dog", "&c=bare"), wide);
  await shown(page);
  await eventuallyEqual(() => page.locator(".narrow").count(), 0);
  await eventuallyEqual(() => page.getByRole("button", { name: "More results" }).count(), 0); // there are two
});

test("more results are those of one larger search", async (t) => {
  const page = await s.open(t, find("dog AND NOT ball", "&c=demo&k=5"), wide);
  await shown(page);
  const asked = [];
  page.on("request", (r) => r.url().endsWith("/search") && r.postDataJSON().offset && asked.push(r.postDataJSON().offset));
  const { hits } = await ask(s.url, "/v1/collections/demo/search", { query: "dog AND NOT ball", k: 15 });
  for (const n of [10, 15]) {
    await page.getByRole("button", { name: "More results" }).click();
    await page.waitForFunction((want) => document.querySelectorAll(".hits > li").length === want, n);
  }
  await eventuallyEqual(() => order(page), hits.map((h) => h.id));
  assert.deepEqual(asked, [5, 10]);
  await eventuallyEqual(() => page.locator(".rank").allInnerTexts(), hits.map((h) => String(h.rank)));
  // Another search begins at the beginning.
  await box(page).fill("cat");
  await box(page).press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".hits > li").length === 5);
});
