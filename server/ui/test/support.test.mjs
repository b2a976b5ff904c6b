import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, eventually, eventuallyEqual, find, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

test("nonsense finds nothing, and the nearest are shown on request", async (t) => {
  const page = await s.open(t, find("xqzzt blorf"));
  const all = page.getByRole("button", { name: "Show them" });
  await all.waitFor();
  assert.deepEqual(await order(page), []);
  await all.click();
  await eventually(async () => assert.equal((await order(page)).length, 10));
  await page.waitForURL((u) => u.searchParams.get("all") === "on");
  // The next query is asked as usual.
  await box(page).fill("blorf xqzzt");
  await box(page).press("Enter");
  await eventuallyEqual(() => order(page), []);
});

test("a misspelled word is corrected by a click, never by itself", async (t) => {
  const page = await s.open(t, find("cahrcoal grill"));
  const meant = page.getByRole("button", { name: "charcoal grill", exact: true });
  await meant.waitFor();
  assert.equal(await box(page).inputValue(), "cahrcoal grill");
  await meant.click();
  await eventuallyEqual(() => box(page).inputValue(), "charcoal grill");
  await eventually(async () => assert.ok((await order(page)).includes("product-086")));
  await meant.waitFor({ state: "detached" });
});
