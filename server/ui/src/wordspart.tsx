// The lexical part of a score.
import { Bar, Value } from "./bars";
import { number } from "./format";
import type { Found, Hit, Words } from "./types";
import { kindOf, placeOf } from "./words";

export function WordsPart({ hit, words }: { hit: Hit; words: Words }) {
  return (
    <section class="rule words" aria-label="Words">
      <table>
        <caption>Words</caption>
        <tbody>
          {hit.words?.map((a) => (
            <tr key={a.atom}>
              <th scope="row">
                {a.negated && "NOT "}{a.atom}
                <ul>{a.found?.map((f) => <li key={f.word}><OneWord hit={hit} of={f} /></li>)}</ul>
              </th>
              <td class="graph"><Bar value={a.share} kind={a.negated ? "gate" : ""} /></td>
              <td><Value value={a.share} /></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="added">{sum(words)} = <b>{number(words.vectors + words.weight * words.lexical)}</b></p>
      <p class="muted small">A word that the document mentions counts 1, a similar one less (~). A word that the text rules out counts against it.</p>
    </section>
  );
}

// OneWord shows the match of a word, and where.
function OneWord({ hit, of }: { hit: Hit; of: Found }) {
  const kind = kindOf(of);
  if (kind === "none") return <i>{of.word}: not found</i>;
  const near = of.similarity < 1;
  return (
    <>
      {near && <i>{of.word}: </i>}
      <mark class={kind}>{of.matched}</mark>
      <i>{near && ` ~${number(of.similarity, 2)}`}{kind === "denied" && " ruled out by the text"}, {placeOf(hit, of)}</i>
    </>
  );
}

// sum formats the score of vectors and the part of words.
export function sum(w: Words): string {
  return `${number(w.vectors)} vectors ${w.lexical < 0 ? "−" : "+"} ${number(w.weight, 2)} · ${number(Math.abs(w.lexical))} words`;
}
