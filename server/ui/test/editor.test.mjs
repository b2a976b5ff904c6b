import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, eventuallyEqual, find, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

// ink are the coloured stretches as [kind, text].
const ink = (page) => page.locator(".ink span").evaluateAll((all) =>
  all.filter((e) => e.textContent.trim()).map((e) => [e.className.trim(), e.textContent]));

test("a formula is coloured as it is typed", async (t) => {
  const page = await s.open(t);
  await box(page).pressSequentially('Hündin 🐕 AND NOT (ball^2 OR "red car") -like:photo-001 year:>=2015');
  await page.locator(".ink .predicate").waitFor();
  await eventuallyEqual(() => ink(page), [
    ["atom", "Hündin 🐕"], ["operator", "AND"], ["not", "NOT"], ["paren", "("], ["atom", "ball"], ["weight", "^2"],
    ["operator", "OR"], ["quoted", '"red car"'], ["paren", ")"], ["not", "-"], ["item", "like:photo-001"], ["predicate", "year:>=2015"],
  ]);
  const colours = await page.locator(".ink span[class]").evaluateAll((all) => new Set(all.map((e) => getComputedStyle(e).color)).size);
  assert.ok(colours >= 6, `${colours} colours`);
});

test("the colours lie exactly on the text", async (t) => {
  const page = await s.open(t, "/", { size: [390, 844] });
  await box(page).fill("one AND two OR three AND NOT four ".repeat(4).trim() + " AND five");
  await page.locator(".ink .operator").first().waitFor();
  const sizes = await page.evaluate(() => ["textarea", ".ink"].map((q) => {
    const e = document.querySelector(".editor " + q), c = getComputedStyle(e);
    return [e.clientWidth, e.scrollHeight, c.fontFamily, c.fontSize, c.lineHeight, c.paddingLeft, e.getBoundingClientRect().left].join();
  }));
  assert.equal(sizes[0], sizes[1]);
});

test("colours stay while the server is slow", async (t) => {
  const page = await s.open(t);
  await box(page).fill("dog AND ball");
  await page.locator(".ink .operator").waitFor();
  await page.route("**/v1/parse", () => {}); // no answer
  await box(page).press("Home");
  await box(page).pressSequentially("big ");
  await eventuallyEqual(async () => (await ink(page)).filter(([kind]) => kind === "operator"), [["operator", "AND"]]);
});

test("a syntax error is marked at its place and not searched", async (t) => {
  const page = await s.open(t, "/?study=open", { expected: /400/ }); // where Enter is quicker than the parser
  await box(page).fill("dog AND OR cat");
  await page.getByText("After AND a word or a group is needed, and OR stands there.").waitFor();
  await eventuallyEqual(() => page.locator(".ink .mark").innerText(), "OR");
  await eventuallyEqual(() => box(page).getAttribute("aria-invalid"), "true");
  await box(page).press("Enter");
  await eventuallyEqual(() => new URL(page.url()).searchParams.has("q"), false);

  await box(page).fill("dog AND");
  await box(page).press("Enter");
  await page.getByText("the query ends there").waitFor();
  await eventuallyEqual(() => page.locator(".ink .mark.gap").count(), 1);
  await box(page).fill("dog AND ball");
  await page.locator(".plan").waitFor();
  await page.locator(".ink .mark").waitFor({ state: "detached" });
});

test("the plan shows the strings that are encoded", async (t) => {
  const page = await s.open(t, "/?study=open");
  await box(page).fill("dog AND NOT leash");
  await page.getByText("4 strings to encode").waitFor();
  const strings = await page.locator(".plan li").allInnerTexts();
  assert.deepEqual(strings, ["dog", "leash", "dog AND leash", "dog AND NOT leash plain"]);
});

test("arrows walk through the queries of before", async (t) => {
  const page = await s.open(t);
  for (const q of ["dog", "cat", "horse"]) {
    await box(page).fill(q);
    await box(page).press("Enter");
    await page.waitForURL((u) => u.searchParams.get("q") === q);
  }
  await box(page).fill("half");
  const seen = [];
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"]) {
    await box(page).press(key);
    seen.push(await box(page).inputValue());
  }
  assert.deepEqual(seen, ["horse", "cat", "dog", "dog", "cat", "horse", "half"]);
});

test("what is typed is searched after a pause, and a search that is out of date is given up", async (t) => {
  const page = await s.open(t, "/?c=demo");
  const searches = [], given = [];
  const isSearch = (r) => r.url().endsWith("/search") && !r.postDataJSON().facets;
  page.on("request", (r) => isSearch(r) && searches.push(r.postDataJSON().query));
  page.on("requestfailed", (r) => isSearch(r) && given.push(r.postDataJSON().query));
  await box(page).pressSequentially("dog AND "); // unfinished
  await box(page).pressSequentially("ball");
  await page.waitForURL((u) => u.searchParams.get("q") === "dog AND ball");
  await page.locator(".hits > li").first().waitFor();
  assert.ok(!searches.includes("dog AND"), String(searches));
  await eventuallyEqual(() => box(page).evaluate((e) => e === document.activeElement), true);

  // No answer comes; typing goes on, and the request is cancelled.
  let hold = true;
  await page.route("**/search", (r) => (hold ? undefined : r.continue()));
  await box(page).pressSequentially(" AND grass");
  await eventuallyEqual(() => searches.at(-1), "dog AND ball AND grass");
  hold = false;
  await box(page).pressSequentially(" ");
  await eventuallyEqual(() => given.includes("dog AND ball AND grass"), true);
  await eventuallyEqual(() => box(page).inputValue(), "dog AND ball AND grass "); // nothing is taken away from who types
  await box(page).pressSequentially("AND NOT beach");
  await page.waitForURL((u) => u.searchParams.get("q") === "dog AND ball AND grass AND NOT beach");
  await page.getByRole("heading", { level: 1, name: "Results for dog AND ball AND grass AND NOT beach" }).waitFor({ state: "attached" });
  // All that was typed is one step back.
  await page.goBack();
  await page.locator(".examples").waitFor();
});

test("arrows, Enter, Escape and / go from the box through the results and back", async (t) => {
  const page = await s.open(t, find("dog AND NOT ball"));
  await page.locator(".hits > li").first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement.closest("[data-id]")?.dataset.id ?? document.activeElement.tagName);
  const ids = await order(page);
  await page.keyboard.press("/");
  await eventuallyEqual(focused, "TEXTAREA");
  for (const [key, want] of [["ArrowDown", ids[0]], ["ArrowDown", ids[1]], ["ArrowUp", ids[0]], ["ArrowUp", "TEXTAREA"], ["ArrowDown", ids[0]]]) {
    await page.keyboard.press(key);
    await eventuallyEqual(focused, want, key);
  }
  await page.keyboard.press("Enter");
  await page.locator(".inspector .verdict").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".inspector").waitFor({ state: "detached" });
  await eventuallyEqual(focused, ids[0]);
  await page.keyboard.press("Escape");
  await eventuallyEqual(focused, "TEXTAREA");
});

test("examples are of the collection's own words, and have results", async (t) => {
  const page = await s.open(t, "/?c=demo");
  const examples = await (await fetch(s.url + "/v1/collections/demo/examples")).json().then((a) => a.examples);
  assert.ok(examples.length >= 4, JSON.stringify(examples));
  await page.locator(".examples code").first().waitFor();
  await eventuallyEqual(() => page.locator(".examples code").allInnerTexts(), examples.map((e) => e.query));
  await eventuallyEqual(() => box(page).getAttribute("placeholder"), examples[0].query);
  for (const { query } of examples) {
    await page.getByRole("button", { name: query }).click();
    await page.locator(".hits li").first().waitFor();
    await eventuallyEqual(() => page.title(), `${query} – nsfl`);
    await page.goBack();
  }
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("dialog", { name: "Help" }).getByRole("button", { name: examples[1].query }).click();
  await page.waitForURL((u) => u.searchParams.get("q") === examples[1].query);
});

test("the help names every operator and key and the version, and closes", async (t) => {
  const page = await s.open(t, find("dog"));
  await page.getByRole("button", { name: "Help" }).click();
  const help = page.getByRole("dialog", { name: "Help" });
  const text = await help.innerText();
  for (const word of ["AND", "OR", "NOT", "^2", "year:>=2015", "like:", "Enter", "Esc"]) assert.ok(text.includes(word), word);
  const { version } = await page.evaluate(() => fetch("/version").then((r) => r.json()));
  await help.getByText(`nsfl ${version}`, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});
