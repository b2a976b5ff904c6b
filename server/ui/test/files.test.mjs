// Files of a folder: what is shown of them, the whole text at the passage, and the original.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eventually, eventuallyEqual, find, start } from "./harness.mjs";

const folder = mkdtempSync(join(tmpdir(), "nsfl-files-"));
const source = [
  ".TH FERRY 8", ".SH NAME", "ferry \\- carry packets across the river",
  ".SH DESCRIPTION", "The daemon waits at the bank. ".repeat(60),
  ".SH OPTIONS", ".TP", ".B \\-\\-lantern", "Light a lantern while the ferry crosses at night.",
  ".nf", "ferry \\-\\-lantern \\e", "    north south", ".fi", ".PP", "Nothing else is needed. ".repeat(60),
].join("\n");
mkdirSync(join(folder, "man"));
writeFileSync(join(folder, "man", "ferry.8"), source);
writeFileSync(join(folder, "man", "bridge.7"), ".TH BRIDGE 7\n.SH NAME\nbridge \\- cross the river on foot\n.SH DESCRIPTION\nThe bridge has no lantern.\n");

let s;
before(async () => {
  s = await start(["--files", folder]);
  s.run("index", folder, "-c", "pages", "--server", s.url, "--quiet");
});
after(async () => {
  await s?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const reading = async (page) => {
  await page.getByRole("link", { name: /^ferry - carry/ }).click();
  await page.getByRole("button", { name: "Read the document" }).click();
  const dialog = page.getByRole("dialog", { name: /^ferry/ });
  await dialog.getByRole("region", { name: "Matching passage" }).waitFor();
  return dialog;
};

test("a manual page is read at its passage, and its file is opened", async (t) => {
  const page = await s.open(t, find("lantern at night", "&c=pages"), { size: [1440, 900] });
  const hit = page.locator(".hits > li").first();
  await hit.getByText("man/ferry.8, OPTIONS").waitFor();
  assert.doesNotMatch(await hit.innerText(), /\.SH|folder|score|was \d/);
  const dialog = await reading(page);
  await eventually(async () => {
    const heights = await page.locator(".hits > li").evaluateAll((all) => all.map((li) => Math.round(li.getBoundingClientRect().height)));
    assert.ok(heights.every((h) => h <= 110), `results of ${heights} pixels beside the explanation, want 110 or fewer`);
  });
  await dialog.getByRole("heading", { name: "OPTIONS" }).waitFor();
  await dialog.getByText("--lantern Light a lantern").waitFor();
  await eventuallyEqual(() => dialog.locator(".code").innerText(), "ferry --lantern \\\n    north south");
  const inView = await dialog.getByRole("region", { name: "Matching passage" }).evaluate((e) => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < innerHeight);
  assert.ok(inView, "the matching passage is not in view");
  const seen = await dialog.getByRole("link", { name: "Open the original file" }).evaluate((e) => e.contains(document.elementFromPoint(e.getBoundingClientRect().x + 5, e.getBoundingClientRect().y + 5)));
  assert.ok(seen, "the link to the file scrolled out of view");
  const [original] = await Promise.all([page.waitForEvent("popup"), dialog.getByRole("link", { name: "Open the original file" }).click()]);
  await eventually(async () => assert.match(await original.locator("body").innerText(), /\.SH NAME\s+ferry/));
  await original.close();
});

test("with a key, the original file is downloaded", async (t) => {
  const keyed = await start(["keys", "--files", folder]);
  process.env.NSFL_KEY = keyed.key;
  keyed.run("index", folder, "-c", "pages", "--server", keyed.url, "--quiet");
  const page = await keyed.open(t, find("lantern at night", "&c=pages"), { before: (p) => p.addInitScript((key) => sessionStorage.setItem("nsfl-key", key), keyed.key) });
  t.after(() => keyed.stop()); // after the page is closed
  const dialog = await reading(page);
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download the original file" }).click()]);
  assert.equal(download.suggestedFilename(), "ferry.8");
  assert.equal(readFileSync(await download.path(), "utf8"), source);
});

test("a field with one value in all results is neither in them nor a facet", async (t) => {
  const page = await s.open(t, find("river", "&c=pages"), { size: [1440, 900] });
  await page.locator(".hits > li").nth(1).waitFor();
  await page.getByRole("region", { name: "Narrow by" }).waitFor();
  assert.doesNotMatch(await page.locator(".hits").innerText(), /\b(type|modified) /);
  assert.equal(await page.getByRole("button", { name: /^man 2$/ }).count(), 0);
});
