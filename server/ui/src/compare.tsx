// Plain retrieval and logic side by side; lines join the same document.
import { useMemo, useRef, useState } from "preact/hooks";
import { number, plural } from "./format";
import { useFlip } from "./flip";
import { follow } from "./follow";
import { Marked, type Wanted } from "./marked";
import { Chance, wantedBy } from "./results";
import type { Answer, PlainHit } from "./types";

interface Props {
  answer: Answer;
  open: string;
  moved: boolean;
  link: (id: string) => string;
  choose: (id: string) => void;
  study: boolean; // with scores
}

const row = 66; // height of a line in the lists, as in style/compare.css

interface Line {
  id: string;
  kind: "same" | "up" | "down" | "in" | "out";
  path: string;
}

// lines go from the left list to the right one, also where these show different copies of
// a document. One that only one of them holds has a short one.
export function lines(answer: Answer, width: number): Line[] {
  const plain = answer.plain ?? [];
  const left = new Map(plain.map((p, i) => [p.now, i]));
  const y = (i: number) => i * row + row / 2;
  const path = (from: number, to: number) => `M0,${from}C${width / 2},${from},${width / 2},${to},${width},${to}`;
  const list: Line[] = answer.hits.map((h, i) => {
    const was = left.get(h.rank);
    if (was === undefined) return { id: h.id, kind: "in", path: `M${0.68 * width},${y(i)}H${width}` };
    return { id: h.id, kind: was > i ? "up" : was < i ? "down" : "same", path: path(y(was), y(i)) };
  });
  plain.forEach((p, i) => {
    if (!p.now) list.push({ id: p.id, kind: "out", path: `M0,${y(i)}H${0.32 * width}` });
  });
  return list;
}

export function Compare({ answer, open, moved, link, choose, study }: Props) {
  const [over, setOver] = useState("");
  const right = useRef<HTMLOListElement>(null);
  useFlip(right, answer.hits.map((h) => h.id).join("\n"), moved);
  const wanted = useMemo(() => wantedBy(answer), [answer]);
  const plain = answer.plain ?? [];
  const joined = useMemo(() => lines(answer, 100), [answer]);
  const twin = (p: PlainHit) => answer.hits[(p.now ?? 0) - 1]?.id ?? p.id; // its counterpart on the right
  const lit = over || open;
  const height = row * Math.max(answer.hits.length, plain.length);
  const item = (id: string, line = id) => ({
    "data-id": id,
    class: line === lit ? "lit" : "",
    onMouseEnter: () => setOver(line),
    onMouseLeave: () => setOver(""),
    onFocusIn: () => setOver(line),
    onFocusOut: () => setOver(""),
  });
  const entered = joined.filter((l) => l.kind === "in").length;
  const entries = new Set(plain.map((p) => p.now));
  if (!plain.length) return <p class="empty">There is nothing to compare with in this mode.</p>;
  return (
    <div class="compare">
      <p class="muted summary">
        {entered > 0 ? `Logic brought in ${entered} of ${plural(answer.hits.length, "document")}.`
          : joined.every((l) => l.kind === "same") ? "Logic changes nothing here." : "The same documents in another order."}
        {" "}Plain retrieval searches with the whole query as one string, by its vector only.
      </p>
      <h2>Plain retrieval</h2>
      <span />
      <h2>With logic</h2>
      <ol aria-label="Plain retrieval">
        {plain.map((p) => (
          <li key={p.id} {...item(p.id, twin(p))}>
            <Entry href={link(p.id)} choose={() => choose(p.id)} rank={p.rank} score={study ? p.score : undefined} meaning="similarity to the query as one string, where 1 is the same" title={p.title} text={p.text} id={p.id} wanted={wanted}
              copies={p.copy_count} tag={p.now ? undefined : <span class="tag out">removed</span>} />
          </li>
        ))}
      </ol>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" height={height} aria-hidden="true">
        {joined.map((l) => <path key={l.kind + l.id} d={l.path} class={l.kind + (lit === l.id ? " lit" : lit ? " dim" : "")} vector-effect="non-scaling-stroke" />)}
      </svg>
      <ol aria-label="With logic" ref={right}>
        {answer.hits.map((h) => (
          <li key={h.id} {...item(h.id)}>
            <Entry href={link(h.id)} choose={() => choose(h.id)} rank={h.rank} score={study ? h.score : undefined} meaning="how well it matches the formula, by meaning and by words" title={h.title} text={h.snippet?.text} id={h.id} wanted={wanted} chance={<Chance of={h} />} copies={h.copy_count}
              tag={entries.has(h.rank) ? undefined
                : <span class="tag in">{h.plain_rank ? `from rank ${h.plain_rank}` : "new"}</span>} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface EntryProps {
  href: string;
  choose: () => void;
  rank: number;
  score?: number;
  meaning: string; // of the score
  title?: string;
  text?: string;
  id: string;
  wanted: Wanted;
  chance?: preact.ComponentChildren;
  copies?: number;
  tag: preact.ComponentChildren;
}

function Entry({ href, choose, rank, score, meaning, title, text, id, wanted, chance, copies, tag }: EntryProps) {
  return (
    <a class="hit entry" href={href} onClick={(e) => follow(e, choose)}>
      <span class="rank">{rank}</span>
      <span class="text">
        {title && <b>{title} </b>}
        {text ? <Marked text={text} wanted={wanted} /> : !title && id}
      </span>
      <span class="side">{!!copies && <i title={`and ${plural(copies, "copy", "copies")}`}>+{copies}</i>}{score !== undefined && <span class="number" title={meaning}>{number(score)}</span>}{chance}{tag}</span>
    </a>
  );
}
