import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, box, eventually, eventuallyEqual, find, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const sentence = "photos of dogs without leashes";
const parameter = (page, name) => new URL(page.url()).searchParams.get(name);
const listed = (query, nl) => ask(s.url, "/v1/collections/demo/search", { query, nl, k: 10 }).then((a) => a.hits.map((h) => h.id));

test("a sentence is read, and one key takes it back", async (t) => {
  const page = await s.open(t);
  await box(page).fill(sentence);
  await page.getByText("read as: dogs AND NOT leashes").waitFor();
  await box(page).press("Enter");
  await page.locator(".hits li").first().waitFor();
  await eventuallyEqual(() => parameter(page, "q"), sentence);
  await eventuallyEqual(() => parameter(page, "nl"), null);
  assert.deepEqual(await order(page), await listed("dogs AND NOT leashes kind:photo"));
  await page.getByText("read as: dogs AND NOT leashes kind:photo").waitFor(); // what the collection adds
  await page.getByText("the query asks for photos: only documents with kind:photo are searched").waitFor();

  await page.getByText("Why", { exact: true }).click();
  await eventually(async () => assert.match(await page.locator(".read ul").innerText(), /leashes/));

  await box(page).press("Escape");
  await page.getByText("Searched as it is written.").waitFor();
  await eventuallyEqual(() => parameter(page, "nl"), "off");
  const plain = await listed(sentence, "off");
  await page.waitForFunction((want) => [...document.querySelectorAll(".hits li")].map((e) => e.dataset.id).join() === want, plain.join());
  await eventuallyEqual(() => box(page).inputValue(), sentence);

  const other = await s.open(t, page.url().slice(s.url.length)); // the address holds it
  await other.getByText("Searched as it is written.").waitFor();
  await other.getByRole("button", { name: /^Read it as/ }).click();
  await other.getByText("read as: dogs AND NOT leashes").waitFor();
  await other.waitForURL((u) => !u.searchParams.has("nl"));
});

test("the button takes it back, from anywhere on the page Escape too", async (t) => {
  const page = await s.open(t, find(sentence));
  await page.locator(".hits li").first().waitFor();
  await page.getByRole("button", { name: /^Search the words as they are/ }).click();
  await page.waitForURL((u) => u.searchParams.get("nl") === "off");
  await page.goBack();
  await page.getByText("read as: dogs AND NOT leashes").waitFor();
  await page.locator(".hits li a").first().focus();
  await page.keyboard.press("Escape");
  await page.waitForURL((u) => u.searchParams.get("nl") === "off");
});

test("one goes on with the formula", async (t) => {
  const page = await s.open(t);
  await box(page).fill(sentence);
  await page.getByText("read as: dogs AND NOT leashes kind:photo").waitFor();
  await box(page).press("Control+Enter");
  await page.waitForURL((u) => u.searchParams.get("q") === "dogs AND NOT leashes kind:photo");
  await eventuallyEqual(() => box(page).inputValue(), "dogs AND NOT leashes kind:photo");
  await eventuallyEqual(() => page.locator(".read").count(), 0);
});

test("what is typed next is read again", async (t) => {
  const page = await s.open(t, find(sentence, "&nl=off"));
  await page.getByText("Searched as it is written.").waitFor();
  await box(page).fill("cats or kittens, excluding cartoons");
  await page.getByText("read as: (cats OR kittens) AND NOT cartoons").waitFor();
  await box(page).press("Enter");
  await page.waitForURL((u) => !u.searchParams.has("nl"));
});

test("words and formulas are left as they are", async (t) => {
  const page = await s.open(t);
  for (const q of ["golden retriever", "dogs without AND leashes on"]) {
    await box(page).fill(q);
    await page.locator(".outline .part").first().waitFor();
    await eventuallyEqual(() => page.locator(".read").count(), 0, q);
  }
});
