import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, eventually, eventuallyEqual, find, start } from "./harness.mjs";

let s;
before(async () => {
  s = await start();
  await ask(s.url, "/v1/collections", { name: "inns" });
  await ask(s.url, "/v1/collections/inns/documents", [
    {
      id: "mill", title: "The mill", metadata: { source: "inns/mill.md" },
      passages: ["A quiet inn by the river.", "A puppy sleeps at the door.", "There is no oven in the rooms."],
      places: [{ line: 3 }, { heading: "Animals", line: 9 }, { heading: "Rooms", page: 2, line: 20 }],
    },
    {
      id: "tower", title: "The tower", metadata: { source: "inns/tower.md" },
      passages: ["An inn with a view.", "Every room has an oven and a radio."], places: [{ line: 1 }, { heading: "Rooms", line: 7 }],
    },
  ]);
});
after(() => s?.stop());

const card = (page, id) => page.locator(`.hits > li[data-id="${id}"]`);
const verdicts = (page, id) => card(page, id).getByRole("listitem").allInnerTexts();

test("every hit says of every atom what was found, in words", async (t) => {
  const page = await s.open(t, find("inn AND dog AND NOT oven", "&c=inns&all=on"));
  await card(page, "mill").waitFor();
  await eventuallyEqual(() => verdicts(page, "mill"), ["✓ inn mentioned", "≈ dog similar: puppy", "✓ NOT oven ruled out by the text"]);
  const [inn, dog, oven] = await verdicts(page, "tower");
  assert.deepEqual([inn, dog, oven], ["✓ inn mentioned", "○ dog by meaning", "✕ about oven"]);

  // One snippet has a piece of every passage, what was found marked as it was.
  for (const [id, mark, word] of [["mill", "exact", "inn"], ["mill", "soft", "puppy"], ["mill", "denied", "oven"], ["tower", "unwanted", "oven"]]) {
    await eventuallyEqual(() => card(page, id).locator(`.snippet mark.${mark}`).innerText(), word);
  }
  await eventuallyEqual(() => card(page, "mill").locator(".where").innerText(), "inns/mill.md, line 3");
  await eventuallyEqual(() => card(page, "mill").locator("mark.soft").getAttribute("title"), "similar to dog");
});

test("what is not said is good where it is not wanted, and colour is not all that tells", async (t) => {
  const page = await s.open(t, find("inn AND NOT leash", "&c=inns"));
  await card(page, "mill").waitFor();
  await eventuallyEqual(() => verdicts(page, "mill"), ["✓ inn mentioned", "✓ NOT leash not mentioned"]);
  await eventually(async () => assert.match(await card(page, "mill").getByRole("listitem").last().getAttribute("title"), /does not mention it, as the query asks/));
});

test("documents, examples and alternatives are evidence too", async (t) => {
  const page = await s.open(t, find('(radio OR zebra) AND like:mill AND example:"a room with a view"', "&c=inns"));
  await card(page, "tower").waitFor();
  await card(page, "tower").getByText("like The mill").waitFor(); // a title is looked up
  const [radio, zebra, like, example] = await verdicts(page, "tower");
  assert.equal(radio, "✓ radio mentioned");
  for (const [text, name] of [[zebra, "zebra"], [like, "like The mill"], [example, "like “a room with a view”"]]) {
    assert.equal(text, `○ ${name} by meaning`);
  }
  const some = await s.open(t, find("2 OF (radio, oven, zebra)", "&c=inns"));
  await card(some, "tower").waitFor();
  await eventuallyEqual(async () => (await verdicts(some, "tower")).slice(0, 2), ["✓ radio mentioned", "✓ oven mentioned"]);
});

test("the explanation has a passage for every atom", async (t) => {
  const page = await s.open(t, find("inn AND dog AND NOT oven", "&c=inns&doc=mill"));
  const why = page.getByRole("region", { name: "What was found" });
  await why.waitFor();
  await eventuallyEqual(() => why.locator(".quote").allInnerTexts(), ["A quiet inn by the river.", "A puppy sleeps at the door.", "There is no oven in the rooms."]);
  await eventuallyEqual(() => why.locator(".where").allInnerTexts(), ["inns/mill.md, line 3", "inns/mill.md, Animals, line 9", "inns/mill.md, Rooms, page 2, line 20"]);
});

test("how much of a document is about an atom, and how well it matches, are said where they are known", async (t) => {
  const told = async (page) => page.route("**/search", async (r) => {
    const response = await r.fetch(), answer = await response.json();
    for (const [i, h] of answer.hits.entries()) {
      delete h.probability;
      h.strength = ["strong", "partial", "weak"][i];
      for (const a of h.words ?? []) for (const f of a.found ?? []) if (f.matched) Object.assign(f, h.id === "mill" ? { about: true } : { about: false, mentions: 2, passages: 31 });
    }
    await r.fulfill({ response, json: answer });
  });
  const page = await s.open(t, find("inn AND NOT radio", "&c=inns"), { before: told });
  await card(page, "mill").waitFor();
  await eventuallyEqual(() => page.locator(".hits .likely").allInnerTexts(), ["strong match", "partial match"]);
  await eventuallyEqual(() => verdicts(page, "mill"), ["✓ about inn", "✓ NOT radio not mentioned"]);
  await eventuallyEqual(() => verdicts(page, "tower"), ["✓ mentions inn in 2 of 31 passages", "○ mentions radio in 2 of 31 passages"]); // a mention alone is no fault
});

test("the document opens at the passage, with its headings, and can be downloaded", async (t) => {
  const lines = (n) => Array.from({ length: n }, (_, i) => `Paragraph ${i} of the house rules.\nIt goes on.`);
  await ask(s.url, "/v1/collections/inns/documents", {
    id: "rules", title: "House rules", passages: [...lines(60), "Bring a parrot\n\nA parrot stays in its cage."],
    places: [...lines(60).map((_, i) => ({ heading: "Rules", page: 1 + Math.floor(i / 10) })), { heading: "Rules › Bring a parrot", page: 79, line: 900 }],
    metadata: { source: "rules.pdf", url: "https://example.org/rules.pdf" },
  });
  for (const size of [[1440, 900], [390, 844]]) {
    const page = await s.open(t, find("parrot", "&c=inns"), { size });
    await card(page, "rules").locator("a.hit").click();
    await page.getByRole("button", { name: "Read the document" }).click();
    const dialog = page.getByRole("dialog", { name: "House rules" });
    const here = dialog.getByRole("region", { name: "Matching passage" });
    await eventuallyEqual(() => here.evaluate((e) => { const b = e.getBoundingClientRect(); return b.top > 0 && b.bottom < innerHeight; }), true);
    await here.getByRole("heading", { name: "Bring a parrot" }).waitFor();
    await here.getByText("page 79").waitFor();
    await eventuallyEqual(() => here.locator("mark").last().innerText(), "parrot");
    await eventuallyEqual(() => dialog.getByRole("heading", { name: "Rules", exact: true }).count(), 1);
    await eventuallyEqual(() => dialog.getByText("Paragraph 3 of").innerText(), "Paragraph 3 of the house rules.\nIt goes on.");
    await eventuallyEqual(() => dialog.getByRole("link", { name: "Open the original" }).getAttribute("href"), "https://example.org/rules.pdf");
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download the text" }).click();
    await eventuallyEqual(async () => (await download).suggestedFilename(), "rules.txt");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator(".inspector").waitFor(); // it stays
    await page.getByRole("button", { name: /page 79, line 900/ }).click();
    await here.waitFor();
  }
});

test("words of a chip are apart", async (t) => {
  const page = await s.open(t, find("quiet lighthouse AND inn", "&c=inns&doc=mill"));
  await page.locator(".verdicts .partial").waitFor();
  await eventuallyEqual(async () => (await verdicts(page, "mill"))[0], "≈ quiet lighthouse partly mentioned: quiet");
  await eventuallyEqual(() => page.locator(".verdicts .partial .verdict").innerText(), "≈ quiet lighthouse partly mentioned: quiet");
});
