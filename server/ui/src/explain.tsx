// Why a document has its rank: the evidence for each atom, and how the score was computed.
import { useState } from "preact/hooks";
import { evidenceOf, snippetOf, type Evidence } from "./evidence";
import { number, percent } from "./format";
import { FoundWords, inFull } from "./found";
import { Marked, MarkedFound, type Wanted } from "./marked";
import { More } from "./more";
import { whereabouts } from "./place";
import { Reader } from "./reader";
import { Rule } from "./rule";
import type { Explanation, Hit, Logic, Snippet } from "./types";
import { Whole } from "./whole";
import { excerpt, firstFound, foundIn } from "./words";
import { WordsPart } from "./wordspart";

interface Props {
  hit: Hit;
  ranked: number;
  candidate: boolean;
  logic: Logic;
  wanted: Wanted;
  study: boolean; // numbers are open
  collection: string;
  writable: boolean;
  files: boolean; // original files can be read
  like: (negated: boolean) => void;
  close: () => void;
  deleted: () => void;
}

export function Explain({ hit, ranked, candidate, logic, wanted, study, collection, writable, files, like, close, deleted }: Props) {
  const x = hit.explanation;
  const [reading, read] = useState<{ at?: Snippet }>();
  const marked = (text: string) => (hit.words ? <MarkedFound text={text} found={foundIn(hit.words)} /> : <Marked text={text} wanted={wanted} />);
  return (
    <article class="explain" aria-label={`Explanation of ${hit.title || hit.id}`}>
      <header>
        <div>
          <h2>{hit.title || hit.id}</h2>
          <p class="muted">
            Rank {hit.rank} of {ranked}
            {hit.plain_rank ? `, ${hit.plain_rank} in plain retrieval` : ""}
            {hit.probability ? ` · ${percent(hit.probability)} likely` : hit.strength ? ` · ${hit.strength} match` : ""}
            {hit.title ? ` · ${hit.id}` : ""}
          </p>
        </div>
        <button class="icon" onClick={close} aria-label="Close the explanation" title="Close (Esc)">×</button>
      </header>
      {!candidate && <p class="note">This document is not among the candidates of the search mode. The rank is the one among all documents.</p>}
      <Verdicts hit={hit} marked={marked} read={(at) => read({ at })} />
      <div class="next">
        <button onClick={() => read({ at: bestOf(hit) })}>Read the document</button>
        <More name={hit.title || hit.id} like={like} />
      </div>
      {x && <Parts of={x} />}
      {x && (
        <details class="numbers" open={study}>
          <summary>How the score was computed</summary>
          <Rule x={x} logic={logic} top />
          {x.words && <WordsPart hit={hit} words={x.words} />}
        </details>
      )}
      <Whole key={hit.id} hit={hit} collection={collection} writable={writable} deleted={deleted} />
      {reading && <Reader hit={hit} at={reading.at} marked={marked} collection={collection} files={files} close={() => read(undefined)} />}
    </article>
  );
}

// bestOf returns the passage with most of the wanted atoms.
const bestOf = (hit: Hit) => snippetOf(hit, evidenceOf(hit).filter((e) => !e.negated)).from ?? hit.snippet;

const quoted = 400; // characters of a passage

// Verdicts lists the evidence for each atom, with the passage that shows it.
function Verdicts({ hit, marked, read }: { hit: Hit; marked: (text: string) => preact.ComponentChildren; read: (at: Snippet) => void }) {
  const seen = new Set<string>();
  const fresh = (e: Evidence) => {
    const text = e.passage ? excerpt(e.passage.text, Math.max(0, firstFound(e.passage.text, foundIn(hit.words ?? [], [e.atom]))), quoted) : "";
    if (!text || seen.has(text)) return "";
    seen.add(text);
    return text;
  };
  return (
    <section class="verdicts" aria-label="What was found">
      <h3>What was found</h3>
      <ul>
        {evidenceOf(hit).map((e) => {
          const text = fresh(e), where = text && whereabouts(e.passage!.place, hit.metadata);
          return (
            <li key={e.atom} class={`${e.effect} ${e.kind}`}>
              <p class="verdict" title={inFull(e)}><FoundWords of={e} />{e.kind === "meaning" && e.similarity !== undefined && ` ${number(e.similarity, 2)}`}</p>
              {text && <p class="quote">{marked(text)}</p>}
              {where && <button class="quiet where" title="Read this passage in the document" onClick={() => read(e.passage!)}>{where}</button>}
            </li>
          );
        })}
      </ul>
      {!seen.size && hit.snippet?.text && <p class="quote">{marked(hit.snippet.text)}</p>}
    </section>
  );
}

// Parts shows how much of the score came from meaning and from words.
function Parts({ of }: { of: Explanation }) {
  const { words } = of, added = words && words.weight * words.lexical;
  return (
    <dl class="made" title="how well the document matches the formula">
      {words && <div title="similarities of vectors, combined by the operators"><dt>by meaning</dt><dd class="number">{number(words.vectors)}</dd></div>}
      {words && <div title="what the words of the document add or take away"><dt>by words</dt><dd class="number">{(added! < 0 ? "−" : "+") + " " + number(Math.abs(added!))}</dd></div>}
      <div><dt>score</dt><dd class="number total">{words && "= "}{number(of.score)}</dd></div>
    </dl>
  );
}
