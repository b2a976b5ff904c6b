import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, eventually, eventuallyEqual, find, order, start, study } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const query = "dog AND NOT ball";
const shown = (page) => page.locator(".hits > li").first().waitFor();

async function set(page, name, value) {
  await page.getByRole("slider", { name }).evaluate((e, v) => {
    e.value = v;
    e.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(value));
}

const ranked = (logic) => ask(s.url, "/v1/collections/demo/search", { query, k: 10, logic }).then((a) => a.hits.map((h) => h.id));

async function becomes(page, want) {
  await page.waitForFunction((ids) => [...document.querySelectorAll(".hits > li")].map((li) => li.dataset.id).join() === ids, want.join());
}

test("sliders rank again", async (t) => {
  const page = await s.open(t, find(query, study));
  await shown(page);
  const plain = await order(page);
  const none = await ranked({ c_not: 0 });
  assert.notDeepEqual(none, plain);
  await set(page, "NOT: weight of the penalty", 0);
  await becomes(page, none);
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("not"), "0");

  await page.getByRole("button", { name: "Reset" }).click();
  await becomes(page, plain);
  const strong = await ranked({ c_not: 3, gate: "off" });
  await set(page, "NOT: weight of the penalty", 3);
  await page.getByRole("radio", { name: "Off" }).check();
  await becomes(page, strong);
  const bound = await ranked({ c_not: 3, gate: 0.2 });
  await page.getByRole("radio", { name: "Bound" }).check();
  await set(page, "Bound of the gate", 0.2);
  await becomes(page, bound);
});

test("the floors can be switched off", async (t) => {
  const or = "comedy OR crime";
  const page = await s.open(t, find(or, "&k=100" + study));
  await shown(page);
  const want = (await ask(s.url, "/v1/collections/demo/search", { query: or, k: 100, logic: { no_floors: "or" } })).hits.map((h) => h.id);
  await page.getByLabel("OR, departure").uncheck();
  await page.waitForURL((u) => u.searchParams.get("nofloor") === "or");
  await becomes(page, want);
});

test("what has moved glides, unless motion is not wanted", async (t) => {
  for (const motion of ["no-preference", "reduce"]) {
    const page = await s.open(t, find(query, study), { motion });
    await shown(page);
    await page.evaluate(() => {
      const animate = Element.prototype.animate;
      window.glides = 0;
      Element.prototype.animate = function (...a) { window.glides++; return animate.apply(this, a); };
    });
    await set(page, "NOT: weight of the penalty", 0);
    await becomes(page, await ranked({ c_not: 0 }));
    const glides = await page.evaluate(() => window.glides);
    assert.equal(glides > 0, motion === "no-preference", `${motion}: ${glides}`);
  }
});

test("the map is ranked live as well", async (t) => {
  const page = await s.open(t, find(query, "&view=map"));
  await page.locator(".dots circle").first().waitFor();
  // The places of the ten best, which are drawn last.
  const best = (before) => {
    const now = [...document.querySelectorAll(".dots circle")].slice(-10).map((c) => c.getAttribute("cx")).join();
    return now !== before && now;
  };
  const before = await page.evaluate(best);
  await set(page, "NOT: weight of the penalty", 0);
  await page.waitForFunction(best, before);
});

test("mode, fusion, pool and count are asked for", async (t) => {
  const page = await s.open(t, find(query, study));
  await shown(page);
  let last;
  page.on("request", (r) => { if (/\/search$/.test(r.url())) last = r.postDataJSON(); });
  for (const [label, value, field, want] of [
    ["Mode", "hybrid", "mode", "hybrid"], ["Fusion", "contextual", "fusion", "contextual"], ["Pool", "union", "pool", "union"],
    ["Pool size", "100", "candidates", 100], ["Results", "20", "k", 20],
  ]) {
    const answered = page.waitForResponse((r) => /\/search$/.test(r.url()) && r.ok());
    await page.getByRole("combobox", { name: label, exact: true }).selectOption(value);
    await answered;
    assert.equal(last[field], want, label);
  }
  await page.waitForFunction(() => document.querySelectorAll(".hits > li").length === 20);
  await eventually(async () => assert.match(await page.locator(".status").innerText(), /hybrid/));
});

test("it tells what took how long, and why the mode", async (t) => {
  const page = await s.open(t, find(query));
  await shown(page);
  await page.locator(".timings summary").click();
  const text = await page.locator(".timings").innerText();
  for (const word of ["encode", "find", "rank", "ms", "exact: All 549 documents", "nsfl-builtin"]) assert.ok(text.includes(word), word);
});
