// The ranking as a list of documents.
import { useMemo, useRef } from "preact/hooks";
import { Body } from "./body";
import { Deltas } from "./deltas";
import { follow } from "./follow";
import { useFlip } from "./flip";
import { count, number, percent, plural } from "./format";
import { stemsOf, type Wanted } from "./marked";
import { effects, negatedAtoms } from "./structure";
import type { Answer, Hit } from "./types";

interface Props {
  answer: Answer;
  open: string; // id of the one that is explained
  moved: boolean; // animate what has moved
  study: boolean; // with what each part brought to the score
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
  return (
    <ol class="hits" ref={list} aria-label="Results">
      {hits.map((h) => (
        <li key={h.id} data-id={h.id} class={h.id === open ? "open" : ""}>
          <div class="card">
            <div class="place">
              <span class="rank" title="rank">{h.rank}</span>
              <Chance of={h} />
              <span class="scored" title="score: how well the document fulfils the formula, by meaning and by words">score <span class="score">{number(h.score)}</span></span>
              <Moved hit={h} compared={answer.compared} />
            </div>
            <Body hit={h} wanted={wanted} open={h.id === open} link={link(h.id)} choose={() => choose(h.id)} like={(negated) => like(h.id, negated)} />
            {study && <Deltas hit={h} scale={scale} />}
          </div>
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
        <a key={c.id} href={link(c.id)} onClick={(e) => follow(e, () => choose(c.id))}>
          {c.title && c.title !== hit.title && <span>{c.title}</span>}
          <span class="id">{c.id}</span>
        </a>
      ))}
      {more > 0 && <p class="muted">and {count(more)} more</p>}
    </details>
  );
}

export function Nothing({ answer }: { answer: Answer }) {
  if (answer.left_out) return <p class="empty">{plural(answer.left_out, "document")} would be here, and none is as probable as you ask for.</p>;
  return <p class="empty">No document{answer.filter ? " fulfils the conditions on metadata" : " was found"}.</p>;
}

// Chance is the probability of a hit, where the profile knows it.
export function Chance({ of }: { of: Hit }) {
  if (!of.probability) return null;
  return <span class="likely" title="how probable it is that the document is what you want"><span class="chance number">{percent(of.probability)}</span> likely</span>;
}

export function wantedBy(answer: Answer): Wanted {
  const first = answer.hits[0];
  return first ? stemsOf(Object.keys(first.scores), negatedAtoms(first)) : { stems: [], unwanted: [] };
}

// Moved is where plain retrieval has a hit.
function Moved({ hit, compared }: { hit: Hit; compared?: number }) {
  if (!compared) return null;
  if (!hit.plain_rank) return <span class="moved up" title={`plain retrieval, the query as one string, has it beyond rank ${compared}`}>▲ new</span>;
  const by = hit.plain_rank - hit.rank;
  const title = `plain retrieval, the query as one string, has it at rank ${hit.plain_rank}`;
  if (by === 0) return <span class="moved" title={title}>as plain</span>;
  return <span class={"moved " + (by > 0 ? "up" : "down")} title={title}>{by > 0 ? "▲" : "▼"} was {hit.plain_rank}</span>;
}
