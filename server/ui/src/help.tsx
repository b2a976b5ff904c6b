// The language and the keys on one page.
import { Dialog } from "./dialog";
import { ExampleList } from "./examples";
import type { Example } from "./types";
import { Version } from "./version";

const language: [string, string][] = [
  ["golden retriever", "one atom: words side by side belong together"],
  ["dog AND ball", "both"],
  ["dog OR cat", "either"],
  ["dog AND NOT leash, dog -leash", "the first without the second"],
  ["cats +dogs -birds", "cats AND dogs AND NOT birds"],
  ['"red car" "blue sky"', "quoted atoms side by side are joined by AND"],
  ["(beach OR lake) AND sunset", "parentheses group"],
  ["dog^2 AND ball", "the dog matters twice as much"],
  ["year:>=2015, kind:photo", "hard conditions on metadata"],
  ['-genre:"film noir"', "a condition that must not hold"],
  ['text:leash, NOT text:"tennis ball"', "words that the text must have, or must not"],
  ["2 OF (wind, solar, hydro)", "at least two of the three"],
  ["like:photo-012", "what is like a stored document"],
  ['example:"a pasted text"', "what is like a text"],
  ["NOT cats", "ranked by the absence of cats"],
];

const keys: [string, string][] = [
  ["/", "to the search box"],
  ["↑ ↓", "in the box: queries of before"],
  ["j k", "next, previous result"],
  ["Enter", "explain the result"],
  ["Esc", "in the box: the words as they are, not as a formula; leave the box; close the explanation"],
  ["Ctrl Enter", "in the box: go on with the formula that a sentence was read as"],
  ["1 2 3 4", "results, comparison, map, deltas"],
  ["?", "this help"],
];

export function Help({ examples, go, close }: { examples: Example[]; go: (query: string) => void; close: () => void }) {
  return (
    <Dialog title="Help" close={close} wide>
      {examples.length > 0 && <section class="examples" aria-label="Examples from this collection"><ExampleList examples={examples} go={go} /></section>}
      <div class="help">
        <section>
          <h3>The language</h3>
          <dl>{language.map(([write, mean]) => <div key={write}><dt><code>{write}</code></dt><dd>{mean}</dd></div>)}</dl>
          <p>A sentence such as “dogs without leashes” is read as a formula, which the page shows and one key takes back. AND, OR and NOT count in upper case only. NOT binds tightest, then AND, then OR. Quote an atom that has an operator, a parenthesis, <code>^</code> or <code>name:value</code> in it.</p>
        </section>
        <section>
          <h3>Keys</h3>
          <dl>{keys.map(([key, does]) => <div key={key}><dt>{key.split(" ").map((k) => <kbd key={k}>{k}</kbd>)}</dt><dd>{does}</dd></div>)}</dl>
          <h3>Reading the numbers</h3>
          <p><b>S</b> is the similarity of a document to a text. A <b>fusion</b> is a text that holds several atoms, such as “dog AND ball”.</p>
          <p><b>Δ</b> is what an atom brings to a fusion: S of the fusion less S of the rest. AND adds it, NOT takes it away, scaled by a <b>gate</b>: how present the unwanted thing is.</p>
          <p>A <b>noise floor</b> fires where a fusion is so far from its parts that a delta would mean nothing.</p>
          <p><b>Words</b> come to the score beside vectors: a word that the document has counts 1, the nearest to it, marked ~, less. What a document says to be absent, as in “no nuts”, counts against it.</p>
          <p>A <b>probability</b>, such as 73 %, stands where the collection’s profile has learned how often documents of such a score are relevant.</p>
          <p><Version /> · <a href="docs">HTTP API</a> · <a href="licenses.txt">Licences of what this page contains</a></p>
        </section>
      </div>
    </Dialog>
  );
}
