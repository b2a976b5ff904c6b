// Collections: which there are, a new one, files into one of them, one less.
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
  changed: () => void; // the list, or what is in it
  close: () => void;
}

export function Library({ collections, rights, current, uploads, choose, changed, close }: Props) {
  const chosen = collections.find((c) => c.name === current);
  const no = refusal(chosen, rights);
  return (
    <Dialog title="Collections" close={close} wide>
      <div class="library">
        <section>
          <ul class="collections">
            {collections.map((c) => (
              <Entry key={c.name} collection={c} chosen={c.name === current} choose={choose} deletable={rights?.role === "admin" && c.engine === "embedded" && (!c.read_only || !!c.problem)}
                deleted={() => (c.name === current && choose(collections.find((other) => other !== c)?.name ?? ""), changed())} />
            ))}
          </ul>
          {rights?.cannot_make ? <p class="muted">No collection can be made from here: {rights.cannot_make}.</p>
            : <NewCollection collections={collections} only={rights?.collections} made={(name) => (changed(), choose(name))} />}
        </section>
        <section>
          <h3>Files into {chosen ? <code>{chosen.name}</code> : "a collection"}</h3>
          {no ? <p class="muted">{no}</p> : <Choose add={(files) => uploads.add(chosen!.name, files)} />}
          <UploadList uploads={uploads} />
        </section>
      </div>
    </Dialog>
  );
}

interface EntryProps {
  collection: Collection;
  chosen: boolean;
  deletable: boolean;
  choose: (name: string) => void;
  deleted: () => void;
}

function Entry({ collection: c, chosen, deletable, choose, deleted }: EntryProps) {
  const [asked, setAsked] = useState(false);
  return (
    <li>
      <div class="entry">
        <button class={chosen ? "chosen" : ""} aria-pressed={chosen} disabled={!!c.problem} onClick={() => choose(c.name)}>
          <b>{c.name}</b>
          <span>{c.problem || <>{plural(c.documents, "document")} · {c.encoder || c.identity || "encoder"} · {count(c.dimension)} dimensions{c.bytes ? " · " + bytes(c.bytes) : ""}{c.read_only ? " · read only" : ""}</>}</span>
        </button>
        {deletable && <button class="quiet danger" aria-expanded={asked} aria-label={`Delete ${c.name}`} onClick={() => setAsked(!asked)}>Delete</button>}
      </div>
      {asked && <Removal collection={c} gone={deleted} keep={() => setAsked(false)} />}
    </li>
  );
}

// Removal deletes a collection after its name was typed.
function Removal({ collection: c, gone, keep }: { collection: Collection; gone: () => void; keep: () => void }) {
  const [typed, setTyped] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current!.querySelector("input")!.focus();
    form.current!.scrollIntoView({ block: "nearest" });
  }, []);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
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
    <form ref={form} class="stack removal" onSubmit={remove}>
      <label>Type {c.name} to delete it with its {plural(c.documents, "document")}, for good
        <input value={typed} autocomplete="off" onInput={(e) => setTyped(e.currentTarget.value)} /></label>
      <div class="row actions">
        <button type="button" onClick={keep}>Keep it</button>
        <button class="danger" disabled={busy || typed !== c.name}>Delete for good</button>
      </div>
      {problem && <p class="bad" role="alert">{sentence(problem)}</p>}
    </form>
  );
}

const names = /^[a-z0-9][a-z0-9_-]*$/;

// unusable is why a collection cannot have a name; empty: it can.
function unusable(name: string, collections: Collection[], only?: string[]): string {
  if (collections.some((c) => c.name === name)) return `There is a collection ${name} already.`;
  if (name && !names.test(name)) return "A name has lower-case letters, digits, _ and -, and begins with a letter or digit.";
  if (name && only && !only.includes(name)) return `Your key is for ${only.join(", ")} alone.`;
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
        <button class="go" disabled={busy || !name || !!why}>Make</button>
      </div>
      <p id="name-problem" class="bad" role="status">{why || (problem && sentence(problem))}</p>
    </form>
  );
}
