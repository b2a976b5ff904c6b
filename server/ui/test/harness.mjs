// A real server, a real browser, and what must hold on every page.
import { chromium } from "playwright-core";
import { build } from "esbuild";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..", "..");
const flags = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

// serve gives a server with the demo and a directory for collections. NSFL_BIN names
// the binary; without it, it is built.
export async function serve(more = []) {
  const dir = mkdtempSync(join(tmpdir(), "nsfl-ui-"));
  let binary = process.env.NSFL_BIN;
  if (!binary) {
    binary = join(dir, "nsfl");
    execFileSync("go", ["build", "-o", binary, "./cmd/nsfl"], { cwd: root, stdio: "inherit" });
  }
  mkdirSync(join(dir, "collections"));
  const run = (...args) => execFileSync(binary, args, { encoding: "utf8" }).trim();
  const keys = more.includes("keys") ? ["--keys-file", join(dir, "keys")] : [];
  const settings = more.filter((m) => m !== "keys");
  const [key, reader] = keys.length ? ["admin", "read"].map((role) => run("serve", "key", "--role", role, ...keys)) : [];
  const server = spawn(binary, ["serve", "--demo", "--collections", join(dir, "collections"), "--listen", "127.0.0.1:0", "--log", "off", ...keys, ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NSFL_CACHE: "off" }, // the demo of this binary, not one that an older left
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = await Promise.race([
    new Promise((resolve) => createInterface(server.stdout).on("line", (l) => resolve(l.match(/https?:\/\/[^\s;]+/)?.[0]))),
    ended.then((code) => { throw new Error(`the server ended with ${code}`); }),
  ]);
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { url, key, reader, run, stop };
}

// launch gives a browser with a profile of its own.
export async function launch() {
  const profile = mkdtempSync(join(tmpdir(), "nsfl-chromium-"));
  const browser = await chromium.launchPersistentContext(profile, { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
  const stop = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, stop };
}

// start gives such a server and a browser.
export async function start(more = []) {
  const { url, key, reader, run, stop: stopServer } = await serve(more);
  const { browser, stop: stopBrowser } = await launch();
  const stop = async () => {
    await stopBrowser();
    await stopServer();
  };
  return { url, key, reader, run, browser, open: (t, path, o) => open(t, o?.browser ?? browser, url, path, o), stop };
}

// open shows a page of the server in a tab of its own. When the test ends, nothing
// may have been complained of but what expected allows, and no request may have
// left the server.
async function open(t, browser, url, path = "/", { size = [1280, 860], scheme = "light", motion = "no-preference", expected = /^$/, before } = {}) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(String(e)));
  page.on("request", (r) => !r.url().startsWith(url + "/") && !r.url().startsWith("data:") && complaints.push("left the origin: " + r.url()));
  page.setDefaultTimeout(45000);
  await page.setViewportSize({ width: size[0], height: size[1] });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: motion });
  t.after(async () => {
    await page.evaluate(() => { localStorage.clear(); sessionStorage.clear(); });
    await page.close();
    assert.deepEqual(complaints.filter((c) => !expected.test(c)), []);
  });
  await before?.(page);
  await page.goto(url + path);
  return page;
}

// study unfolds what is for study.
export const study = "&study=open";

// find is the address of a search, in the demo unless the rest names another collection.
export const find = (query, rest = "") => "/?q=" + encodeURIComponent(query) + (/&c=/.test(rest) ? "" : "&c=demo") + rest;

// eventually repeats a check until it holds, so that no test depends on how fast the page is.
export async function eventually(check) {
  for (const end = Date.now() + 30_000; ; await new Promise((again) => setTimeout(again, 25))) {
    try {
      return await check();
    } catch (e) {
      if (Date.now() > end) throw e;
    }
  }
}

// eventuallyEqual waits until a function of the page gives what is wanted.
export const eventuallyEqual = (get, want, message) => eventually(async () => assert.deepEqual(await get(), want, message));

export const box = (page) => page.getByRole("textbox", { name: "Formula to search for" });

// order returns the ids of the results as they are listed.
export const order = (page) => page.locator(".hits > li").evaluateAll((all) => all.map((li) => li.dataset.id));

// ask is the API itself.
export async function ask(url, path, body) {
  const response = await fetch(url + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

// module is a source of the page, for the tests of functions.
export async function module(name) {
  const made = await build({ entryPoints: [join(here, "..", "src", name)], bundle: true, write: false, format: "esm", target: "node20" });
  return import("data:text/javascript;base64," + Buffer.from(made.outputFiles[0].contents).toString("base64"));
}
