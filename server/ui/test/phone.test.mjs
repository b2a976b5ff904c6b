import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, eventually, find, start, study } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const size = [390, 844];
const shown = (page) => page.locator(".hits > li").first().waitFor();

test("on a phone results begin in the first third of the screen", async (t) => {
  for (const query of ["dog", "dog AND NOT ball", "(beach OR lake) AND sunset AND NOT people", "dogs without leashes"]) {
    const page = await s.open(t, find(query), { size });
    await shown(page);
    await page.locator(".outline, .read").first().waitFor({ state: "attached" });
    const { y } = await page.locator(".hits > li").first().boundingBox();
    assert.ok(y <= size[1] / 3, `${query}: ${y}`);
  }
});

test("on a phone nothing scrolls sideways, and all can be hit with a finger", async (t) => {
  const help = (page) => page.getByRole("button", { name: "Help" }).click();
  const library = (page) => page.getByRole("button", { name: /^Collection/ }).click();
  const whole = async (page) => (await page.locator(".verdict").first().waitFor(), await page.getByText("How the score was computed").click());
  const found = [];
  for (const [path, act] of [
    ["/"], ["/", help], ["/", library], [find("dog AND NOT ball")], [find("dogs without leashes")], [find("dog", "&doc=photo-018"), whole],
    [find("dog AND NOT ball", study)], [find("dog AND NOT ball", "&view=compare")], [find("dog AND NOT ball", "&view=map")],
  ]) {
    const page = await s.open(t, path, { size });
    await box(page).waitFor();
    if (path !== "/") await page.locator(".hits > li, .compare li, .dots circle").first().waitFor();
    else await page.locator(".examples li").first().waitFor();
    await act?.(page);
    await eventually(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path));
    const small = await page.evaluate(() => {
      const all = [...document.querySelectorAll("a, button, select, summary, input, textarea")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("[inert]"));
      // A link in a sentence is as high as its line; a card is hit anywhere.
      const inText = (e) => e.matches("p > a, .hits a.hit") || (e.matches("input") && e.closest("label"));
      return all.filter((e) => !inText(e)).map((e) => [e.getBoundingClientRect(), e]).filter(([b]) => b.width && (b.height < 40 || b.width < 40))
        .map(([b, e]) => `${Math.round(b.width)} × ${Math.round(b.height)} ${e.outerHTML.slice(0, 120)}`);
    });
    found.push(...small.map((e) => `${path} ${act?.name ?? ""}: ${e}`));
  }
  assert.deepEqual(found, []);
});
