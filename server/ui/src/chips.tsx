// The parts of a formula as chips, to exclude, weigh, remove and add by a click.
import { useState } from "preact/hooks";
import { api } from "./api";
import { short, shownAs } from "./found";
import { useTitles } from "./load";
import { likeText } from "./more";
import { added, changed, lastWanted, mentionOf, otherForm, partAt, quoted, written, type Join, type Path } from "./outline";
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
    // A condition cannot stand alone, nor in a group.
    const free = path.length === 1 && parts.some((other) => other !== p && other.kind !== "predicate");
    return <Chip key={path.join()} part={p} name={nameOf(p, titles)} free={free} set={(part) => set(path, part)} />;
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

const nameOf = (p: Part, titles: Map<string, string>) =>
  p.kind === "like" || p.kind === "example" ? shownAs(`${p.kind}:${p.name}`, titles) : short(mentionOf(p) ?? (p.name || p.text!));

interface ChipProps {
  part: Part;
  name: string;
  free: boolean; // an exclusion can switch between soft and hard
  set: (part?: Part) => void;
}

function Chip({ part, name, free, set }: ChipProps) {
  const weight = part.weight ?? 1;
  const hard = mentionOf(part) !== undefined;
  const other = part.negated && free ? otherForm(part) : undefined;
  const [now, then, why] = hard
    ? ["does not mention", "not about", "Pages that mention it are removed. Click to keep those that only mention it"]
    : ["not about", "does not mention", "Pages about it rank lower. Click to remove every page that mentions it"];
  return (
    <span class={["part", part.kind, part.negated && "unwanted"].filter(Boolean).join(" ")}>
      {other ? <button type="button" class="form" aria-label={`${now} ${name}: change to ${then}`} title={why} onClick={() => set(other)}>{now}</button>
        : part.negated ? <b>{hard ? now : "NOT"}</b> : hard && <b>mentions</b>}
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
  const other = to < 0 ? "" : parts[to].parts ? "the group" : nameOf(parts[to], titles);
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
      {text.trim()
        ? <button key="add" type="button" onClick={add}>Add</button>
        : <button key="example" type="button" aria-pressed={example} title="Add a text as an example of what you want, or do not want" onClick={() => setExample(!example)}>by example</button>}
    </span>
  );
}

// asPart parses a text as one part of a formula, or else takes it as words.
async function asPart(text: string): Promise<Part> {
  const words: Part = { kind: "atom", name: text, text: quoted(text) };
  try {
    const { parts } = await api.parse(text, "off", "");
    return parts?.length === 1 && !parts[0].parts && !parts[0].negated ? parts[0] : words;
  } catch {
    return words;
  }
}
