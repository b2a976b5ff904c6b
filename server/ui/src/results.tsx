// The ranking as a list of documents.
import { useMemo, useRef } from "preact/hooks";
import { Body } from "./body";
import { Deltas } from "./deltas";
import { follow } from "./follow";
import { useFlip } from "./flip";
import { count, number, percent, plural } from "./format";
import { stemsOf, type Wanted } from "./marked";
import { sameFields } from "./metadata";
import { effects, negatedAtoms } from "./structure";
import type { Answer, Hit } from "./types";

interface Props {
  answer: Answer;
  open: string; // id of the explained document
  moved: boolean; // animate results that moved
  study: boolean; // with scores and their parts
  link: (id: string) => string;
  choose: (id: string) => void;
  like: (id: string, negated: boolean) => void;
}

export function Results({ answer, open, moved, study, link, choose, like }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const hits = answer.hits;
  useFlip(list, hits.map((h) => h.id).join("\n"), moved);
  const scale = useMemo(() => Math.max(0.05, ...hits.flatMap((h) => effects(h.explanation).map((e) => Math.abs(e.value)))), [hits]);
  const wanted = useMemo(() => wantedBy(answer), [answer]);
  const same = useMemo(() => sameFields(hits), [hits]);
  return (
    <ol class="hits" ref={list} aria-label="Results">
      {hits.map((h) => (
        <li key={h.id} data-id={h.id} class={h.id === open ? "open" : ""}>
          <div class="card">
            <span class="rank" title="rank">{h.rank}</span>
            <Body hit={h} wanted={wanted} open={h.id === open} study={study} same={same} link={link(h.id)} choose={() => choose(h.id)} like={(negated) => like(h.id, negated)}
              aside={<span class="aside"><Chance of={h} />{study && <Numbers hit={h} compared={answer.compared} />}</span>} />
            {study && <Deltas hit={h} scale={scale} />}
          </div>
          {!!h.copy_count && <Copies hit={h} link={link} choose={choose} />}
        </li>
      ))}
    </ol>
  );
}

// Copies lists the documents with the same text as a hit, folded.
function Copies({ hit, link, choose }: { hit: Hit } & Pick<Props, "link" | "choose">) {
  const copies = hit.copies ?? [], more = (hit.copy_count ?? 0) - copies.length;
  return (
    <details class="copies">
      <summary>and {hit.copy_count === 1 ? "a copy" : plural(hit.copy_count!, "copy", "copies")}</summary>
      {copies.map((c) => (
        <a key={c.id} href={link(c.id)} onClick={(e) => follow(e, () => choose(c.id))}>
          {c.title && c.title !== hit.title && <span>{c.title}</span>}
          <span class="id">{c.id}</span>
        </a>
      ))}
      {more > 0 && <p class="muted">and {count(more)} more</p>}
    </details>
  );
}

export function Nothing({ answer, least }: { answer: Answer; least: number }) {
  if (answer.left_out && least) return <p class="empty">{plural(answer.left_out, "document")} found, but none is as likely to match as you asked for.</p>;
  if (answer.left_out) return null; // a note says so
  return <p class="empty">No documents {answer.filter ? "match the filter" : "were found"}.</p>;
}

// Chance shows how well a hit matches: a probability, or else a word.
export function Chance({ of }: { of: Hit }) {
  if (of.probability) return <span class="likely" title="how likely the document is what you want"><span class="chance number">{percent(of.probability)}</span> likely</span>;
  return of.strength ? <span class={"likely " + of.strength} title="how well the document matches">{of.strength} match</span> : null;
}

export function wantedBy(answer: Answer): Wanted {
  const first = answer.hits[0];
  return first ? stemsOf(Object.keys(first.scores), negatedAtoms(first)) : { stems: [], unwanted: [] };
}

// Numbers are the score of a hit and its rank in plain retrieval.
function Numbers({ hit, compared }: { hit: Hit; compared?: number }) {
  const plain = hit.plain_rank ? `rank ${hit.plain_rank} in plain retrieval` : `not in the first ${compared} of plain retrieval`;
  return (
    <>
      <span title="how well the document matches the formula, by meaning and by words">score <span class="score">{number(hit.score)}</span></span>
      {compared && <span title="plain retrieval searches with the query as one string">{plain}</span>}
    </>
  );
}
