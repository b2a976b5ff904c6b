// The ranking as a list of documents.
import { useMemo, useRef } from "preact/hooks";
import { Bar, SignedBar, Value } from "./bars";
import { useFlip } from "./flip";
import { number, percent, plural, signed } from "./format";
import { Marked, stemsOf, type Wanted } from "./marked";
import { effects, negated } from "./structure";
import type { Answer, Hit, Metadata } from "./types";

interface Props {
  answer: Answer;
  open: string; // id of the one that is explained
  moved: boolean; // animate what has moved
  link: (id: string) => string;
  choose: (id: string) => void;
}

export function Results({ answer, open, moved, link, choose }: Props) {
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
            onClick={(e) => !e.metaKey && !e.ctrlKey && !e.shiftKey && (e.preventDefault(), choose(h.id))}>
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
        </li>
      ))}
    </ol>
  );
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

function Body({ hit, wanted }: { hit: Hit; wanted: Wanted }) {
  const text = hit.snippet?.text ?? "";
  return (
    <span class="body">
      {hit.title && <span class="title">{hit.title}</span>}
      {text && text !== hit.title && <span class={hit.title ? "snippet" : "snippet lead"}><Marked text={text} wanted={wanted} /></span>}
      <span class="chips">
        {hit.snippet?.atom && (
          <span class="chip atom" title="the wanted atom that this passage matches best">≈ {hit.snippet.atom}{hit.snippet.similarity !== undefined && <Value value={hit.snippet.similarity} />}</span>
        )}
        <Chips metadata={hit.metadata} />
        <span class="id">{hit.id}</span>
      </span>
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
  if (!list.length) return null;
  return (
    <span class="deltas">
      {list.map((d, i) => (
        <span class="delta" key={i} title={`Δ of ${d.of}: S(${d.fused}) − S(${d.given}) = ${signed(d.value)}; the score ${d.effect >= 0 ? "gains" : "loses"} ${number(Math.abs(d.effect))}`}>
          <span class="of">Δ {d.of}</span>
          <SignedBar value={d.value} scale={scale} effect={d.effect} />
          <Value value={d.value} sign />
        </span>
      ))}
    </span>
  );
}
