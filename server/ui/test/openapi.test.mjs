// What the server says of its API is held against the rules of a linter, warnings as errors.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "./harness.mjs";

const linter = fileURLToPath(new URL("../node_modules/@redocly/cli/bin/cli.js", import.meta.url));
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
let dir, servers, descriptions;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), "nsfl-openapi-"));
  servers = await Promise.all([serve(), serve(["keys"])]);
  descriptions = await Promise.all(servers.map(async ({ url }) => (await fetch(url + "/openapi.json")).json()));
});
after(async () => {
  await Promise.all(servers?.map((server) => server.stop()) ?? []);
  rmSync(dir, { recursive: true });
});

// lint fails with what is complained of.
async function lint(document) {
  const path = join(dir, "openapi.json");
  writeFileSync(path, JSON.stringify(document, null, 1));
  await promisify(execFile)(process.execPath, [linter, "lint", "--extends", "recommended-strict", "--format", "stylish", path], { env, cwd: dir })
    .catch((e) => { throw new Error(e.stdout + e.stderr); });
}

test("the description of the API passes, without keys and with them", async () => {
  for (const description of descriptions) await lint(description);
});

test("a description with a mistake does not", async () => {
  const wrong = structuredClone(descriptions[0]);
  delete wrong.paths["/v1/collections/{name}"].get.parameters;
  await assert.rejects(lint(wrong), /path-parameters-defined/);
});
