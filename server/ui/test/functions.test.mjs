import assert from "node:assert/strict";
import { test } from "node:test";
import { module } from "./harness.mjs";

test("bytes become places in the string", async () => {
  const { fromBytes, inString, shifted } = await module("offsets.ts");
  assert.deepEqual(fromBytes("aé🐕b"), [0, 1, 1, 2, 2, 2, 2, 4, 5]);
  assert.deepEqual(inString("é AND", [{ start: 3, end: 6, kind: "operator" }]), [{ start: 2, end: 5, kind: "operator" }]);
  const token = (start, end) => ({ start, end, kind: "k" });
  for (const [older, newer, before, after] of [
    ["a AND b", "xa AND b", [token(2, 5)], [token(3, 6)]], // typed before it
    ["a AND b", "a AND bc", [token(2, 5)], [token(2, 5)]], // behind it
    ["a AND b", "a ANxD b", [token(2, 5)], [token(2, 6)]], // in it
    ["a AND b", "a b", [token(2, 5)], []], // taken away
    ["", "a", [], []],
  ]) assert.deepEqual(shifted(older, newer, before), after, newer);
});

test("the address keeps the state", async () => {
  globalThis.location = { pathname: "/" };
  const { read, write, start } = await module("url.ts");
  const state = {
    ...start, collection: "notes", query: "a & b=c #1 ü", view: "map", doc: "x/y?z", mode: "exact", fusion: "centroid", pool: "union", candidates: 300, k: 50, profile: "paper", least: 0.35, copies: true, words: 0,
    x: "a", y: "a AND b", logic: { c_and: 0, c_not: 2.5, gate: 0.3, floors: { and: false, not: true, or: false } },
  };
  assert.deepEqual(read(write(state)), state);
  assert.equal(write(start), "/");
  assert.deepEqual(read("?view=evil&k=-1&gate=7&and=x&not=99&mode=%00&n=1e99&profile=x&least=2&words=-1&copies=some"), start);
  assert.deepEqual(read("?gate=off").logic.gate, "off");
});

test("what is the paper's is not chosen", async () => {
  const { chosen, plainLogic } = await module("url.ts");
  assert.deepEqual(chosen(plainLogic), {});
  assert.deepEqual(chosen({ ...plainLogic, c_and: 0, gate: 0.3 }), { c_and: 0, gate: 0.3 });
  assert.deepEqual(chosen({ ...plainLogic, c_not: 2, gate: "off", floors: { and: true, not: false, or: false } }), { c_not: 2, gate: "off", no_floors: "not,or" });
});

test("regions are where the inequalities hold", async () => {
  const { region, clip, median } = await module("plane.ts");
  const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
  assert.deepEqual(clip(square, 1, 0, -0.5), [[0.5, 0], [1, 0], [1, 1], [0.5, 1]]);
  assert.deepEqual(clip(square, 0, 0, -1), []);
  const departure = { sums: [new Map([["a", 1], ["f", -1]]), new Map([["b", 1], ["f", -1]])] };
  const corners = region(departure, "a", "b", () => 0.25, [0, 0], [1, 1]);
  assert.deepEqual(corners.sort(), [[0.25, 0.25], [0.25, 1], [1, 0.25], [1, 1]]);
  assert.equal(region(departure, "c", "d", () => 0.25, [0, 0], [1, 1]), undefined); // not in this plane
  assert.equal(region(departure, "a", "b", () => 2, [0, 0], [1, 1]), undefined); // nowhere in it
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([1, 2, 3, 4]), 2.5);
});

test("the shape of a formula is read from an explanation", async () => {
  const { effects, floors, fires, negated, negatedAtoms } = await module("structure.ts");
  const delta = (of, given, fused, value, used = true) => ({ of, given, fused, value, used });
  const not = {
    rule: "not", score: 0.3, similarities: [{ formula: "a" }, { formula: "n" }, { formula: "a AND n" }],
    deltas: [delta("n", "a", "a AND n", 0.2)], gates: [{ of: "n", penalty: 0.1 }],
  };
  assert.deepEqual([...negated(not)], ["n"]);
  assert.deepEqual([...negatedAtoms({ scores: { a: 1, "b c": 1 }, explanation: { gates: [{ of: "x AND b c" }] } })], ["b c"]);
  assert.deepEqual(effects(not).map((e) => e.effect), [-0.1]);
  const [floor] = floors(not, ["a", "n", "a AND n"]);
  const at = (a, n, f) => fires(floor, (term) => ({ a, n, "a AND n": f })[term]);
  assert.deepEqual([at(0.5, 0.5, 0.4), at(0.5, 0.3, 0.4), at(0.3, 0.5, 0.4)], [true, false, false]);
  assert.deepEqual(floors(not, ["a", "n"]), []); // a term that is not known

  // With several wanted parts NOT has no floor: their fusion is among the similarities.
  const several = { ...not, similarities: [{ formula: "a AND b" }, { formula: "a AND b" }, { formula: "n" }], deltas: [delta("n", "a AND b", "a AND b AND n", 0)] };
  assert.deepEqual(floors(several, ["a AND b", "n", "a AND b AND n"]), []);

  const and = { rule: "and", score: 0.9, deltas: [delta("b", "a", "a AND b", -0.1), delta("a", "b", "a AND b", 0.1, false)] };
  const [reinforced] = floors(and, ["a", "b", "a AND b"]);
  assert.deepEqual([0.5, 0.7].map((f) => fires(reinforced, (term) => ({ a: 0.3, b: 0.3, "a AND b": f })[term])), [false, true]);
  // Of an OR only the best alternative has made the score.
  assert.deepEqual(effects({ rule: "or", score: 0.9, parts: [not, and] }).map((e) => [e.of, e.effect]), [["b", -0.1]]);
});

test("words are marked in their forms, wanted or not", async () => {
  const { stemsOf } = await module("marked.tsx");
  const found = stemsOf(["dogs", "the red car", "leash"], new Set(["leash"]));
  assert.deepEqual(found, { stems: ["dog", "red", "car"], unwanted: ["leash"] });
});

test("what was found of a formula's words is told", async () => {
  const { foundIn, kindOf, placeOf, plain } = await module("words.ts");
  const one = (word, matched, similarity, more) => ({ word, matched, similarity, passage: 0, weight: 1, ...more });
  assert.deepEqual([one("dog", "dogs", 1), one("dog", "puppy", 0.71), one("dog", "dog", 1, { denied: true }), one("dog", undefined, 0)].map(kindOf), ["exact", "soft", "denied", "none"]);
  // A reader does not count the title among the passages.
  assert.deepEqual([placeOf({ title: "x" }, one("a", "a", 1)), placeOf({ title: "x" }, one("a", "a", 1, { passage: 2 })), placeOf({}, one("a", "a", 1))], ["title", "passage 2", "passage 1"]);
  const words = [
    { atom: "the dogs", share: 1, found: [one("the", "the", 1, { weight: 0.05 }), one("dog", "dogs", 1, { weight: 0.95 })] },
    { atom: "toy", share: 0.5, found: [one("toy", "frisbee", 0.5)] },
    { atom: "ball", negated: true, share: 1, found: [one("ball", "ball", 1)] },
    { atom: "leash", negated: true, share: -0.25, found: [one("leash", "leash", 1, { denied: true })] },
  ];
  assert.deepEqual([...foundIn(words)].map(([w, m]) => [w, m.mark]), [["dogs", "exact"], ["dog", "exact"], ["frisbee", "soft"], ["ball", "unwanted"], ["leash", "denied"]]);
  assert.deepEqual([...foundIn(words, ["toy"])], [["frisbee", { mark: "soft", word: "toy" }]]);
  assert.equal(plain("Café"), "cafe");
});

test("what was found of each atom is a verdict", async () => {
  const { evidenceOf, snippetOf } = await module("evidence.ts");
  const one = (word, matched, similarity = matched === word ? 1 : matched ? 0.6 : 0, more) => ({ word, matched, similarity, passage: 0, weight: 1, ...more });
  const atom = (name, share, found, negated) => ({ atom: name, share, found, negated });
  const verdicts = (words, more) => evidenceOf({ scores: Object.fromEntries(words.map((w) => [w.atom, 0.4])), words, ...more }).map((e) => [e.kind, e.effect, e.says]);
  const half = [one("golden", "golden", 1, { weight: 0.5 }), one("retriever", undefined, 0, { weight: 0.5 })];
  const mixed = [one("golden", "golden", 1, { weight: 0.5 }), one("retriever", "spaniel", 0.6, { weight: 0.5 })];
  const denied = [one("dog", "dog", 1, { denied: true })];
  for (const [share, found, wanted, refused] of [
    [1, [one("dog", "dog")], ["mentioned", "for", "mentioned"], ["mentioned", "against", "mentioned"]],
    [0.6, [one("dog", "puppy")], ["near", "for", "similar: puppy"], ["near", "against", "similar: puppy"]],
    [0.5, half, ["partial", "for", "partly mentioned: golden"], ["partial", "against", "partly mentioned: golden"]],
    [0.8, mixed, ["near", "for", "similar: golden, spaniel for retriever"], ["near", "against", "similar: golden, spaniel for retriever"]],
    [0, [one("dog")], ["meaning", "open", "by meaning"], ["absent", "for", "not mentioned"]],
    [-0.25, denied, ["denied", "against", "ruled out by the text"], ["denied", "for", "ruled out by the text"]],
    [0, undefined, ["meaning", "open", "by meaning"], ["meaning", "open", "by meaning"]], // a document, not words
  ]) assert.deepEqual(verdicts([atom("a", share, found), atom("b", share, found, true)]), [wanted, refused]);

  // Without words all is a matter of meaning, and what is not wanted is known from the explanation.
  const dumb = evidenceOf({ scores: { a: 0.5, n: 0.1 }, explanation: { gates: [{ of: "n" }] } });
  assert.deepEqual(dumb.map((e) => [e.atom, e.negated, e.says]), [["a", false, "by meaning"], ["n", true, "by meaning"]]);

  // A snippet has a piece of every passage, those with a mention first.
  const far = "dog " + "x ".repeat(200) + "a ball";
  const hit = {
    scores: {}, words: [atom("m", 0, [one("m")]), atom("dog", 1, [one("dog", "dog")]), atom("ball", 1, [one("ball", "ball")]), atom("cat", 1, [one("cat", "cat")], true)],
    passages: [{ text: "z", atom: "m" }, { text: far, atom: "dog" }, { text: far, atom: "ball" }], unwanted: [{ text: "a cat", atom: "cat", share: 1 }],
  };
  const { text, from } = snippetOf(hit, evidenceOf(hit));
  assert.match(text, /^dog (x )+… (x )+a ball a cat$/);
  assert.ok(text.length < 220, text);
  assert.equal(from, hit.passages[1]);
  const same = { scores: {}, words: hit.words.slice(1, 3), passages: [{ text: "a dog, a ball", atom: "dog" }, { text: "a dog, a ball", atom: "ball" }] };
  assert.equal(snippetOf(same, evidenceOf(same)).text, "a dog, a ball");
  assert.equal(snippetOf({ scores: {}, snippet: { text: "x" } }, []).text, "x");
});

test("a passage has headings and paragraphs", async () => {
  const { blocks } = await module("reader.tsx");
  const of = (...a) => blocks(...a).map((b) => (b.heading ? "# " : "") + b.text);
  assert.deepEqual(of("NAME\n\ngit-branch\n  list", { line: 1 }), ["# NAME", "git-branch\n  list"]);
  assert.deepEqual(of("Install\n\nOne file", { heading: "A › Install" }), ["# Install", "One file"]);
  assert.deepEqual(of("One file", { heading: "A › Install" }), ["# Install", "One file"]); // it is not in the passage
  assert.deepEqual(of("More", { heading: "A › Install" }, { heading: "A › Install" }), ["More"]);
});

test("vectors and words make the score", async () => {
  const { sum } = await module("wordspart.tsx");
  assert.equal(sum({ vectors: 0.5, weight: 0.8, lexical: 1 }), "0.500 vectors + 0.80 · 1.000 words");
  assert.equal(sum({ vectors: 0.5, weight: 0.8, lexical: -0.25 }), "0.500 vectors − 0.80 · 0.250 words");
});

test("scales begin and end at round values", async () => {
  const { linear } = await module("scale.ts");
  const s = linear(-0.03, 0.97, [0, 100]);
  assert.deepEqual(s.domain.map((v) => +v.toFixed(6)), [-0.1, 1]);
  assert.deepEqual(s.ticks(5).map((v) => +v.toFixed(6)), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual([s(-0.1), s(1)].map(Math.round), [0, 100]);
});

test("numbers are written as people read them", async () => {
  const f = await module("format.ts");
  assert.deepEqual([f.number(-0.5), f.signed(0.25), f.signed(-0.25, 2), f.bytes(999), f.bytes(1234567), f.plural(1, "file"), f.plural(1200, "file"), f.percent(0.734), f.percent(0.004), f.percent(0.999)],
    ["−0.500", "+0.250", "−0.25", "999 B", "1.23 MB", "1 file", "1,200 files", "73 %", "< 1 %", "> 99 %"]);
});

test("folders are a facet, however many there are, and names are none", async () => {
  const { isShared, worthCounting } = await module("narrow.tsx");
  const buckets = (...counts) => counts.map((count) => ({ count }));
  assert.ok(isShared({ buckets: buckets(246, 158, 65, 28, 20, 12), others: 34 }));
  assert.ok(isShared({ buckets: buckets(3, 2, 2), others: 5 }));
  assert.ok(!isShared({ buckets: buckets(2, 2, 1, 1, 1, 1), others: 400 }));
  assert.ok(!isShared({ buckets: buckets(1, 1), others: 0 }));
  const fields = [{ name: "layout", documents: 2 }, { name: "folder", documents: 426 }, { name: "source", documents: 426 }, { name: "language", documents: 383 }];
  assert.deepEqual(worthCounting(fields), ["folder", "language"]);
});
