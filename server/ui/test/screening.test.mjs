import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, box, eventually, eventuallyEqual, find, launch, start } from "./harness.mjs";
import { contrast, unnamed } from "./look.mjs";

let s, other;
before(async () => {
  s = await start();
  other = await launch();
});
after(async () => {
  await other?.stop();
  await s?.stop();
});

const texts = [
  "The dog barks at the postman", "A terrier is a small dog", "Dogs herd sheep on the farm", "Training a dog to sit", "A puppy is a young dog", "The dog sleeps by the fire",
  "The ship sails at dawn", "A steamer is an old ship", "Ships carry grain to the harbour", "Building a ship of oak", "A yacht is a small ship", "The ship sank in a storm",
];

async function library(name) {
  await ask(s.url, "/v1/collections", { name });
  await ask(s.url, `/v1/collections/${name}/documents`, texts.map((text, i) => ({ id: `r${i}`, title: text, text: text + ". It was seen by many people of the town.", metadata: { year: 2000 + i, journal: "Town and Sea" } })));
}

const title = (page) => page.locator("article h2").innerText();
const standing = (page) => page.locator(".standing").innerText();

// press decides about a record and waits for the next one.
async function press(page, key) {
  const before = await title(page);
  await page.locator(".decide .go:enabled").waitFor(); // the answer to the last key is there
  await page.keyboard.press(key);
  await eventually(async () => assert.ok((await page.locator("article").count()) === 0 || (await title(page)) !== before));
}

async function shot(page, name) {
  if (!process.env.SHOTS) return;
  mkdirSync(process.env.SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SHOTS, name + ".png") });
}

test("two people screen at once, and never see the same record", async (t) => {
  await library("town");
  const ann = await s.open(t, find("dog AND NOT ship", "&c=town"), { size: [1440, 900] });
  await ann.getByRole("button", { name: "Screen these results" }).click();
  await ann.getByRole("textbox", { name: "Name of the screening" }).fill("pets");
  await ann.getByRole("textbox", { name: "Your name" }).fill("Ann");
  await shot(ann, "begin-1440");
  await ann.getByRole("button", { name: "Begin" }).click();
  await ann.locator("article h2").waitFor();
  assert.match(await ann.locator(".why").innerText(), /best match of dog AND NOT ship/);
  assert.match(await standing(ann), /12 unread\s+Go on: nothing can be said/);
  assert.match(await ann.locator("article mark").first().innerText(), /^dogs?$/i);

  const bob = await s.open(t, "/?c=town", { browser: other.browser, size: [390, 844] });
  await bob.getByRole("button", { name: /^pets/ }).click();
  await bob.getByRole("textbox", { name: /^Your name/ }).fill("Bob");
  await bob.getByRole("button", { name: "Go on" }).click();
  await bob.locator("article h2").waitFor();
  assert.notEqual(await title(bob), await title(ann));

  // Undo brings the record back, and a reload keeps it.
  const first = await title(ann);
  await press(ann, "i");
  await press(ann, "z");
  await eventuallyEqual(() => title(ann), first);
  await ann.reload();
  await eventuallyEqual(() => title(ann), first);

  await ann.locator(".decide .go:enabled").waitFor();
  await ann.keyboard.press("r");
  await ann.keyboard.type("not about pets");
  await ann.keyboard.press("Enter");
  await eventually(async () => assert.match(await ann.getByRole("status").innerText(), /Saved: exclude, not about pets/));
  await eventually(async () => assert.notEqual(await title(ann), first)); // saved, then the next one
  const decided = new Map([[first, "Ann"]]);
  for (let turn = 0; decided.size < texts.length; turn++) {
    for (const [page, name, key] of [[ann, "Ann", turn % 2 ? "e" : "i"], [bob, "Bob", turn % 3 ? "e" : "u"]]) {
      if (!(await page.locator("article").count())) continue;
      const now = await title(page);
      assert.ok(!decided.has(now), `${now} was shown to ${name} and before to ${decided.get(now)}`);
      decided.set(now, name);
      await press(page, key);
      if (turn === 2) {
        await shot(page, name === "Ann" ? "screening-1440" : "screening-390");
        const { low, count } = await page.evaluate(contrast);
        assert.deepEqual(low, []);
        assert.ok(count > 10);
        assert.deepEqual(await page.evaluate(unnamed), []);
      }
    }
  }
  assert.deepEqual([...new Set(decided.values())].sort(), ["Ann", "Bob"]);
  for (const page of [ann, bob]) {
    await page.reload();
    await eventually(async () => assert.match(await page.locator("main").innerText(), /All records have been read/));
    assert.match(await standing(page), /0 unread · Ann \d+, Bob \d+\s+Every record has been read/);
  }

  await ann.getByText("Export", { exact: true }).click();
  const [download] = await Promise.all([ann.waitForEvent("download"), ann.getByRole("button", { name: "All records (CSV)" }).click()]);
  assert.equal(download.suggestedFilename(), "pets.csv");
  const table = readFileSync(await download.path(), "utf8");
  assert.equal(table.trim().split("\n").length, 1 + texts.length);
  assert.match(table, /not about pets,Ann/);
});

test("a random sample estimates how many were missed", async (t) => {
  await library("sea");
  await ask(s.url, "/v1/collections/sea/screenings", { name: "ships", formula: "ship", person: "Eve" });
  const page = await s.open(t, "/?c=sea&screen=ships", { before: (p) => p.addInitScript(() => localStorage.setItem("nsfl-person", "Eve")) });
  await page.locator("article h2").waitFor();
  await page.getByRole("checkbox", { name: /Random unread records/ }).check();
  await eventually(async () => assert.match(await page.locator(".why").innerText(), /drawn at random/));
  await press(page, "e");
  await eventually(async () => assert.match(await standing(page), /Of 1 random unread records 0 were included: 0.0 %/));
  await page.getByRole("button", { name: "Close" }).click();
  await box(page).waitFor();
});

test("a reader is not offered to screen, and a lost screening is told", async (t) => {
  const page = await s.open(t, find("dog"));
  await page.locator(".hits > li").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Screen these results" }).count(), 0); // the demo is read-only
  const lost = await s.open(t, "/?c=town&screen=none", { expected: /404/, before: (p) => p.addInitScript(() => localStorage.setItem("nsfl-person", "Eve")) });
  await lost.getByText("There is no screening").waitFor();
});
