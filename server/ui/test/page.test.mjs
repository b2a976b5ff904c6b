import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, eventually, eventuallyEqual, find, order, start, study } from "./harness.mjs";
import { contrast, unnamed } from "./look.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const query = "dog AND NOT ball";
const states = {
  home: "/",
  results: find(query, "&doc=photo-011"),
  study: find(query, "&doc=photo-011" + study),
  floors: find("(beach OR lake) AND sunset", "&doc=photo-001&gate=0.5"),
  compare: find(query, "&view=compare"),
  map: find(query, "&view=map&doc=photo-011"),
  deltas: find("dog AND ball", "&view=deltas"),
  paper: find(query, "&profile=paper"), // which knows no probabilities
};
const ready = (page) => page.locator(".examples li, .hits > li, .compare li, .dots circle, .series").first().waitFor();

test("the whole page is used by keys", async (t) => {
  const page = await s.open(t, find(query));
  await ready(page);
  const focused = () => page.evaluate(() => document.activeElement.closest("[data-id]")?.dataset.id ?? document.activeElement.tagName);
  const ids = await order(page);
  await page.keyboard.press("/");
  await eventuallyEqual(focused, "TEXTAREA");
  await page.keyboard.press("Escape");
  for (const [key, want] of [["j", ids[0]], ["j", ids[1]], ["j", ids[2]], ["k", ids[1]]]) {
    await page.keyboard.press(key);
    await eventuallyEqual(focused, want);
  }
  await page.keyboard.press("Enter");
  await page.locator(".inspector .verdict").first().waitFor();
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("doc"), ids[1]);
  await page.keyboard.press("Escape");
  await page.locator(".inspector").waitFor({ state: "detached" });
  await eventuallyEqual(focused, ids[1]);
  for (const [key, view] of [["2", "compare"], ["3", "map"], ["4", "deltas"], ["1", null]]) {
    await page.keyboard.press(key);
    await page.waitForURL((u) => u.searchParams.get("view") === view);
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await page.keyboard.press("Escape");
  // In the box they are letters.
  await box(page).fill("");
  await box(page).pressSequentially("j?/2");
  await eventuallyEqual(() => box(page).inputValue(), "j?/2");
});

test("the focus is always seen", async (t) => {
  const page = await s.open(t, states.map);
  await ready(page);
  const seen = new Set();
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab");
    const [what, visible] = await page.evaluate(() => {
      const e = document.activeElement, shows = (x) => x && getComputedStyle(x).outlineStyle !== "none" && parseFloat(getComputedStyle(x).outlineWidth) >= 2;
      return [e.tagName + e.className.baseVal + (e.getAttribute("aria-label") ?? e.textContent.slice(0, 20)), shows(e) || shows(e.nextElementSibling) || shows(e.closest(".box")) || e === document.body];
    });
    assert.ok(visible, what);
    seen.add(what);
  }
  assert.ok(seen.size > 15, [...seen].join("\n"));
});

test("every control has a name", async (t) => {
  for (const path of Object.values(states)) {
    const page = await s.open(t, path);
    await ready(page);
    await eventuallyEqual(() => page.evaluate(unnamed), [], path);
  }
});

for (const scheme of ["light", "dark"]) {
  test(`contrast is enough in ${scheme}`, async (t) => {
    for (const [name, path] of Object.entries(states)) {
      const page = await s.open(t, path, { scheme, size: [1600, 1000] });
      await ready(page);
      if (path.includes("doc=")) await page.locator(".inspector .verdict").first().waitFor();
      const seen = await page.evaluate(contrast);
      assert.ok(seen.count > 10, name);
      assert.deepEqual(seen.low, [], name);
    }
    const page = await s.open(t, "/", { scheme });
    for (const button of [/Help/, /^Collection/]) {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").waitFor();
      await eventuallyEqual(async () => (await page.evaluate(contrast)).low, []);
      await page.keyboard.press("Escape");
    }
  });
}

test("the theme follows the system or the switch", async (t) => {
  const page = await s.open(t, "/", { scheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: /Colours: as the system/ }).click();
  await page.getByRole("button", { name: /Colours: light/ }).waitFor();
  const light = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  await page.getByRole("button", { name: /Colours: light/ }).waitFor();
  await eventuallyEqual(ground, light);
  await page.getByRole("button", { name: /Colours: light/ }).click();
  await eventuallyEqual(ground, dark);
});

for (const size of [[390, 844], [768, 1024], [1600, 1000]]) {
  test(`it fits ${size.join(" by ")}`, async (t) => {
    for (const path of Object.values(states)) {
      const page = await s.open(t, path, { size });
      await ready(page);
      if (path.includes("doc=")) await page.locator(".inspector .verdict").first().waitFor();
      const wide = await page.evaluate(() => {
        const clips = (e) => e.tagName !== "MAIN" && (getComputedStyle(e).overflowX !== "visible" || clips(e.parentElement));
        return [...document.querySelectorAll("main *")]
          .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !clips(e.parentElement))
          .map((e) => e.outerHTML.slice(0, 120));
      });
      assert.deepEqual(wide, [], path);
      await eventually(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path));
    }
  });
}

test("on a phone the explanation is a sheet", async (t) => {
  const page = await s.open(t, find(query), { size: [390, 844] });
  await ready(page);
  await page.locator(".hits a").first().click();
  await page.locator(".inspector .verdict").first().waitFor();
  const sheet = await page.locator(".inspector").boundingBox();
  assert.ok(sheet.width >= 380 && sheet.y > 100 && sheet.y + sheet.height <= 845, JSON.stringify(sheet));
  await page.getByRole("button", { name: "Close the explanation" }).click();
  await page.locator(".inspector").waitFor({ state: "detached" });
});

test("an address is the state, and back and forward go through it", async (t) => {
  const page = await s.open(t, find(query, "&view=compare&k=5&not=2&mode=rerank"));
  await page.locator(".compare li").first().waitFor();
  await eventuallyEqual(() => box(page).inputValue(), query);
  await eventuallyEqual(() => page.getByRole("slider", { name: "NOT: weight of the penalty" }).inputValue(), "2");
  await eventuallyEqual(() => page.locator(".compare ol").last().locator("li").count(), 5);
  await box(page).fill("cat");
  await box(page).press("Enter");
  await page.waitForURL((u) => u.searchParams.get("q") === "cat");
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await page.locator(".hits a").first().click();
  await page.locator(".inspector").waitFor();
  const shared = page.url();
  for (const q of ["cat", "cat", query]) {
    await page.goBack();
    await page.waitForFunction((want) => new URLSearchParams(location.search).get("q") === want, q);
  }
  await page.waitForFunction((want) => document.querySelector(".editor textarea").value === want, query);
  await page.goForward();
  await page.waitForFunction(() => document.querySelector(".editor textarea").value === "cat");
  const other = await s.open(t, shared.slice(s.url.length));
  await other.locator(".inspector .verdict").first().waitFor();
});

test("what is proven is said", async (t) => {
  const page = await s.open(t, find(query, "&mode=hybrid"));
  await ready(page);
  await eventually(async () => assert.match(await page.locator(".status [role=status]").innerText(), /^hybrid · (\d+ of )?549 documents ranked · proven$/));
  await page.locator(".timings summary").click();
  await eventually(async () => assert.match(await page.locator(".timings").innerText(), /the first 10 are exact, \d+ of 549 documents read/i));
});
