// Why a document is where it is: what was found of the formula, and how that made a score.
import { evidenceOf, type Evidence } from "./evidence";
import { number, percent } from "./format";
import { FoundWords, tells } from "./found";
import { Marked, MarkedFound, type Wanted } from "./marked";
import { More } from "./more";
import { Where } from "./place";
import { Rule } from "./rule";
import type { Explanation, Hit, Logic } from "./types";
import { Whole } from "./whole";
import { excerpt, foundIn } from "./words";
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
  like: (negated: boolean) => void;
  close: () => void;
  deleted: () => void;
}

export function Explain({ hit, ranked, candidate, logic, wanted, study, collection, writable, like, close, deleted }: Props) {
  const x = hit.explanation;
  const marked = (text: string) => (hit.words ? <MarkedFound text={text} found={foundIn(hit.words)} /> : <Marked text={text} wanted={wanted} />);
  return (
    <article class="explain" aria-label={`Explanation of ${hit.title || hit.id}`}>
      <header>
        <div>
          <h2>{hit.title || hit.id}</h2>
          <p class="muted">
            Rank {hit.rank} of {ranked}
            {hit.plain_rank ? `, ${hit.plain_rank} in plain retrieval` : ""}
            {hit.probability ? ` · ${percent(hit.probability)} likely` : ""}
            {hit.title ? ` · ${hit.id}` : ""}
          </p>
        </div>
        <button class="icon" onClick={close} aria-label="Close the explanation" title="Close (Esc)">×</button>
      </header>
      {!candidate && <p class="note">The mode's pool does not hold this document. The rank is the one among all documents.</p>}
      <Verdicts hit={hit} marked={marked} />
      {x && <Parts of={x} />}
      {x && (
        <details class="numbers" open={study}>
          <summary>How the score came about</summary>
          <Rule x={x} logic={logic} top />
          {x.words && <WordsPart hit={hit} words={x.words} />}
        </details>
      )}
      <More name={hit.title || hit.id} like={like} />
      <Whole key={hit.id} hit={hit} marked={marked} collection={collection} writable={writable} deleted={deleted} />
    </article>
  );
}

// Verdicts are what was found of each atom, with the passage that shows it.
function Verdicts({ hit, marked }: { hit: Hit; marked: (text: string) => preact.ComponentChildren }) {
  const seen = new Set<string>();
  const fresh = (e: Evidence) => {
    const text = e.passage ? excerpt(e.passage.text, foundIn(hit.words ?? [], [e.atom])) : "";
    if (!text || seen.has(text)) return "";
    seen.add(text);
    return text;
  };
  return (
    <section class="verdicts" aria-label="What was found">
      <h3>What was found</h3>
      <ul>
        {evidenceOf(hit).map((e) => {
          const text = fresh(e);
          return (
            <li key={e.atom} class={`${e.effect} ${e.kind}`}>
              <p class="verdict" title={tells(e)}><FoundWords of={e} /></p>
              {text && <p class="quote">{marked(text)}</p>}
              {text && <Where place={e.passage!.place} metadata={hit.metadata} />}
            </li>
          );
        })}
      </ul>
      {!seen.size && hit.snippet?.text && <p class="quote">{marked(hit.snippet.text)}</p>}
    </section>
  );
}

// Parts are what meaning and words made of the score.
function Parts({ of }: { of: Explanation }) {
  const { words } = of, added = words && words.weight * words.said;
  return (
    <dl class="made" title="how well the document fulfils the formula">
      {words && <div title="similarities of vectors, joined by the calculus"><dt>by meaning</dt><dd class="number">{number(words.vectors)}</dd></div>}
      {words && <div title="what its words say for the formula, or against it"><dt>by words</dt><dd class="number">{(added! < 0 ? "−" : "+") + " " + number(Math.abs(added!))}</dd></div>}
      <div><dt>score</dt><dd class="number total">{words && "= "}{number(of.score)}</dd></div>
    </dl>
  );
}
