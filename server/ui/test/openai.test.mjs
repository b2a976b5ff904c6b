// OpenAI's own package, against the server.
import OpenAI from "openai";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve } from "./harness.mjs";

const texts = ["a dog on a leash", "tax law", "déjà vu"];
let server, client;

before(async () => {
  server = await serve(["keys"]);
  client = new OpenAI({ baseURL: server.url + "/v1", apiKey: server.reader, maxRetries: 0 });
});
after(() => server?.stop());

const near = (a, b) => a.length === b.length && a.every((v, i) => Math.abs(v - b[i]) < 1e-6);

test("texts become vectors, as numbers and as base64", async () => {
  const many = await client.embeddings.create({ model: "builtin", input: texts, encoding_format: "float" });
  assert.deepEqual(many.data.map((e) => e.index), [0, 1, 2]);
  assert.equal(many.usage.total_tokens, 9);
  // The package asks for base64 where the caller does not say, and decodes it.
  const coded = await client.embeddings.create({ model: "builtin", input: texts, dimensions: 384 });
  coded.data.forEach((e, i) => assert.ok(near(e.embedding, many.data[i].embedding), `text ${i}`));
  const raw = await client.embeddings.create({ model: "demo", input: texts[1], encoding_format: "base64" });
  const bytes = Buffer.from(raw.data[0].embedding, "base64");
  assert.ok(near(Array.from({ length: 384 }, (_, i) => bytes.readFloatLE(4 * i)), many.data[1].embedding));
});

test("models are listed and told one by one", async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.deepEqual(ids, ["builtin", "demo"]);
  assert.equal((await client.models.retrieve("demo")).owned_by, "collection");
  await assert.rejects(client.models.retrieve("nope"), (e) => e instanceof OpenAI.NotFoundError && e.param === "model");
});

for (const [param, more, said] of [
  ["model", { model: "nope" }, /there is no model "nope"/],
  ["dimensions", { dimensions: 12 }, /dimensions is 12; the model has 384/],
  ["encoding_format", { encoding_format: "hex" }, /must be float or base64/],
  ["input", { input: [] }, /between 1 and 256/],
  ["input", { input: Array(257).fill("dog") }, /input has 257 texts/],
  ["input", { input: [[1, 2]] }, /tokens are not supported/],
]) {
  test(`a mistake in ${param} is told: ${said.source}`, async () => {
    const asked = client.embeddings.create({ model: "builtin", input: "dog", ...more });
    const [kind, code] = param === "model" ? [OpenAI.NotFoundError, "not_found"] : [OpenAI.BadRequestError, "invalid"];
    await assert.rejects(asked, (e) => {
      assert.ok(e instanceof kind, e.constructor.name);
      assert.deepEqual([e.code, e.type, e.param], [code, "invalid_request_error", param]);
      assert.match(e.message, said);
      return true;
    });
  });
}

test("a wrong key is told", async () => {
  const stranger = client.withOptions({ apiKey: "nsfl_wrong" });
  await assert.rejects(stranger.models.list(), (e) => e instanceof OpenAI.AuthenticationError && e.code === "unauthorized" && e.type === "authentication_error");
});

test("who asks too often comes back when the server says", async (t) => {
  const busy = await serve(["keys", "--rate", "1", "--burst", "1"]);
  t.after(busy.stop);
  const once = client.withOptions({ baseURL: busy.url + "/v1", apiKey: busy.key });
  const impatient = async () => { for (let i = 0; i < 100; i++) await once.models.list(); };
  await assert.rejects(impatient(), (e) => e instanceof OpenAI.RateLimitError && e.code === "busy" && e.type === "rate_limit_error" && e.headers.get("retry-after") === "1");
  const patient = once.withOptions({ maxRetries: 1 });
  for (let i = 0; i < 2; i++) await patient.models.list();
});
