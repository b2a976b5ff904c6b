// How a screening begins, from a search, and the list of those to continue.
import { useEffect, useState } from "preact/hooks";
import { Problem } from "./api";
import { Dialog } from "./dialog";
import { sentence } from "./format";
import { person, screenings, type Screening } from "./decisions";
import type { Collection, Rights } from "./types";

interface Props {
  collection: Collection;
  rights?: Rights;
  formula: string;
  open: (name: string) => void;
}

// ScreenResults offers to screen the collection, in the order of the present search at first.
export function ScreenResults({ collection, rights, formula, open }: Props) {
  const [asking, setAsking] = useState(false);
  if (collection.read_only || !rights || rights.role === "read") return null;
  return (
    <>
      <button class="quiet small" onClick={() => setAsking(true)} title="Decide about one record after another, the likeliest first">Screen these results</button>
      {asking && <Begin collection={collection} rights={rights} formula={formula} open={open} close={() => setAsking(false)} />}
    </>
  );
}

function Begin({ collection, rights, formula, open, close }: Required<Props> & { close: () => void }) {
  const [name, setName] = useState("review");
  const [who, setWho] = useState(person.get());
  const [problem, setProblem] = useState("");
  const make = () => {
    person.set(who.trim());
    screenings.make(collection.name, name.trim(), formula, who.trim()).then(() => open(name.trim()), (e) => setProblem(e instanceof Problem ? e.message : String(e)));
  };
  return (
    <Dialog title="Screen these results" close={close}>
      <form class="stack" onSubmit={(e) => (e.preventDefault(), make())}>
        <p>All {collection.documents.toLocaleString("en")} documents of {collection.name} are screened one at a time, in the order of <code>{formula}</code> at first. Each decision improves the order.</p>
        <label>Name of the screening <input value={name} onInput={(e) => setName(e.currentTarget.value)} /></label>
        <label>Your name <input value={who} onInput={(e) => setWho(e.currentTarget.value)} placeholder={rights.keys ? "the note of your key" : ""} /></label>
        {problem && <p class="bad" role="alert">{sentence(problem)}</p>}
        <p class="actions"><button class="go" disabled={!name.trim() || (!who.trim() && !rights.keys)}>Begin</button></p>
      </form>
    </Dialog>
  );
}

// Screenings lists the screenings of a collection, to continue one.
export function Screenings({ collection, open }: Pick<Props, "collection" | "open">) {
  const [all, setAll] = useState<Screening[]>([]);
  useEffect(() => {
    let gone = false;
    setAll([]);
    if (collection.documents && !collection.problem) screenings.list(collection.name).then((list) => !gone && setAll(list), () => {}); // none can be continued
    return () => void (gone = true);
  }, [collection.name]);
  if (!all.length) return null;
  return (
    <section class="examples" aria-label="Screenings">
      <p class="muted">Continue a screening:</p>
      <ul>{all.map((s) => <li key={s.name}><button onClick={() => open(s.name)}><code>{s.name}</code><span>{s.formula || "no formula"}</span></button></li>)}</ul>
    </section>
  );
}
