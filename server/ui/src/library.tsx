// The dialog of collections: choose one, create one, add files, delete one.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { Dialog } from "./dialog";
import { bytes, count, plural, sentence } from "./format";
import type { Collection, EncoderWord, Rights } from "./types";
import { Choose, refusal, UploadList } from "./upload";
import type { Uploads } from "./uploads";

interface Props {
  collections: Collection[];
  rights?: Rights;
  current: string;
  uploads: Uploads;
  choose: (name: string) => void;
  changed: () => void; // the list of collections, or their documents
  close: () => void;
}

export function Library({ collections, rights, current, uploads, choose, changed, close }: Props) {
  const chosen = collections.find((c) => c.name === current);
  const no = refusal(chosen, rights);
  const deletable = (c: Collection) => rights?.role === "admin" && c.engine === "embedded" && (!c.read_only || !!c.problem);
  const removal = (c: Collection) => (
    <Removal key={c.name} collection={c} gone={() => (c === chosen && choose(preferred(collections.filter((other) => other !== c))), changed())} />
  );
  return (
    <Dialog title="Collections" close={close} wide>
      <div class="library">
        <section>
          <ul class="collections">
            {collections.map((c) => (
              <li key={c.name}>
                <button class={c === chosen ? "chosen" : ""} aria-pressed={c === chosen} disabled={!!c.problem} onClick={() => (choose(c.name), close())}>
                  <b>{c.name}</b>
                  <span>{c.problem || <>{plural(c.documents, "document")} · {c.encoder || c.identity || "encoder"} · {count(c.dimension)} dimensions{c.bytes ? " · " + bytes(c.bytes) : ""}{c.read_only ? " · read only" : ""}</>}</span>
                </button>
                {c.problem && c !== chosen && deletable(c) && removal(c)}
              </li>
            ))}
          </ul>
          {rights?.cannot_make ? <p class="muted">You cannot create a collection here: {rights.cannot_make}.</p>
            : <NewCollection collections={collections} only={rights?.collections} made={(name) => (changed(), choose(name))} />}
        </section>
        <section>
          <h3>Add files to {chosen ? <code>{chosen.name}</code> : "a collection"}</h3>
          {no ? <p class="muted">{no}</p> : <Choose add={(files) => uploads.add(chosen!.name, files)} />}
          <UploadList uploads={uploads} />
          {chosen && deletable(chosen) && removal(chosen)}
        </section>
      </div>
    </Dialog>
  );
}

// preferred names the collection to begin with: one with documents, and one's own before
// the demo.
export function preferred(collections: Collection[]): string {
  const usable = collections.filter((c) => c.documents && !c.problem);
  return (usable.find((c) => c.name !== "demo") ?? usable[0] ?? collections[0])?.name ?? "";
}

// Removal deletes a collection once its name was typed.
function Removal({ collection: c, gone }: { collection: Collection; gone: () => void }) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  const remove = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    try {
      await api.remove(c.name);
      gone();
    } catch (e) {
      setProblem(e instanceof Problem ? e.message : String(e));
      setBusy(false);
    }
  };
  return (
    <details ref={menu} class="removal" onToggle={(e) => e.currentTarget.open && e.currentTarget.querySelector("input")!.focus()}>
      <summary class="muted">Delete {c.name} …</summary>
      <form class="stack" onSubmit={remove}>
        <label>Type {c.name} to delete it and its {plural(c.documents, "document")} for good
          <input value={typed} autocomplete="off" onInput={(e) => setTyped(e.currentTarget.value)} /></label>
        <div class="row actions">
          <button type="button" onClick={() => (menu.current!.open = false)}>Keep it</button>
          <button class="danger" disabled={busy || typed !== c.name}>Delete for good</button>
        </div>
        {problem && <p class="bad" role="alert">{sentence(problem)}</p>}
      </form>
    </details>
  );
}

const names = /^[a-z0-9][a-z0-9_-]*$/;

// unusable says why a collection cannot have a name, or nothing.
function unusable(name: string, collections: Collection[], only?: string[]): string {
  if (collections.some((c) => c.name === name)) return `A collection named ${name} exists already.`;
  if (name && !names.test(name)) return "Use lower-case letters, digits, _ and -, beginning with a letter or digit.";
  if (name && only && !only.includes(name)) return `Your key allows only ${only.join(", ")}.`;
  return "";
}

function NewCollection({ collections, only, made }: { collections: Collection[]; only?: string[]; made: (name: string) => void }) {
  const [encoders, setEncoders] = useState<EncoderWord[]>([]);
  const [name, setName] = useState("");
  const [encoder, setEncoder] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => void api.encoders().then(setEncoders, () => setEncoders([])), []);
  const why = unusable(name, collections, only);
  const make = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      const c = await api.create(name, encoder);
      setName("");
      made(c.name);
    } catch (e) {
      setProblem(e instanceof Problem ? e.message : String(e));
    }
    setBusy(false);
  };
  return (
    <form class="stack new" onSubmit={make}>
      <h3>New collection</h3>
      <div class="row">
        <label>Name <input name="name" maxLength={64} value={name} aria-describedby="name-problem" aria-invalid={!!why} autocomplete="off" placeholder="notes" onInput={(e) => setName(e.currentTarget.value.trim())} /></label>
        {encoders.length > 1 && (
          <label>Encoder <select name="encoder" onChange={(e) => setEncoder(e.currentTarget.value)}>{encoders.map((e) => <option key={e.word} selected={e.default}>{e.word}</option>)}</select></label>
        )}
        <button class="go" disabled={busy || !name || !!why}>Create</button>
      </div>
      <p id="name-problem" class="bad" role="status">{why || (problem && sentence(problem))}</p>
    </form>
  );
}
