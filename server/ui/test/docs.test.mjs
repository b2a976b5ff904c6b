// The API reference sends requests to the server that it came from.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, eventuallyEqual, start } from "./harness.mjs";

let s;
before(async () => { s = await start(["keys"]); });
after(() => s?.stop());

const operation = async (page, id) => {
  await page.locator(`#${id} > summary`).click();
  await page.locator(`#${id} .try > summary`).click();
  return page.locator(`#${id}`);
};

test("a search is tried, with a key and without", async (t) => {
  const page = await s.open(t, "/docs", { expected: /401/ }); // and no icon is missing
  let search = await operation(page, "search");
  await search.getByLabel("name").fill("demo");
  await search.getByRole("button", { name: "Send" }).click();
  await search.getByRole("heading", { name: /^401/ }).waitFor();

  await page.getByLabel(/^API key/).fill(s.key);
  await page.reload(); // the tab keeps it
  search = await operation(page, "search");
  await page.waitForFunction(() => document.querySelector("#search input[name=name]").value === "demo");
  await eventuallyEqual(async () => JSON.parse(await search.getByLabel("Body").inputValue()).query, "dog AND NOT leash");
  await search.getByRole("button", { name: "Send" }).click();
  await search.getByRole("heading", { name: /^200/ }).waitFor();
  const [answer, shell] = await search.locator("output pre").allInnerTexts();
  assert.ok(JSON.parse(answer).hits.length > 0);
  assert.match(shell, /^curl -X POST 'http.*\/v1\/collections\/demo\/search' -H "Authorization: Bearer \$NSFL_KEY"/);
  assert.ok(!shell.includes(s.key));
});

test("parameters go into the path and the query", async (t) => {
  const page = await s.open(t, "/docs", { before: (p) => p.addInitScript((key) => sessionStorage.setItem("nsfl-key", key), s.key) });
  const list = await operation(page, "listDocuments");
  await list.getByLabel("name").fill("demo");
  await list.getByLabel("limit").fill("2");
  await list.getByRole("button", { name: "Send" }).click();
  await list.getByRole("heading", { name: /^200/ }).waitFor();
  await eventuallyEqual(async () => JSON.parse(await list.locator("output pre").first().innerText()).documents.length, 2);
});

test("every operation has a section, and an address opens one", async (t) => {
  const page = await s.open(t, "/docs#parse", { size: [390, 844] });
  await page.locator("#parse[open] .try").waitFor();
  const { paths } = await (await fetch(s.url + "/openapi.json")).json();
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map((op) => op.operationId));
  for (const id of ids) await eventuallyEqual(() => page.locator(`#${id}`).count(), 1, id);
  await eventually(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window"));
});
