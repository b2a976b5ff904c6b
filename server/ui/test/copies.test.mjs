import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, eventually, eventuallyEqual, find, order, start, study } from "./harness.mjs";
import { contrast, unnamed } from "./look.mjs";

let s;
const terms = "The house is let to guests for a week at most, with linen and firewood. ".repeat(8);
const documents = [
  ...Array.from({ length: 30 }, (_, i) => ({ id: `terms-${String(i).padStart(2, "0")}`, title: "Terms", text: terms })),
  { id: "may", title: "Terms of May", text: terms + "Changed in May." },
  { id: "pets", text: "Guests of the house may bring a dog." },
  { id: "wood", text: "Firewood for guests is in the shed." },
  { id: "shed", text: "Firewood for guests is in the shed." },
];
before(async () => {
  s = await start();
  await ask(s.url, "/v1/collections", { name: "house" });
  await ask(s.url, "/v1/collections/house/documents", documents);
});
after(() => s?.stop());

const query = "guests AND firewood";
const inHouse = "&c=house";
const search = (body) => ask(s.url, "/v1/collections/house/search", { query, k: 10, ...body });
const card = (page, i) => page.locator(".hits > li").nth(i);

test("copies are one result, and are named when they are wanted", async (t) => {
  const page = await s.open(t, find(query, inHouse));
  await card(page, 0).waitFor();
  const { hits } = await search();
  await eventuallyEqual(() => order(page), hits.map((h) => h.id));
  const at = hits.findIndex((h) => h.title?.startsWith("Terms")), wood = hits.findIndex((h) => h.id === "wood");
  assert.equal(hits[at].copy_count, 30);
  await eventuallyEqual(() => page.locator(".copies").count(), 2);
  await eventuallyEqual(() => card(page, wood).locator(".copies summary").innerText(), "and a copy");
  const copies = card(page, at).locator(".copies");
  await eventuallyEqual(() => copies.locator("summary").innerText(), "and 30 copies");
  await eventuallyEqual(() => copies.locator("a").first().isVisible(), false);
  await copies.locator("summary").click();
  await eventuallyEqual(() => copies.locator(".id").allInnerTexts(), hits[at].copies.map((c) => c.id));
  await copies.getByText("and 10 more").waitFor();
  await eventuallyEqual(() => page.evaluate(unnamed), []);

  // A copy is explained like any other document.
  const id = hits[at].copies[2].id;
  await copies.getByText(id).click();
  await page.getByRole("article", { name: "Explanation of Terms" }).getByText(id).waitFor();
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("doc"), id);
});

test("all copies are shown where that is chosen", async (t) => {
  const page = await s.open(t, find(query, inHouse + "&k=50" + study));
  await card(page, 0).waitFor();
  await eventuallyEqual(async () => (await order(page)).length, 3);
  const choice = page.getByRole("switch", { name: "Show all copies" });
  await choice.check();
  await card(page, documents.length - 1).waitFor();
  await eventuallyEqual(() => page.locator(".copies").count(), 0);
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("copies"), "all");
  await page.reload();
  await card(page, documents.length - 1).waitFor();
  await choice.uncheck();
  await page.locator(".copies").first().waitFor();
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("copies"), null);
});

test("both lists of the comparison are folded, and joined", async (t) => {
  const page = await s.open(t, find(query, inHouse + "&view=compare"));
  const { hits, plain } = await search({ compare: true });
  for (const [name, list] of [["Plain retrieval", plain], ["With logic", hits]]) {
    const rows = page.getByRole("list", { name }).locator("li");
    await rows.first().waitFor();
    await eventuallyEqual(() => rows.count(), 3);
    await eventuallyEqual(() => rows.locator(".side i").allInnerTexts(), list.filter((h) => h.copy_count).map((h) => `+${h.copy_count}`));
  }
  await eventuallyEqual(() => page.locator(".compare path.in, .compare path.out").count(), 0);
});

for (const [size, scheme] of [[[1280, 860], "light"], [[390, 800], "dark"]]) {
  test(`copies are readable on a page of ${size[0]} points, ${scheme}`, async (t) => {
    const page = await s.open(t, find(query, inHouse), { size, scheme });
    await page.locator(".copies summary").first().click();
    const { low } = await page.evaluate(contrast);
    assert.deepEqual(low, []);
    await eventually(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window"));
  });
}
