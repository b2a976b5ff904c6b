import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { find, module, order, start } from "./harness.mjs";

let s;
before(async () => { s = await start(["keys"]); });
after(() => s?.stop());

const withKey = (page) => page.addInitScript((key) => sessionStorage.setItem("nsfl-key", key), s.key);
const open = (t, path) => s.open(t, path, { before: withKey });

// query has what shells, JSON, Go and Python each quote in their own way.
const query = `dog AND NOT "tennis 'ball' $HOME \\\\ \`x\` 🎾" year:>=2000`;
const settings = "&c=demo&k=7&mode=rerank&fusion=contextual&pool=union&n=300&profile=paper&copies=all&not=2&nofloor=and&words=0.5&gate=0.5";

// copied is what the menu copies.
async function copied(page, form) {
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) }, configurable: true }));
  await page.getByText("Copy as", { exact: true }).click();
  await page.getByRole("button", { name: form, exact: true }).click();
  await page.getByText(`${form} copied`).waitFor();
  return page.evaluate(() => window.copied);
}

const has = (command) => { try { execFileSync(command, command === "go" ? ["version"] : ["--version"]); return true; } catch { return false; } };
const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: "utf8", env: { ...process.env, NSFL_KEY: s.key } });

test("a copied link shows the same elsewhere", async (t) => {
  const page = await open(t, find(query, settings + "&nl=off"));
  await page.locator(".hits li").first().waitFor();
  const link = await copied(page, "Link");
  const other = await open(t, link.slice(s.url.length));
  await other.locator(".hits li").first().waitFor();
  assert.deepEqual(await order(other), await order(page));
  const first = await open(t, find("dog")); // of the first collection there is
  await first.locator(".hits li").first().waitFor();
  assert.equal(new URL(await copied(first, "Link")).searchParams.get("c"), "demo");
});

for (const [form, command, file] of [["curl", "sh", "search.sh"], ["Python", "python3", "search.py"], ["Go", "go", "main.go"]]) {
  test(`what is copied as ${form} finds the same`, { skip: !has(form === "curl" ? "curl" : command) && `there is no ${command}` }, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), "nsfl-copied-"));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    for (const path of [find(query, settings), find("dogs without leashes", "&c=demo")]) {
      const page = await open(t, path);
      await page.locator(".hits li").first().waitFor();
      const text = await copied(page, form);
      assert.ok(!text.includes(s.key), "the key itself");
      writeFileSync(join(dir, file), text);
      const out = run(command, form === "Go" ? ["run", file] : [file], dir);
      const ids = await order(page);
      const titles = await page.locator(".hits li").evaluateAll((all) => all.map((li) => li.querySelector(".title")?.textContent ?? li.dataset.id));
      if (form === "curl") assert.deepEqual(JSON.parse(out).hits.map((h) => h.id), ids);
      else assert.deepEqual(out.trim().split("\n").map((l) => l.trim().split(" ").slice(2).join(" ")), form === "Go" ? ids.map((id, i) => (titles[i] === id ? id : `${id} ${titles[i]}`)) : titles);
    }
  });
}

test("the address holds every setting", async () => {
  const { read, write, start: usual } = await module("url.ts");
  const all = { ...usual, collection: "a", query: "b", nl: "off", view: "map", doc: "d", screen: "s", mode: "rerank", fusion: "centroid", pool: "union", candidates: 300, k: 50, profile: "paper", least: 0.5, copies: true,
    logic: { c_and: 2, c_not: 0.5, gate: "off", floors: { and: false, not: true, or: false } }, words: 0.25, x: "f", y: "g" };
  for (const [name, value] of Object.entries(usual)) if (typeof value === "boolean") all[name] = !value;
  for (const name of Object.keys(usual)) assert.notDeepEqual(all[name], usual[name], `${name} is not tried`);
  assert.deepEqual(read(write(all)), all);
  assert.deepEqual(read(""), usual);
});
