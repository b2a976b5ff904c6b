import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, find, start } from "./harness.mjs";

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
  const page = await s.open(t, find("inn AND dog AND NOT oven", "&c=inns"));
  await card(page, "mill").waitFor();
  assert.deepEqual(await verdicts(page, "mill"), ["✓ inn said", "≈ dog near, puppy", "✓ NOT oven said to be absent"]);
  const [inn, dog, oven] = await verdicts(page, "tower");
  assert.equal(inn, "✓ inn said");
  assert.match(dog, /^○ dog by meaning −?0\.\d\d$/);
  assert.equal(oven, "✕ NOT oven said");

  // Each has its passage with the place, what was found marked as it was.
  for (const [id, mark, passage, where] of [
    ["mill", "soft", "A puppy sleeps at the door.", "dog · inns/mill.md, Animals, line 9"],
    ["mill", "denied", "There is no oven in the rooms.", "oven · inns/mill.md, Rooms, page 2, line 20"],
    ["tower", "unwanted", "Every room has an oven and a radio.", "oven · inns/tower.md, Rooms, line 7"],
  ]) {
    const shown = card(page, id).locator(".passage", { hasText: passage });
    assert.equal(await shown.locator(`mark.${mark}`).count(), 1, passage);
    assert.ok((await shown.locator(".caption").innerText()).endsWith(where), await shown.innerText());
  }
  assert.equal(await card(page, "mill").locator("mark.soft").getAttribute("title"), "near to dog");
});

test("what is not said is good where it is not wanted, and colour is not all that tells", async (t) => {
  const page = await s.open(t, find("inn AND NOT leash", "&c=inns"));
  await card(page, "mill").waitFor();
  assert.deepEqual(await verdicts(page, "mill"), ["✓ inn said", "✓ NOT leash not said"]);
  assert.match(await card(page, "mill").getByRole("listitem").last().getAttribute("title"), /does not say it, as it should be/);
});

test("documents, examples and alternatives are evidence too", async (t) => {
  const page = await s.open(t, find('(radio OR zebra) AND like:mill AND example:"a room with a view"', "&c=inns"));
  await card(page, "tower").waitFor();
  const [radio, zebra, like, example] = await verdicts(page, "tower");
  assert.equal(radio, "✓ radio said");
  for (const [text, name] of [[zebra, "zebra"], [like, "like:mill"], [example, 'example:"a room with a view"']]) {
    assert.match(text, new RegExp(`^○ ${name} by meaning −?0\\.\\d\\d$`), text);
  }
  const some = await s.open(t, find("2 OF (radio, oven, zebra)", "&c=inns"));
  await card(some, "tower").waitFor();
  assert.deepEqual((await verdicts(some, "tower")).slice(0, 2), ["✓ radio said", "✓ oven said"]);
});

test("the explanation has a passage for every atom", async (t) => {
  const page = await s.open(t, find("inn AND dog AND NOT oven", "&c=inns&doc=mill"));
  const why = page.getByRole("region", { name: "What was found" });
  await why.waitFor();
  assert.deepEqual((await why.locator(".quote").allInnerTexts()), ["A quiet inn by the river.", "A puppy sleeps at the door.", "There is no oven in the rooms."]);
  assert.deepEqual(await why.locator(".where").allInnerTexts(), ["inns/mill.md, line 3", "inns/mill.md, Animals, line 9", "inns/mill.md, Rooms, page 2, line 20"]);
});
