import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, eventually, eventuallyEqual, find, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const query = "dog AND NOT ball";
const shown = (page) => page.locator(".hits > li").first().waitFor();
const fold = (page) => page.getByRole("button", { name: /^For study/ });
const inAddress = (page) => new URL(page.url()).searchParams.get("study");

test("what is for study is folded by default, opened by one button, and remembered", async (t) => {
  const page = await s.open(t, find(query));
  await shown(page);
  await eventuallyEqual(() => page.getByRole("slider").count(), 0);
  await eventuallyEqual(() => page.getByRole("navigation", { name: "Views" }).getByRole("link").allInnerTexts(), ["Results", "Compare"]);
  const text = await page.locator("main").evaluate((main) => (main.querySelectorAll(".snippet, h2").forEach((e) => e.remove()), main.innerText));
  for (const word of ["gate", "Gate", "Δ", "Pool", "fusion", "strings to encode", "Noise", "profile"]) assert.ok(!text.includes(word), word);

  await page.reload();
  await fold(page).click();
  await page.getByRole("slider", { name: "NOT: weight of the penalty" }).waitFor();
  await eventuallyEqual(() => fold(page).getAttribute("aria-expanded"), "true");
  await eventuallyEqual(() => page.getByRole("navigation", { name: "Views" }).getByRole("link").allInnerTexts(), ["Results", "Compare", "Map", "Orders"]);
  await page.getByText("4 strings to encode").waitFor();
  await eventually(async () => assert.ok(await page.locator(".hits .delta").count() > 0));
  await eventuallyEqual(() => inAddress(page), "open");

  await page.goto(s.url + find("cat"));
  await page.getByRole("slider").first().waitFor();
  await page.getByRole("link", { name: "Map" }).click();
  await fold(page).click();
  await shown(page); // a view that is for study goes with the fold
  await eventuallyEqual(() => page.getByRole("slider").count(), 0);
  await eventuallyEqual(() => inAddress(page), null);
  await page.goto(s.url + find(query));
  await shown(page);
  await eventuallyEqual(() => page.getByRole("slider").count(), 0);
});

test("what an address has changed is seen, and not forgotten in the fold", async (t) => {
  for (const rest of ["&not=2", "&mode=rerank", "&view=map", "&study=open"]) {
    const page = await s.open(t, find(query, rest));
    await page.getByRole("slider").first().waitFor();
  }
  const page = await s.open(t, find(query, "&not=2"));
  await fold(page).click();
  await eventuallyEqual(() => page.getByRole("button", { name: "For study: changed" }).count(), 1);
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("not"), "2");
});

test("the explanation begins with what was found, and has its numbers folded", async (t) => {
  const page = await s.open(t, find(query, "&doc=photo-018"));
  const why = page.getByRole("complementary", { name: "Why" });
  await why.getByText("What was found").waitFor();
  await eventuallyEqual(() => why.locator(".rule").first().isVisible(), false);
  const made = (await why.locator(".made").innerText()).split(/\s*\n\s*/);
  assert.deepEqual(made.filter((_, i) => i % 2 === 0), ["by meaning", "by words", "score"]);
  const [meaning, words, score] = made.filter((_, i) => i % 2 === 1).map((v) => Number(v.replace(/[=+ ]/g, "").replace("−", "-")));
  assert.ok(Math.abs(meaning + words - score) < 0.002, String(made));
  await why.getByText("How the score was computed").click();
  await why.getByText("Noise floor").first().waitFor();
});

test("every number of a result says what it is", async (t) => {
  const page = await s.open(t, find(query, "&study=open"));
  await shown(page);
  const dumb = await page.evaluate(() => [...document.querySelectorAll(".hits > li *")]
    .filter((e) => !e.children.length && /^[▲▼+−]?\s*[\d.]+( %)?$/.test(e.textContent.trim()) && !e.closest(".snippet, .chip, mark, h2"))
    .filter((e) => !e.closest("[title]")).map((e) => e.outerHTML));
  assert.deepEqual(dumb, []);
});

test("a page has one heading of the first order, and landmarks", async (t) => {
  for (const [path, heading] of [["/", "Search by meaning, with AND, OR and NOT that work"], [find(query), `Results for ${query}`]]) {
    const page = await s.open(t, path);
    await box(page).waitFor();
    await eventuallyEqual(() => page.getByRole("heading", { level: 1 }).allInnerTexts(), [heading]);
    for (const role of ["banner", "main", "search"]) await eventuallyEqual(() => page.getByRole(role).count(), 1, role);
  }
});
