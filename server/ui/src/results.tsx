// The ranking as a list of documents.
import { useMemo, useRef } from "preact/hooks";
import { Bar, SignedBar, Value } from "./bars";
import { useFlip } from "./flip";
import { count, number, percent, plural, signed } from "./format";
import { Marked, MarkedFound, stemsOf, type Wanted } from "./marked";
import { More } from "./more";
import { Where } from "./place";
import { effects, negated } from "./structure";
import type { Answer, Hit, Metadata, Snippet } from "./types";
import { excerpt, foundIn, isAbsent, passagesOf } from "./words";

interface Props {
  answer: Answer;
  open: string; // id of the one that is explained
  moved: boolean; // animate what has moved
  link: (id: string) => string;
  choose: (id: string) => void;
  like: (id: string, negated: boolean) => void;
}

export function Results({ answer, open, moved, link, choose, like }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const hits = answer.hits;
  useFlip(list, hits.map((h) => h.id).join("\n"), moved);
  const scales = useMemo(() => {
    const all = hits.flatMap((h) => effects(h.explanation).map((e) => Math.abs(e.value)));
    return { delta: Math.max(0.05, ...all), score: Math.max(...hits.map((h) => h.score), 1e-9) };
  }, [hits]);
  const wanted = useMemo(() => wantedBy(answer), [answer]);
  return (
    <ol class="hits" ref={list} aria-label="Results">
      {hits.map((h) => (
        <li key={h.id} data-id={h.id} class={h.id === open ? "open" : ""}>
          <a class="hit" href={link(h.id)} aria-current={h.id === open ? "true" : undefined}
            onClick={(e) => followed(e, () => choose(h.id))}>
            <span class="place">
              <span class="rank">{h.rank}</span>
              <span class="score" title="score">{number(h.score)}</span>
              <Bar value={h.score} most={scales.score} />
              <Chance of={h} />
              <Moved hit={h} compared={answer.compared} />
            </span>
            <Body hit={h} wanted={wanted} />
            <Deltas hit={h} scale={scales.delta} />
          </a>
          <More name={h.title || h.id} like={(negated) => like(h.id, negated)} />
          {!!h.copy_count && <Copies hit={h} link={link} choose={choose} />}
        </li>
      ))}
    </ol>
  );
}

// Copies are the documents that say what a hit says, shown when they are wanted.
function Copies({ hit, link, choose }: { hit: Hit } & Pick<Props, "link" | "choose">) {
  const copies = hit.copies ?? [], more = (hit.copy_count ?? 0) - copies.length;
  return (
    <details class="copies">
      <summary>and {hit.copy_count === 1 ? "a copy" : plural(hit.copy_count!, "copy", "copies")}</summary>
      {copies.map((c) => (
        <a key={c.id} href={link(c.id)} onClick={(e) => followed(e, () => choose(c.id))}>
          {c.title && c.title !== hit.title && <span>{c.title}</span>}
          <span class="id">{c.id}</span>
        </a>
      ))}
      {more > 0 && <p class="muted">and {count(more)} more</p>}
    </details>
  );
}

// followed opens a document in place, unless a new tab or window is asked for.
export function followed(e: MouseEvent, choose: () => void) {
  if (!e.metaKey && !e.ctrlKey && !e.shiftKey) (e.preventDefault(), choose());
}

export function Nothing({ answer }: { answer: Answer }) {
  if (answer.left_out) return <p class="empty">{plural(answer.left_out, "document")} would be here, and none is as probable as you ask for.</p>;
  return <p class="empty">No document{answer.filter ? " fulfils the conditions on metadata" : " was found"}.</p>;
}

// Chance is the probability of a hit, where the profile knows it.
export function Chance({ of }: { of: Hit }) {
  if (!of.probability) return null;
  return <span class="chance number" title="probability of being relevant, calibrated">{percent(of.probability)}</span>;
}

export function wantedBy(answer: Answer): Wanted {
  const first = answer.hits[0];
  return stemsOf(Object.keys(first?.scores ?? {}), negated(first?.explanation));
}

function Moved({ hit, compared }: { hit: Hit; compared?: number }) {
  if (!compared) return null;
  if (!hit.plain_rank) return <span class="moved up" title={`plain retrieval has it beyond rank ${compared}`}>new</span>;
  const by = hit.plain_rank - hit.rank;
  if (by === 0) return <span class="moved" title="the same rank as in plain retrieval">=</span>;
  return <span class={"moved " + (by > 0 ? "up" : "down")} title={`rank ${hit.plain_rank} in plain retrieval`}>{by > 0 ? "▲" : "▼"} {Math.abs(by)}</span>;
}

// Body is what a document is: its title, what matched, and what else is known of it.
function Body({ hit, wanted }: { hit: Hit; wanted: Wanted }) {
  const text = hit.snippet?.text ?? "";
  const several = passagesOf(hit);
  const absent = (hit.words ?? []).filter((a) => isAbsent(a) && (a.negated || !several.length));
  return (
    <span class="body">
      {hit.title && <span class="title">{hit.words ? <MarkedFound text={hit.title} found={foundIn(hit.words)} /> : hit.title}</span>}
      {several.map((p) => (
        <span class="passage" key={p.text}>
          {p.text !== hit.title && <Matched hit={hit} text={p.text} atoms={p.atoms.map((a) => a.atom!)} wanted={wanted} />}
          <span class="chips">
            {p.atoms.map((a) => <AtomChip key={a.atom} of={a} hit={hit} />)}
            {p.text !== hit.title && <Where place={p.atoms[0].place} metadata={hit.metadata} />}
          </span>
        </span>
      ))}
      {!several.length && text && text !== hit.title && <Matched hit={hit} text={excerpt(text, foundIn(hit.words ?? []))} wanted={wanted} />}
      <span class="chips">
        {!several.length && hit.snippet?.atom && <AtomChip of={hit.snippet} />}
        {!several.length && text !== hit.title && <Where place={hit.snippet?.place} metadata={hit.metadata} />}
        {absent.map((a) => <span class={a.negated ? "chip without" : "chip absent"} key={a.atom}>{a.atom}: said to be absent</span>)}
        <Chips metadata={hit.metadata} />
        <span class="id">{hit.id}</span>
      </span>
    </span>
  );
}

// Matched is a passage with the words marked that were found of some atoms, or of all.
function Matched({ hit, text, atoms, wanted }: { hit: Hit; text: string; atoms?: string[]; wanted: Wanted }) {
  return (
    <span class={hit.title ? "snippet" : "snippet lead"}>
      {hit.words ? <MarkedFound text={text} found={foundIn(hit.words, atoms)} /> : <Marked text={text} wanted={wanted} />}
    </span>
  );
}

// AtomChip is a wanted atom beside the passage that has most of it.
function AtomChip({ of, hit }: { of: Snippet; hit?: Hit }) {
  const absent = hit?.words?.some((a) => a.atom === of.atom && isAbsent(a));
  return (
    <span class={absent ? "chip absent" : "chip atom"} title="the wanted atom that this passage matches best, and how similar it is">
      ≈ {of.atom}{of.similarity !== undefined && <Value value={of.similarity} />}{absent && " said to be absent"}
    </span>
  );
}

export function Chips({ metadata }: { metadata?: Metadata }) {
  return (
    <>
      {Object.entries(metadata ?? {}).slice(0, 6).map(([field, value]) => (
        <span class="chip" key={field}><i>{field}</i> {show(value)}</span>
      ))}
    </>
  );
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? text.slice(0, 59) + "…" : text;
}

function Deltas({ hit, scale }: { hit: Hit; scale: number }) {
  const list = effects(hit.explanation).slice(0, 4);
  const words = hit.explanation?.words;
  if (!list.length && !words) return null;
  return (
    <span class="deltas">
      {list.map((d, i) => (
        <span class="delta" key={i} title={`Δ of ${d.of}: S(${d.fused}) − S(${d.given}) = ${signed(d.value)}; the score ${d.effect >= 0 ? "gains" : "loses"} ${number(Math.abs(d.effect))}`}>
          <span class="of">Δ {d.of}</span>
          <SignedBar value={d.value} scale={scale} effect={d.effect} />
          <Value value={d.value} sign />
        </span>
      ))}
      {words && (
        <span class="delta" title={`what words added to the score of vectors: ${number(words.vectors)} ${signed(words.weight * words.said)} = ${number(hit.score)}`}>
          <span class="of">words</span>
          <SignedBar value={words.said} scale={1} effect={words.said} />
          <Value value={words.weight * words.said} sign />
        </span>
      )}
    </span>
  );
}
