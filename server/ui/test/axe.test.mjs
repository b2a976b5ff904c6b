// Nothing on the page stands in the way of those who read it otherwise: axe finds no
// violation, wherever one looks.
import axe from "axe-core";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, box, find, start, study } from "./harness.mjs";

let s;
before(async () => {
  s = await start();
  await ask(s.url, "/v1/collections", { name: "own" });
  await ask(s.url, "/v1/collections/own/documents", [
    { id: "cake", title: "Plain cake", passages: ["A cake for everybody.", "It is baked without nuts."], places: [{ line: 3 }, { heading: "Recipe", line: 9 }], metadata: { source: "cake.md" } },
    { id: "tart", text: "A tart with nuts." },
  ]);
});
after(() => s?.stop());

const query = "dog AND NOT ball";
const hits = (page) => page.locator(".hits > li").first().waitFor();
const opened = (name) => async (page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
};

const places = {
  "the start": ["/", (page) => page.locator(".examples").waitFor()],
  results: [find(query), hits],
  "results with all kinds of evidence": [find("cake AND dessert AND NOT nuts", "&c=own"), hits],
  "a sentence": [find("dogs without leashes"), (page) => page.locator(".read").waitFor()],
  "an explained hit": [find(query, "&doc=photo-018"), (page) => page.locator(".verdict").first().waitFor()],
  comparison: [find(query, "&view=compare"), (page) => page.locator(".compare li").first().waitFor()],
  study: [find(query, "&doc=photo-018" + study), (page) => page.locator(".rule").first().waitFor()],
  map: [find(query, "&view=map"), (page) => page.locator(".dots circle").first().waitFor()],
  orders: [find("dog AND ball", "&view=deltas"), (page) => page.locator(".series").first().waitFor()],
  "nothing found": [find("dog year:>=2999"), (page) => page.locator(".view .empty").waitFor()],
  "a mistake": [find("dog AND OR"), (page) => page.locator(".reading .bad").waitFor(), /400/],
  "a document": [find("cake", "&c=own&doc=cake"), async (page) => {
    await page.getByRole("button", { name: "Read the document" }).click();
    await page.getByRole("region", { name: "Matching passage" }).waitFor();
  }],
  "facets in a menu": [find(query, study), async (page) => {
    await page.locator(".narrow summary").click();
    await page.locator(".facets .value").first().waitFor();
  }],
  "facets beside the results": [find(query), (page) => page.locator(".facets .value, .narrow summary").first().waitFor()],
  "a facet in use": [find("dog AND kind:photo"), hits],
  "a sentence and its reasons": [find("photos of dogs without leashes"), async (page) => {
    await page.getByText("kind:photo").first().waitFor();
    await page.getByText("Why", { exact: true }).click();
  }],
  "did you mean": [find("horze AND NOT street"), (page) => page.getByText("Did you mean").waitFor()],
  "all results": [find("dog AND NOT ball", "&all=1"), hits],
  "copying the search": [find(query), async (page) => {
    await hits(page);
    await page.getByText("Copy as").click();
    await page.getByRole("button", { name: "Python" }).waitFor();
  }],
  "an example": [find(query), async (page) => {
    await hits(page);
    await page.getByText("by example").click();
  }],
  "a key": ["/", async (page) => {
    await page.route("**/v1/collections", (route) => route.fulfill({ status: 401, contentType: "application/problem+json", body: '{"status":401,"code":"unauthorized","detail":"a key is needed"}' }));
    await page.reload();
    await page.getByRole("dialog").waitFor();
  }, /401/],
  "a file that was uploaded": ["/?c=own", async (page) => {
    await opened(/^Collection/)(page);
    await page.locator("input[type=file]").first().setInputFiles({ name: "tea.txt", mimeType: "text/plain", buffer: Buffer.from("Green tea.") });
    await page.getByText("1 document stored").first().waitFor();
  }],
  "hard exclusions": [find("dog AND NOT text:ball AND text:park AND like:film-051"), (page) => page.getByText("does not mention").waitFor()],
  "the API": ["/docs", async (page) => {
    await page.locator("#search > summary").click();
    await page.locator("#search .try > summary").click();
    await page.getByRole("button", { name: "Send" }).waitFor();
  }],
  library: ["/", opened(/^Collection/)],
  "deleting a collection": ["/?c=own", async (page) => {
    await opened(/^Collection/)(page);
    await page.getByText("Delete own …").click();
    await page.getByRole("button", { name: "Delete for good" }).waitFor();
  }],
  help: ["/", opened("Help")],
};

for (const [width, height] of [[1440, 900], [390, 844]]) for (const scheme of ["light", "dark"]) {
  test(`axe finds nothing at ${width}, ${scheme}`, async (t) => {
    const found = [];
    for (const [name, [path, ready, expected]] of Object.entries(places)) {
      const page = await s.open(t, path, { size: [width, height], scheme, motion: "reduce", expected });
      await ready(page);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
      found.push(...violations.flatMap((v) => v.nodes.map((n) => `${name}, ${v.id}: ${n.html.slice(0, 160)} (${n.any[0]?.message ?? v.help})`)));
    }
    assert.deepEqual(found, []);
  });
}
