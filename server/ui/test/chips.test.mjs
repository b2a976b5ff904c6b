import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, box, eventually, eventuallyEqual, find, module, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const shown = (page) => page.locator(".outline .part").evaluateAll((all) => all.map((e) => [...e.querySelectorAll("b, button:not(.remove)")].map((x) => x.textContent).join(" ")));
const asked = (page, q) => page.waitForFunction((want) => new URLSearchParams(location.search).get("q") === want && document.querySelector(".editor textarea").value === want && !document.querySelector(".editor [inert]"), q);

test("a formula is changed by its chips", async (t) => {
  const page = await s.open(t, find("dog AND ball"));
  await page.getByRole("button", { name: "Exclude ball" }).click();
  await asked(page, "dog AND NOT ball");
  await eventuallyEqual(() => shown(page), ["dog", "not about ball"]);
  await eventuallyEqual(() => page.getByRole("button", { name: "Exclude ball" }).getAttribute("aria-pressed"), "true");

  await page.getByRole("combobox", { name: "Weight of dog" }).selectOption("2");
  await asked(page, "dog^2 AND NOT ball");

  await page.getByRole("textbox", { name: "Add to the formula" }).fill("puppy");
  await page.getByRole("combobox", { name: "How to add it" }).selectOption("or");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await asked(page, "(dog^2 OR puppy) AND NOT ball");

  await page.getByRole("combobox", { name: "How to add it" }).selectOption("and");
  await page.getByRole("textbox", { name: "Add to the formula" }).fill("year:>=2010");
  await page.getByRole("textbox", { name: "Add to the formula" }).press("Enter");
  await asked(page, "(dog^2 OR puppy) AND NOT ball AND year:>=2010");

  await page.getByRole("button", { name: "any of" }).click();
  await asked(page, "NOT (dog^2 OR puppy) AND NOT ball AND year:>=2010");
  await page.getByRole("button", { name: "NOT any of" }).click();

  await page.getByRole("button", { name: "Remove dog" }).click();
  await asked(page, "puppy AND NOT ball AND year:>=2010");
  await page.getByRole("button", { name: "Remove ball" }).click();
  await asked(page, "puppy AND year:>=2010");
  await page.locator(".hits li").first().waitFor();
});

test("what is added is one part, whatever is in it", async (t) => {
  const page = await s.open(t, find("dog"));
  for (const [typed, want] of [["red car", "dog AND red car"], ["to be OR not", 'dog AND red car AND "to be OR not"'], ['a "quoted\\', 'dog AND red car AND "to be OR not" AND "a \\"quoted\\\\"']]) {
    await page.getByRole("textbox", { name: "Add to the formula" }).fill(typed);
    await page.getByRole("textbox", { name: "Add to the formula" }).press("Enter");
    await asked(page, want);
  }
});

test("chips follow the text, and there are none where it is not clear", async (t) => {
  const page = await s.open(t);
  await box(page).fill("dog -leash year:2015");
  await page.getByRole("button", { name: "Exclude year:2015" }).waitFor();
  await eventuallyEqual(() => shown(page), ["dog", "not about leash", "year:2015"]);
  await box(page).fill("a OR b AND c");
  await page.locator(".outline").waitFor({ state: "detached" });
  await box(page).fill("photos of dogs without leashes");
  await page.getByRole("button", { name: "Exclude leashes" }).click();
  await asked(page, "dogs AND leashes"); // of a sentence, the formula goes on
});

test("chips are reached and used by keys", async (t) => {
  const page = await s.open(t, find("dog AND ball"));
  await page.getByRole("button", { name: "Exclude dog" }).focus();
  for (const name of ["Weight of dog", "Remove dog", "Exclude ball"]) {
    await page.keyboard.press("Tab");
    await eventuallyEqual(() => page.evaluate(() => document.activeElement.getAttribute("aria-label")), name);
  }
  await page.keyboard.press("Space");
  await asked(page, "dog AND NOT ball");
});

test("a hit is an example of what is wanted, or is not", async (t) => {
  const page = await s.open(t, find("dogs without leashes", "&c=demo"));
  await page.locator(".hits li").first().waitFor();
  const [first, second] = await order(page);
  const like = async (id, name) => {
    await page.locator(`.hits [data-id="${id}"]`).hover();
    await page.locator(`.hits [data-id="${id}"]`).getByRole("button", { name }).click();
  };
  await like(first, /^More like/);
  await asked(page, `dogs AND NOT leashes AND like:${first}`);
  const title = await page.locator(`.hits [data-id="${first}"] .title, .hits [data-id="${first}"] .lead`).first().innerText();
  await page.getByRole("button", { name: `Exclude like ${title.slice(0, 15)}` }).waitFor();
  await page.locator(`.hits [data-id="${first}"] .evidence`, { hasText: `like ${title.slice(0, 15)}` }).waitFor(); // not its id
  await like(second, /^Not like/);
  await asked(page, `dogs AND NOT leashes AND like:${first} AND NOT like:${second}`);
  await like(first, /^Not like/);
  await asked(page, `dogs AND NOT leashes AND NOT like:${first} AND NOT like:${second}`);
});

test("a long text that is pasted is an example", async (t) => {
  const page = await s.open(t, "/?c=demo");
  const text = "A dog runs along the beach, and nobody holds a \"leash\".\n\n".repeat(8);
  const paste = (text) => box(page).evaluate((area, text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    const e = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    area.dispatchEvent(e);
    return e.defaultPrevented;
  }, text);
  assert.equal(await paste("dog AND NOT ball"), false); // the browser's own way
  assert.equal(await paste(text), true);
  await eventually(async () => assert.match(await box(page).inputValue(), /^example:"A dog runs .* \\"leash\\"\."$/));
  await box(page).press("Enter");
  await page.locator(".outline .part").first().waitFor();
  await eventually(async () => assert.match((await shown(page))[0], /^like “A dog runs along/));
  await box(page).press("End");
  assert.equal(await paste(text), false); // beside what is there it is text
});

test("a text is added as an example that is not wanted", async (t) => {
  const page = await s.open(t, find("dog", "&c=demo"));
  await page.getByRole("button", { name: "by example" }).click();
  await page.getByRole("combobox", { name: "How to add it" }).selectOption("not");
  await page.getByRole("textbox", { name: "Text to add as an example" }).fill("A retriever swims after a ball");
  await page.keyboard.press("Enter");
  await asked(page, 'dog AND NOT example:"A retriever swims after a ball"');
  await page.locator(".hits li").first().waitFor();
});

test("one click switches an exclusion between soft and hard", async (t) => {
  await ask(s.url, "/v1/collections", { name: "walks" });
  await ask(s.url, "/v1/collections/walks/documents", [
    { id: "walk", title: "Dogs", text: "A dog walks in the park." }, { id: "lead", title: "Dogs on leads", text: "A dog walks on a leash." }, { id: "tea", text: "Tea with milk." },
  ]);
  const page = await s.open(t, find("dog AND NOT leash", "&c=walks"));
  await page.locator('.hits [data-id="lead"]').waitFor(); // ranked lower, but not gone
  await page.getByRole("button", { name: "not about leash: change to does not mention" }).click();
  await asked(page, "dog AND NOT text:leash");
  await eventuallyEqual(() => shown(page), ["dog", "does not mention leash"]);
  await page.locator('.hits [data-id="lead"]').waitFor({ state: "detached" });
  await page.getByRole("button", { name: "does not mention leash: change to not about" }).click();
  await asked(page, "dog AND NOT leash");
  await page.locator('.hits [data-id="lead"]').waitFor();

  // A condition alone finds nothing, so there is no hard form of the only part.
  await box(page).fill("NOT leash");
  await eventuallyEqual(() => shown(page), ["NOT leash"]);
});

test("at least k is a group of its own", async (t) => {
  const page = await s.open(t, find("2 OF (dog, ball, beach) AND grass", "&c=demo"));
  await page.getByRole("button", { name: "Remove beach" }).click();
  await asked(page, "2 OF (dog, ball) AND grass");
  await page.getByRole("button", { name: "2 of" }).click();
  await asked(page, "NOT 2 OF (dog, ball) AND grass");
});

test("an exclusion has two forms", async () => {
  const { otherForm, written } = await module("outline.ts");
  for (const [name, text, hard] of [
    ["leash", "leash", "NOT text:leash"], ["tennis ball", "tennis ball", 'NOT text:"tennis ball"'], ['a "b" \\', '"a \\"b\\" \\\\"', 'NOT text:"a \\"b\\" \\\\"'], ["to be OR not", '"to be OR not"', 'NOT text:"to be OR not"'],
  ]) {
    const soft = { kind: "atom", name, text, negated: true };
    assert.equal(written([otherForm(soft)]), hard);
    assert.deepEqual(otherForm(otherForm(soft)), soft);
  }
  assert.equal(otherForm({ kind: "predicate", text: "year:2015", negated: true }), undefined);
  assert.equal(otherForm({ kind: "like", name: "x", text: "like:x", negated: true }), undefined);
});

test("parts become text again", async () => {
  const { written, changed, added } = await module("outline.ts");
  const a = { kind: "atom", text: "a" }, b = { kind: "atom", text: "b", weight: 2 }, c = { kind: "atom", text: "c", negated: true };
  const any = { kind: "group", parts: [a, c] }, two = { kind: "group", least: 2, parts: [a, b, c] };
  assert.equal(written([a, b, c]), "a AND b^2 AND NOT c");
  assert.equal(written([any]), "a OR NOT c");
  assert.equal(written([{ ...any, negated: true }]), "NOT (a OR NOT c)");
  assert.equal(written([two]), "2 OF (a, b^2, NOT c)");
  assert.equal(written([{ ...two, parts: [a, { kind: "atom", text: "b,c", name: "b,c" }] }]), '2 OF (a, "b,c")');
  assert.equal(written([two, a]), "2 OF (a, b^2, NOT c) AND a");
  assert.equal(written(changed([two], [0, 1])), "2 OF (a, NOT c)");
  assert.equal(written(changed([{ ...any, negated: true }, b], [0, 0])), "c AND b^2"); // NOT NOT c
  assert.equal(written(added([any, c], b, "or")), "(a OR NOT c OR b^2) AND NOT c");
  assert.equal(written(added([c], a, "or")), "NOT c AND a");
  assert.equal(written([]), "");
});
