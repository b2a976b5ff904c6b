import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, box, eventually, eventuallyEqual, find, module, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(); });
after(() => s?.stop());

const file = (name, text, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(text) });
const lines = (docs) => docs.map((d) => JSON.stringify(d)).join("\n");

async function collection(page, name) {
  await page.getByRole("button", { name: /^Collection/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".collections .chosen", { hasText: name }).waitFor();
}

const upload = (page, files) => page.locator("input[type=file]").setInputFiles(files);
const summary = (page) => page.locator(".run .good").innerText();

test("one's own collection comes before the demo, an empty one does not", async (t) => {
  const { preferred } = await module("library.tsx");
  const demo = { name: "demo", documents: 549 }, own = { name: "notes", documents: 2 };
  for (const [collections, want] of [
    [[demo, own], "notes"], [[demo, { ...own, documents: 0 }], "demo"], [[demo, { ...own, problem: "broken" }], "demo"], [[demo], "demo"], [[{ ...own, documents: 0 }], "notes"], [[], ""],
  ]) assert.equal(preferred(collections), want);

  let page = await s.open(t);
  await page.getByRole("button", { name: /^Collection demo/ }).waitFor();
  await ask(s.url, "/v1/collections", { name: "mine" });
  await ask(s.url, "/v1/collections/mine/documents", { id: "a", text: "A heron at the pond." });
  page = await s.open(t);
  await page.getByRole("button", { name: /^Collection mine/ }).waitFor();
  await page.waitForLoadState("networkidle"); // the page asks for examples, which must be there
  assert.equal((await fetch(s.url + "/v1/collections/mine", { method: "DELETE" })).status, 204);
});

test("a collection is made, filled with files and searched", async (t) => {
  const page = await s.open(t);
  await collection(page, "notes");
  await upload(page, [
    file("harbour.md", "# Harbour\n\nFishing boats come home at dusk while gulls circle."),
    file("bread.txt", "Flour, water, salt and a night of patience make a loaf of bread."),
    file("rows.csv", "title,text\nOrchard,Apple trees in bloom\n,\nStable,Two horses wait for rain"),
    file("noise.bin", "\u0000\u0001\u0002\u0003"),
  ]);
  await eventually(async () => assert.match(await summary(page), /4 documents stored/));
  const told = Object.fromEntries(await page.locator(".run li").evaluateAll((all) => all.map((li) => [li.querySelector(".name").textContent, li.innerText])));
  assert.match(told["harbour.md"], /1 document stored/);
  assert.match(told["rows.csv"], /2 documents stored\s+Line 3: it has neither a title nor text/);
  assert.match(told["noise.bin"], /nothing stored\s+It is not text/);
  await page.keyboard.press("Escape");
  await box(page).fill("boats AND NOT bread");
  await box(page).press("Enter");
  await page.locator(".hits > li").first().waitFor();
  await eventually(async () => assert.match(await page.locator(".hits > li").first().innerText(), /Fishing boats/));
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("c"), "notes");

  await page.getByRole("button", { name: /^Collection/ }).click();
  for (const [name, why] of [["notes", "A collection named notes exists already."], ["My notes", "Use lower-case letters"]]) {
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByText(why).waitFor();
    await eventuallyEqual(() => page.getByRole("button", { name: "Create" }).isDisabled(), true);
  }
});

test("an upload tells how far it is", async (t) => {
  const page = await s.open(t);
  await collection(page, "many");
  await page.evaluate(() => {
    window.told = [];
    new MutationObserver(() => window.told.push(document.querySelector(".run")?.textContent ?? "")).observe(document.querySelector("dialog"), { subtree: true, childList: true, characterData: true });
  });
  await upload(page, [file("many.jsonl", lines(Array.from({ length: 600 }, (_, i) => ({ id: "d" + i, text: `note number ${i} about the weather` }))))]);
  await eventually(async () => assert.match(await page.locator(".run .good").innerText({ timeout: 60000 }), /600 documents stored/));
  const told = await page.evaluate(() => window.told);
  assert.ok(told.some((x) => /(256|512) documents stored/.test(x) && !/600/.test(x)), told.join("\n"));
  await page.locator(".collections .chosen", { hasText: "600 documents" }).waitFor();
});

const drop = (page, files) => page.evaluate((all) => {
  const data = new DataTransfer();
  for (const [name, text] of all) data.items.add(new File([text], name, { type: "text/plain" }));
  document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}, files);

test("files dropped on the page are taken while one goes on searching", async (t) => {
  const page = await s.open(t);
  await collection(page, "dropped");
  await page.keyboard.press("Escape");
  await drop(page, [["fog.txt", "A lighthouse in fog"], ["snow.txt", "A lantern in snow"]]);
  await eventually(async () => assert.match(await summary(page), /2 documents stored/));
  await box(page).fill("lighthouse");
  await box(page).press("Enter");
  const shown = async () => (await order(page)).filter((id) => !id.includes("snow")).length; // snow may follow, by a similar word
  await eventuallyEqual(shown, 1);
  await drop(page, [["dusk.txt", "A lighthouse at dusk"], ["dusk.txt", "Another lighthouse, of the same name"]]);
  await eventuallyEqual(shown, 3); // the results include the new files
  await eventuallyEqual(() => page.locator(".tray .run").count(), 2);
  for (const _ of [1, 2]) await page.locator(".tray").getByRole("button", { name: "Close" }).first().click();
  await page.locator(".tray").waitFor({ state: "detached" });
});

test("a folder is dropped with all that is in it", async (t) => {
  const page = await s.open(t);
  await collection(page, "folder");
  await page.keyboard.press("Escape");
  const dir = mkdtempSync(join(tmpdir(), "nsfl-dropped-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, "inner", ".git"), { recursive: true });
  writeFileSync(join(dir, "note.md"), "# Outer\n\nA heron at the pond.");
  writeFileSync(join(dir, "inner", "note.md"), "# Inner\n\nA kestrel over the field.");
  writeFileSync(join(dir, "inner", ".git", "config.txt"), "not to be read");
  const browser = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await browser.send("Input.dispatchDragEvent", { type, x: 400, y: 500, data: { items: [], files: [dir], dragOperationsMask: 1 } });
  }
  await eventually(async () => assert.match(await summary(page), /2 documents stored/));
  await eventuallyEqual(async () => new Set(await page.locator(".tray .name").allInnerTexts()).size, 2); // two of the same name are two
});

test("a drop tells what would come of it", async (t) => {
  const page = await s.open(t, "/?c=demo");
  await page.locator(".examples code").first().waitFor();
  const drag = (type) => page.evaluate((name) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "x.txt"));
    document.querySelector("main").dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, type);
  await drag("dragover");
  await page.locator(".over", { hasText: "demo can only be read here" }).waitFor();
  await drag("drop");
  await page.getByRole("dialog", { name: "Collections" }).waitFor();
  await eventuallyEqual(() => page.locator(".run").count(), 0);
});

test("an upload is stopped, and a file too large is not sent", async (t) => {
  const page = await s.open(t, "/", { before: (p) => p.route("**/v1/rights", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, upload_bytes: 1000 } });
  }) });
  await collection(page, "half");
  const sent = [];
  await page.route("**/files", (route) => void sent.push(route.request().url())); // no answer
  await upload(page, [file("large.txt", "x".repeat(2000)), file("small.txt", "short")]);
  await page.getByText("It has 2.00 kB, and the server takes 1.00 kB at most.").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped. What was counted is stored.").waitFor();
  assert.equal(sent.length, 1);
});

test("a collection is deleted after its name was typed", async (t) => {
  const page = await s.open(t);
  await collection(page, "gone");
  await page.getByText("Delete gone …").click();
  const sure = page.getByRole("button", { name: "Delete for good" });
  await eventuallyEqual(() => sure.isDisabled(), true);
  await page.locator(".removal input:focus").waitFor();
  await page.keyboard.type("gon");
  await eventuallyEqual(() => sure.isDisabled(), true);
  await page.keyboard.type("e");
  await sure.click();
  await page.locator(".collections li", { hasText: "gone" }).waitFor({ state: "detached" });
  assert.equal((await fetch(s.url + "/v1/collections/gone")).status, 404);
  await page.waitForURL((u) => u.searchParams.get("c") !== "gone");
  await eventuallyEqual(() => page.getByText("Delete demo").count(), 0);
});

test("an empty collection says how to fill it", async (t) => {
  const page = await s.open(t);
  await collection(page, "empty");
  await page.keyboard.press("Escape");
  await page.getByText("empty has no documents yet.").waitFor();
  await page.getByText(`nsfl index FILES --server ${s.url} -c empty`).waitFor();
  await page.getByRole("button", { name: "Add files" }).click();
  await page.getByRole("dialog", { name: "Collections" }).waitFor();
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
  await eventually(async () => assert.match(await summary(page), /3 documents stored/));
  for (const view of ["results", "compare", "map", "deltas"]) {
    await page.goto(s.url + find("dog AND NOT ball", `&c=hostile&view=${view}`));
    await page.locator(".status").waitFor();
    if (view === "results" || view === "compare") {
      await page.locator(".view a.hit", { hasText: "<script>" }).first().click();
      await page.getByRole("button", { name: "Read the document" }).click();
      await page.getByRole("dialog").getByText("<script>window.pwned=1</script>").last().waitFor();
      await page.getByRole("button", { name: "Download the text" }).waitFor();
    } else await page.locator(".chart svg").first().hover();
    await eventuallyEqual(() => page.evaluate(() => window.pwned), undefined);
    await eventuallyEqual(() => page.locator("#page script, #page img, #page b[onmouseover]").count(), 0);
  }
  await page.goto(s.url + find(`"${evil.replaceAll('"', '\\"')}" AND dog`, "&c=hostile"));
  await page.locator(".hits > li").first().waitFor();
  await eventuallyEqual(() => page.evaluate(() => window.pwned), undefined);
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
  await eventuallyEqual(async () => (await order(page)).length, 2);
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".hits > li").length === 1);
  await eventuallyEqual(() => order(page), ["y"]);
});

test("the demo can only be read", async (t) => {
  const page = await s.open(t, find("dog", "&c=demo"));
  await page.locator(".hits a").first().click();
  await page.getByRole("button", { name: "Read the document" }).waitFor();
  await eventuallyEqual(() => page.getByRole("button", { name: /Delete/ }).count(), 0);
  await page.getByRole("button", { name: /^Collection/ }).click();
  await page.getByText("demo can only be read here").waitFor();
  await eventuallyEqual(() => page.locator("input[type=file]").count(), 0);
});

test("a click on a collection chooses it and closes the dialog", async (t) => {
  await ask(s.url, "/v1/collections", { name: "tides" });
  await ask(s.url, "/v1/collections/tides/documents", { id: "ebb", text: "The water goes out at noon." });
  const page = await s.open(t, find("water"));
  await page.locator(".hits > li").first().waitFor();
  await page.getByRole("button", { name: /^Collection/ }).click();
  const dialog = page.getByRole("dialog", { name: "Collections" });
  await dialog.getByRole("button", { name: /^demo/ }).waitFor();
  await eventuallyEqual(() => dialog.locator(".collections").getByText("Delete").count(), 0); // not beside the choice
  await dialog.getByRole("button", { name: /^tides/ }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForURL((u) => u.searchParams.get("c") === "tides" && u.searchParams.get("q") === "water");
  await eventuallyEqual(() => order(page), ["ebb"]);
});

test("a query goes with its collection", async (t) => {
  const page = await s.open(t, find("dog", "&c=demo"));
  await collection(page, "other");
  await page.keyboard.press("Escape");
  await page.getByText("No documents were found.").waitFor();
  await page.goBack();
  await page.locator(".hits > li").first().waitFor();
});
