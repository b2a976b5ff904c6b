import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box, find, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const file = (name, text, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(text) });
const lines = (docs) => docs.map((d) => JSON.stringify(d)).join("\n");

async function collection(page, name) {
  await page.getByRole("button", { name: /^Collection/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Make" }).click();
  await page.locator(".collections .chosen", { hasText: name }).waitFor();
}

const upload = (page, files) => page.locator("input[type=file]").setInputFiles(files);
const summary = (page) => page.locator(".run .good").innerText();

test("a collection is made, filled with files and searched", async (t) => {
  const page = await s.open(t, "/", { expected: /409/ });
  await collection(page, "notes");
  await upload(page, [
    file("harbour.md", "# Harbour\n\nFishing boats come home at dusk while gulls circle."),
    file("bread.txt", "Flour, water, salt and a night of patience make a loaf of bread."),
    file("rows.csv", "title,text\nOrchard,Apple trees in bloom\n,\nStable,Two horses wait for rain"),
    file("noise.bin", "\u0000\u0001\u0002\u0003"),
  ]);
  const text = await summary(page);
  assert.match(text, /4 documents stored from/);
  assert.match(text, /skipped/);
  assert.match(await page.locator(".run details").innerText(), /noise\.bin/);
  await page.keyboard.press("Escape");
  await box(page).fill("boats AND NOT bread");
  await box(page).press("Enter");
  await page.locator(".hits > li").first().waitFor();
  assert.match(await page.locator(".hits > li").first().innerText(), /Fishing boats/);
  assert.equal(new URL(page.url()).searchParams.get("c"), "notes");

  await page.getByRole("button", { name: /^Collection/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("notes");
  await page.getByRole("button", { name: "Make" }).click();
  await page.locator(".new .bad").waitFor(); // there is one already
});

test("an upload tells how far it is", async (t) => {
  const page = await s.open(t);
  await collection(page, "many");
  await page.evaluate(() => {
    window.told = [];
    new MutationObserver(() => window.told.push(document.querySelector(".run")?.textContent ?? "")).observe(document.querySelector("dialog"), { subtree: true, childList: true, characterData: true });
  });
  await upload(page, [file("many.jsonl", lines(Array.from({ length: 600 }, (_, i) => ({ id: "d" + i, text: `note number ${i} about the weather` }))))]);
  assert.match(await page.locator(".run .good").innerText({ timeout: 60000 }), /600 documents stored/);
  const told = await page.evaluate(() => window.told);
  assert.ok(told.some((x) => /(256|512) documents stored/.test(x) && !/600/.test(x)), told.join("\n"));
  await page.locator(".collections .chosen", { hasText: "600 documents" }).waitFor();
});

test("files dropped on the page are taken", async (t) => {
  const page = await s.open(t);
  await collection(page, "dropped");
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["A lighthouse in fog"], "fog.txt", { type: "text/plain" }));
    data.items.add(new File(["A lantern in snow"], "snow.txt", { type: "text/plain" }));
    document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  assert.match(await summary(page), /2 documents stored from 2 files/);
});

test("hostile texts are only shown", async (t) => {
  const evil = `<script>window.pwned=1</script><img src=x onerror="window.pwned=1">`;
  const page = await s.open(t);
  await collection(page, "hostile");
  await upload(page, [file("evil.jsonl", lines([
    { id: `a/../"'><b onmouseover=window.pwned=1>`, title: evil, text: `dog ${evil} javascript:window.pwned=1`, metadata: { [evil]: evil, list: [evil], "__proto__x": { a: evil } } },
    { id: "b", title: "ball", text: "a ball on the grass" },
    { id: "c", text: `${evil} dog and ball` },
  ]))]);
  assert.match(await summary(page), /3 documents stored/);
  for (const view of ["results", "compare", "map", "deltas"]) {
    await page.goto(s.url + find("dog AND NOT ball", `&c=hostile&view=${view}`));
    await page.locator(".status").waitFor();
    if (view === "results" || view === "compare") {
      await page.locator(".view a.hit", { hasText: "<script>" }).first().click();
      await page.getByRole("button", { name: "Whole document" }).click();
      await page.getByRole("button", { name: "Whole document" }).waitFor({ state: "detached" });
      assert.ok((await page.locator(".inspector").innerText()).includes("<script>window.pwned=1</script>"));
    } else await page.locator(".chart svg").first().hover();
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator("#page script, #page img, #page b[onmouseover]").count(), 0);
  }
  await page.goto(s.url + find(`"${evil.replaceAll('"', '\\"')}" AND dog`, "&c=hostile"));
  await page.locator(".hits > li").first().waitFor();
  assert.equal(await page.evaluate(() => window.pwned), undefined);
});

test("a document is deleted after a second thought", async (t) => {
  const page = await s.open(t);
  await collection(page, "short");
  await upload(page, [file("two.jsonl", lines([{ id: "x/1 #?", text: "a red boat" }, { id: "y", text: "a blue boat" }]))]);
  await summary(page);
  await page.goto(s.url + find("red AND boat", "&c=short"));
  await page.locator(".hits a").first().click();
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("button", { name: "Keep" }).click();
  assert.equal((await order(page)).length, 2);
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".hits > li").length === 1);
  assert.deepEqual(await order(page), ["y"]);
});

test("the demo can only be read", async (t) => {
  const page = await s.open(t, find("dog", "&c=demo"));
  await page.locator(".hits a").first().click();
  await page.getByRole("button", { name: "Whole document" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Delete/ }).count(), 0);
  await page.getByRole("button", { name: /^Collection/ }).click();
  await page.getByText("demo can only be read here").waitFor();
  assert.equal(await page.locator("input[type=file]").count(), 0);
});

test("a query goes with its collection", async (t) => {
  const page = await s.open(t, find("dog", "&c=demo"));
  await collection(page, "other");
  await page.keyboard.press("Escape");
  await page.getByText("No document was found.").waitFor();
  await page.goBack();
  await page.locator(".hits > li").first().waitFor();
});
