import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, eventuallyEqual, find, module, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const wrong = (page) => page.locator(".reading .bad");
// type changes the text and waits until the server has read it.
async function type(page, text) {
  const read = page.waitForResponse((r) => r.url().endsWith("/v1/parse") && r.request().postDataJSON().query === text);
  await box(page).fill(text);
  await page.clock.runFor(100);
  await read;
  await page.waitForFunction((t) => document.querySelector(".editor .ink").textContent.startsWith(t), text);
}
const hasty = { before: (page) => page.clock.install() }; // the clock of the page can be put on
const standing = { before: (page) => page.clock.install({ time: 0 }).then(() => page.clock.pauseAt(1000)) }; // and goes only then

test("an unfinished formula is quiet, and the last good results stay", async (t) => {
  const page = await s.open(t, find("dog AND NOT ball"), hasty);
  await page.clock.runFor(1000);
  await page.locator(".hits > li").first().waitFor();
  const before = await order(page);
  for (const text of ["dog AND", "dog AND (cat", 'dog AND "red ca', "dog AND (", "dog year:", "dog^", "NOT"]) {
    await type(page, text);
    await page.clock.runFor(10_000);
    await eventuallyEqual(() => wrong(page).count(), 0, text);
    await eventuallyEqual(() => page.locator(".box.wrong, .ink .mark").count(), 0, text);
    await eventuallyEqual(() => order(page), before, text);
  }
  await box(page).press("Enter");
  await wrong(page).waitFor();
  await eventuallyEqual(() => box(page).getAttribute("aria-invalid"), "true");
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("q"), "dog AND NOT ball");
  await eventuallyEqual(() => order(page), before);
  // What is typed next is not told off for it.
  await type(page, "NOT c");
  await eventuallyEqual(() => wrong(page).count(), 0);
});

test("an address with a mistake says so at once", async (t) => {
  const page = await s.open(t, find("dog AND"), { expected: /400/ });
  await wrong(page).getByText("After AND a word or a group is needed").waitFor();
});

test("mistakes are told apart, and put plainly", async () => {
  const { isUnfinished, inPlainWords } = await module("mistake.ts");
  for (const [text, offset, want] of [
    ["dog AND", 7, true], ["dog AND ", 7, true], ["dog AND (cat", 8, true], ['é "red', 3, true], ["dog AND OR cat", 8, false], ["dog ) cat", 4, false],
  ]) assert.equal(isUnfinished(text, { offset, length: 0, message: "" }), want, text);
  assert.equal(inPlainWords("expected an atom, a predicate or (, found )"), "Here a word or a group is needed, and ) stands there.");
  assert.equal(inPlainWords("found ) without a ( before it"), "Found ) without a ( before it.");
});

// It is the last: the clock is that of all pages.
test("a mistake is told after a pause, in plain words and at its place", async (t) => {
  const page = await s.open(t, "/", standing);
  await type(page, "dog AND OR cat");
  await page.clock.runFor(300);
  await eventuallyEqual(() => wrong(page).count(), 0);
  while (!(await wrong(page).count())) await page.clock.runFor(1000);
  await eventuallyEqual(() => wrong(page).innerText(), "At character 9: After AND a word or a group is needed, and OR stands there.");
  await eventuallyEqual(() => page.locator(".ink .mark").innerText(), "OR");
});
