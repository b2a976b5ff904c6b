import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, eventually, eventuallyEqual, find, order, start, study } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const query = "dog AND NOT ball";
const search = (body) => ask(s.url, "/v1/collections/demo/search", { query, k: 10, ...body });
const shown = (page) => page.locator(".hits > li").first().waitFor();
const least = (page) => page.getByRole("slider", { name: /^Least probability/ });

// calibrated gives the results of the server probabilities, from 92 % downwards,
// and leaves out what a request finds too improbable, as a calibrated profile would.
async function calibrated(page, requests = []) {
  await page.route(/\/search$/, async (r) => {
    const { min_probability, ...asked } = r.request().postDataJSON();
    requests.push([r.request().url().split("/").pop(), min_probability]);
    const response = await r.fetch({ postData: asked });
    const answer = await response.json();
    const all = answer.hits.map((h, i) => ({ ...h, probability: 0.92 - 0.1 * i }));
    const hits = all.filter((h) => h.probability >= min_probability);
    await r.fulfill({ response, json: { ...answer, hits, left_out: all.length - hits.length || undefined } });
  });
}

// withLogic has every request ask for other choices of the calculus.
const withLogic = (logic) => (page) => page.route(/\/(search|explain)$/, (r) =>
  r.continue({ postData: JSON.stringify({ ...r.request().postDataJSON(), logic }) }));

test("the profile can be left out", async (t) => {
  const page = await s.open(t, find(query, study));
  await shown(page);
  const own = await search({}), paper = await search({ profile: "paper" });
  assert.ok(own.refined && !paper.refined);
  const choice = page.getByRole("combobox", { name: "Profile" });
  await eventuallyEqual(() => choice.locator("option").allInnerTexts(), [own.profile, "as in the paper"]);
  await choice.selectOption("paper");
  await page.waitForURL((url) => url.searchParams.get("profile") === "paper");
  await page.waitForFunction((ids) => [...document.querySelectorAll(".hits > li")].map((li) => li.dataset.id).join() === ids, paper.hits.map((h) => h.id).join());
  assert.notDeepEqual(paper.hits.map((h) => h.score), own.hits.map((h) => h.score));
});

test("the logic is asked for only where it was chosen", async (t) => {
  const page = await s.open(t, "/");
  const asked = [];
  page.on("request", (r) => /\/search$/.test(r.url()) && asked.push(r.postDataJSON().logic));
  const answered = () => page.waitForResponse((r) => /\/search$/.test(r.url()) && r.ok());
  let answer = answered();
  await page.goto(s.url + find(query, study));
  await answer;
  await shown(page);
  answer = answered();
  await page.getByLabel("NOT, departure").uncheck();
  await answer;
  assert.deepEqual(asked, [{}, { no_floors: "not" }]);
});

test("a probability stands beside the score", async (t) => {
  const page = await s.open(t, find(query, study), { before: calibrated });
  await shown(page);
  const chances = page.locator(".hits .chance");
  await eventuallyEqual(() => chances.allInnerTexts(), ["92 %", "82 %", "72 %", "62 %", "52 %", "42 %", "32 %", "22 %", "12 %", "2 %"]);
  await eventuallyEqual(() => page.locator(".hits .likely").first().getAttribute("title"), "how likely the document is what you want");
  await page.locator(".hits a").first().click();
  await page.locator(".inspector").getByText(/92 % likely/).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.locator(".compare li").first().waitFor();
  const lists = page.locator(".compare ol");
  await eventuallyEqual(() => lists.first().locator(".chance").count(), 0); // plain retrieval has none
  await eventuallyEqual(() => lists.last().locator(".chance").first().innerText(), "92 %");
});

test("improbable results can be left out", async (t) => {
  const requests = [];
  const page = await s.open(t, find(query, study), { before: (p) => calibrated(p, requests) });
  await shown(page);
  const all = await order(page);
  await eventuallyEqual(() => least(page).locator("xpath=following-sibling::output").innerText(), "any");
  await least(page).fill("0.5");
  await page.waitForFunction(() => document.querySelectorAll(".hits > li").length === 5);
  await eventuallyEqual(() => order(page), all.slice(0, 5));
  await eventuallyEqual(() => least(page).locator("xpath=following-sibling::output").innerText(), "50 %");
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("least"), "0.5");
  await least(page).fill("1");
  for (const view of ["results", "compare", "map", "deltas"]) {
    await page.getByRole("link", { name: { results: "Results", compare: "Compare", map: "Map", deltas: "Orders" }[view] }).click();
    await page.getByText("10 documents found, but none is as likely to match as you asked for.").waitFor();
  }
  assert.deepEqual(requests.slice(0, 3), [["search", 0], ["search", 0.5], ["search", 1]]);
});

test("without a calibration there is nothing to leave out", async (t) => {
  const page = await s.open(t, find(query, "&profile=paper"));
  await shown(page);
  await eventuallyEqual(() => page.locator(".chance").count(), 0);
  await eventually(async () => assert.ok(await least(page).isDisabled()));
  // An address may ask for it all the same; it can be taken back.
  const asked = await s.open(t, find(query, "&profile=paper&least=0.5"), { expected: /400/ });
  await asked.getByRole("alert").waitFor();
  await eventually(async () => assert.match(await asked.getByRole("alert").innerText(), /need a calibrated profile/));
  await least(asked).fill("0");
  await shown(asked);
  await eventuallyEqual(() => asked.locator(".notice").count(), 0);
});

test("a gate that was capped is told, and so is another coefficient", async (t) => {
  let page = await s.open(t, find(query, study), { before: withLogic({ gate_cap: 0.01 }) });
  await shown(page);
  await page.locator(".hits a").first().click();
  await page.getByText(/of at most 0\.\d+, capped/).waitFor();
  page = await s.open(t, find("dog AND ball", study), { before: withLogic({ c_and: 0.5 }) });
  await shown(page);
  await page.locator(".hits a").first().click();
  await page.locator(".sum").waitFor();
  // The sum is that of the score, though the page did not ask for this coefficient.
  const [left, right] = (await page.locator(".sum").innerText()).replaceAll("−", "-").split(" = ");
  const total = left.split(/(?= [+-] )/).reduce((sum, part) => sum + Number(part.replaceAll(" ", "")), 0);
  assert.ok(Math.abs(total - Number(right)) < 0.002, `${left} = ${right}`);
});
