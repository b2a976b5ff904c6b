import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, eventuallyEqual, find, start } from "./harness.mjs";

let s;
before(async () => { s = await start(["keys"]); });
after(() => s?.stop());

const query = "dog AND NOT ball";
const shown = (page) => page.locator(".hits > li").first().waitFor();
const withKey = (page) => page.addInitScript((key) => sessionStorage.setItem("nsfl-key", key), s.key);
const refuse = (status, headers = {}) => (r) =>
  r.fulfill({ status, headers, contentType: "application/problem+json", body: JSON.stringify({ status, code: "x", detail: "as the server says" }) });

test("a key is asked for, and kept in this tab only", async (t) => {
  const page = await s.open(t, find(query), { expected: /401/ });
  const dialog = page.getByRole("dialog", { name: "API key" });
  await dialog.waitFor();
  await dialog.getByLabel("Key").fill("nsfl_wrong");
  await dialog.getByRole("button", { name: "Use" }).click();
  await dialog.getByText("not known to this server").waitFor(); // asked again, at once perhaps
  await dialog.getByLabel("Key").fill(s.key);
  await dialog.getByRole("button", { name: "Use" }).click();
  await shown(page);
  const [local, cookies] = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie]);
  for (const place of [local, cookies, page.url()]) assert.ok(!place.includes(s.key.slice(0, 20)));
  await page.reload();
  await shown(page);
  await page.getByRole("button", { name: "Key" }).click();
  await eventuallyEqual(() => dialog.getByLabel("Key").getAttribute("type"), "password");
});

test("a busy server is tried again when it says", async (t) => {
  let refused = 0;
  const page = await s.open(t, find(query), {
    expected: /429/,
    before: async (p) => {
      await withKey(p);
      await p.route("**/search", (r) => (!r.request().postDataJSON().facets && refused++ < 2 ? refuse(429, { "Retry-After": "1" })(r) : r.continue()));
    },
  });
  await page.getByText("The server is busy").waitFor();
  await page.getByText("Trying again in 1 s").waitFor();
  await shown(page);
  await eventuallyEqual(() => page.locator(".notice").count(), 0);
  assert.equal(refused, 3);
});

for (const [status, title] of [[503, "The server is not ready"], [403, "Not allowed"], [404, "Not found"], [502, "The encoder does not answer"], [504, "It took too long"], [500, "It did not work"]]) {
  test(`${status} is told`, async (t) => {
    const page = await s.open(t, find(query), {
      expected: new RegExp(String(status)),
      before: async (p) => { await withKey(p); await p.route("**/search", refuse(status)); },
    });
    const notice = page.getByRole("alert");
    await notice.waitFor();
    await eventually(async () => assert.ok((await notice.innerText()).includes(title)));
    await eventually(async () => assert.ok((await notice.innerText()).includes("As the server says.")));
    await page.unroute("**/search");
    await notice.getByRole("button", { name: "Try again" }).click();
    await shown(page);
  });
}

test("without a connection it says so and goes on later", async (t) => {
  const page = await s.open(t, find(query, "&study=open"), { expected: /ERR_/, before: withKey });
  await shown(page);
  await page.route("**/v1/**", (r) => r.abort("connectionrefused"));
  await page.getByRole("combobox", { name: "Mode" }).selectOption("rerank");
  await page.getByText("No connection").waitFor();
  await page.unroute("**/v1/**");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await shown(page);
  await eventuallyEqual(() => page.locator(".notice").count(), 0);
});

test("who may only read is not offered more", async (t) => {
  const page = await s.open(t, "/", { before: (p) => p.addInitScript((key) => sessionStorage.setItem("nsfl-key", key), s.reader) });
  await page.getByRole("button", { name: /^Collection/ }).click();
  const dialog = page.getByRole("dialog", { name: "Collections" });
  await dialog.getByText("You cannot create a collection here: this needs a key of the role admin.").waitFor();
  await dialog.getByText("Adding files needs a key of the role write").waitFor();
  await eventuallyEqual(() => dialog.getByRole("button", { name: /Create|Delete|choose/ }).count(), 0);
});
