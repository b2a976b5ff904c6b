// The language and the keys on one page.
import { Dialog } from "./dialog";
import { ExampleList } from "./examples";
import type { Example } from "./types";
import { Version } from "./version";

const language: [string, string][] = [
  ["golden retriever", "words side by side belong together"],
  ["dog AND ball", "both"],
  ["dog OR cat", "either"],
  ["dog AND NOT leash, dog -leash", "about dogs and not about leashes; a mention is allowed"],
  ["dog AND NOT text:leash", "about dogs, without any mention of a leash"],
  ["cats +dogs -birds", "cats AND dogs AND NOT birds"],
  ['"red car" "blue sky"', "quoted atoms side by side are joined by AND"],
  ["(beach OR lake) AND sunset", "parentheses group"],
  ["dog^2 AND ball", "the dog matters twice as much"],
  ["year:>=2015, kind:photo", "conditions on metadata"],
  ['-genre:"film noir"', "a condition that must not hold"],
  ['text:"tennis ball"', "words that the text must mention"],
  ["2 OF (wind, solar, hydro)", "at least two of the three"],
  ["like:photo-012", "similar to a stored document"],
  ['example:"a pasted text"', "similar to a text"],
  ["NOT cats", "ranked by the absence of cats"],
];

const keys: [string, string][] = [
  ["/", "to the search box"],
  ["↓", "from the box to the results"],
  ["↑ ↓", "previous, next result; from the first back to the box"],
  ["j k", "next, previous result, from anywhere"],
  ["Enter", "in the box: search; on a result: open it"],
  ["Esc", "close the result; go back to the box; in the box: search the words as they are"],
  ["↑", "in the box: earlier queries"],
  ["Ctrl Enter", "in the box: edit the formula that a sentence was read as"],
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
          <p>A sentence such as “dogs without leashes” is read as a formula. The page shows it, and Esc takes it back. AND, OR and NOT count in upper case only. NOT binds tightest, then AND, then OR. Quote an atom that has an operator, a parenthesis, <code>^</code> or <code>name:value</code> in it.</p>
        </section>
        <section>
          <h3>Keys</h3>
          <dl>{keys.map(([key, does]) => <div key={key}><dt>{key.split(" ").map((k) => <kbd key={k}>{k}</kbd>)}</dt><dd>{does}</dd></div>)}</dl>
          <h3>Reading the numbers</h3>
          <p><b>S</b> is the similarity of a document to a text. A <b>fusion</b> is a text that holds several atoms, such as “dog AND ball”.</p>
          <p><b>Δ</b> is what an atom brings to a fusion: S of the fusion less S of the rest. AND adds it, NOT takes it away, scaled by a <b>gate</b>: how present the unwanted thing is.</p>
          <p>A <b>noise floor</b> fires where a fusion is so far from its parts that a delta would mean nothing.</p>
          <p><b>Words</b> count in addition to vectors: a word that the document mentions counts 1, a similar one, marked ~, less. A word that the text rules out, as in “no nuts”, counts against it.</p>
          <p>A <b>probability</b>, such as 73 %, is shown where the collection’s profile has learned how often documents with such a score are relevant.</p>
          <p><Version /> · <a href="docs">HTTP API</a> · <a href="licenses.txt">Licences of what this page contains</a></p>
        </section>
      </div>
    </Dialog>
  );
}
