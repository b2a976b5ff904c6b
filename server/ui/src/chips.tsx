// The parts of a formula as chips: negated, weighed, removed and added by a click.
import { useState } from "preact/hooks";
import { api } from "./api";
import { useTitles } from "./load";
import { likeText } from "./more";
import { added, changed, lastWanted, partAt, quoted, written, type Join, type Path } from "./outline";
import type { Part } from "./types";

interface Props {
  parts: Part[];
  collection: string;
  change: (formula: string) => void;
}

const weights = [0.5, 1, 2, 3, 5];

export function Chips({ parts, collection, change }: Props) {
  const titles = useTitles(collection, parts.flatMap((p) => p.parts ?? p).filter((p) => p.kind === "like").map((p) => p.name!));
  const set = (path: Path, part?: Part) => change(written(changed(parts, path, part)));
  const chip = (path: Path) => {
    const p = partAt(parts, path);
    return <Chip key={p.text + path.join()} part={p} name={shownAs(p, titles)} set={(part) => set(path, part)} />;
  };
  return (
    <div class="outline">
      <ul aria-label="Parts of the formula">
        {parts.map((p, i) => !p.parts ? <li key={i}>{chip([i])}</li> : (
          <li key={i} class={"group" + (p.negated ? " unwanted" : "")}>
            <button type="button" aria-pressed={!!p.negated} title={p.negated ? "Want it" : "Exclude it"} onClick={() => set([i], { ...p, negated: !p.negated })}>
              {p.negated ? "NOT " : ""}{p.least ? `${p.least} of` : "any of"}
            </button>
            {p.parts.map((_, j) => chip([i, j]))}
          </li>
        ))}
        <li><Add parts={parts} titles={titles} change={change} /></li>
      </ul>
    </div>
  );
}

// shownAs is what a chip is called: the title of a document that stands for an atom.
function shownAs(p: Part, titles: Map<string, string>): string {
  if (p.kind === "like") return "like " + short(titles.get(p.name!) || p.name!);
  if (p.kind === "example") return `like “${short(p.name!)}”`;
  return short(p.name || p.text!);
}

const short = (text: string) => (text.length > 40 ? text.slice(0, 39).trimEnd() + "…" : text);

function Chip({ part, name, set }: { part: Part; name: string; set: (part?: Part) => void }) {
  const weight = part.weight ?? 1;
  return (
    <span class={["part", part.kind, part.negated && "unwanted"].filter(Boolean).join(" ")}>
      {part.negated && <b>NOT</b>}
      <button type="button" aria-pressed={!!part.negated} aria-label={`Exclude ${name}`} title={part.negated ? "Excluded. Click to want it" : "Wanted. Click to exclude it"}
        onClick={() => set({ ...part, negated: !part.negated })}>{name}</button>
      {part.kind !== "predicate" && (
        <select aria-label={`Weight of ${name}`} title="How much it matters" class={weight === 1 ? "usual" : ""} value={String(weight)}
          onChange={(e) => set({ ...part, weight: Number(e.currentTarget.value) === 1 ? undefined : Number(e.currentTarget.value) })}>
          {[...new Set([...weights, weight])].sort((a, b) => a - b).map((w) => <option key={w} value={String(w)}>×{w}</option>)}
        </select>
      )}
      <button type="button" class="remove" aria-label={`Remove ${name}`} title="Remove" onClick={() => set()}>×</button>
    </span>
  );
}

function Add({ parts, titles, change }: { parts: Part[]; titles: Map<string, string>; change: (formula: string) => void }) {
  const [text, setText] = useState("");
  const [how, setHow] = useState<Join>("and");
  const [example, setExample] = useState(false);
  const to = lastWanted(parts);
  const other = to < 0 ? "" : parts[to].parts ? "the group" : shownAs(parts[to], titles);
  const add = async () => {
    if (!text.trim()) return;
    const part = example ? likeText(text) : await asPart(text.trim());
    setText("");
    setExample(false);
    change(written(added(parts, part, to < 0 && how === "or" ? "and" : how)));
  };
  return (
    <span class="add">
      <select aria-label="How to add it" value={how} onChange={(e) => setHow(e.currentTarget.value as Join)}>
        <option value="and">AND</option>
        <option value="not">NOT</option>
        {other && <option value="or">OR, instead of {other}</option>}
      </select>
      <input aria-label={example ? "Text to add as an example" : "Add to the formula"} placeholder={example ? "paste a text …" : "add …"} value={text} autocomplete="off" onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => e.key === "Enter" && !e.isComposing && (e.preventDefault(), void add())} />
      <button type="button" aria-pressed={example} title="What is added is a text as an example of what is wanted, or is not" onClick={() => setExample(!example)}>by example</button>
      <button type="button" disabled={!text.trim()} onClick={add}>Add</button>
    </span>
  );
}

// asPart is what was typed as one part: as the language has it, or as words.
async function asPart(text: string): Promise<Part> {
  const words: Part = { kind: "atom", name: text, text: quoted(text) };
  try {
    const { parts } = await api.parse(text, "off", "");
    return parts?.length === 1 && !parts[0].parts && !parts[0].negated ? parts[0] : words;
  } catch {
    return words;
  }
}
