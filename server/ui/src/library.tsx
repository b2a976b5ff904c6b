// Collections: which there are, a new one, files into one of them.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { Dialog } from "./dialog";
import { bytes, count, plural } from "./format";
import type { Collection, EncoderWord } from "./types";
import { Upload } from "./upload";

interface Props {
  collections: Collection[];
  current: string;
  dropped: File[]; // on the page, to be uploaded at once
  choose: (name: string) => void;
  changed: () => void; // the list, or what is in it
  close: () => void;
}

export function Library({ collections, current, dropped, choose, changed, close }: Props) {
  const chosen = collections.find((c) => c.name === current);
  return (
    <Dialog title="Collections" close={close} wide>
      <div class="library">
        <section>
          <ul class="collections">
            {collections.map((c) => (
              <li key={c.name}>
                <button class={c.name === current ? "chosen" : ""} aria-pressed={c.name === current} disabled={!!c.problem} onClick={() => choose(c.name)}>
                  <b>{c.name}</b>
                  <span>{c.problem || <>{plural(c.documents, "document")} · {c.encoder || c.identity || "encoder"} · {count(c.dimension)} dimensions{c.bytes ? " · " + bytes(c.bytes) : ""}{c.read_only ? " · read only" : ""}</>}</span>
                </button>
              </li>
            ))}
          </ul>
          <NewCollection made={(name) => (changed(), choose(name))} />
        </section>
        <section>
          <h3>Files into {chosen ? <code>{chosen.name}</code> : "a collection"}</h3>
          {!chosen ? <p class="muted">Choose or make a collection first.</p>
            : chosen.read_only ? <p class="muted">{chosen.name} can only be read here. Make a collection of your own to index files.</p>
            : <Upload key={chosen.name} collection={chosen.name} dropped={dropped} done={changed} />}
        </section>
      </div>
    </Dialog>
  );
}

function NewCollection({ made }: { made: (name: string) => void }) {
  const [encoders, setEncoders] = useState<EncoderWord[]>([]);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => void api.encoders().then(setEncoders, () => setEncoders([])), []);
  const make = async (e: Event) => {
    e.preventDefault();
    const data = new FormData(form.current!);
    setBusy(true);
    setProblem("");
    try {
      const c = await api.create(String(data.get("name")).trim(), String(data.get("encoder") ?? ""));
      form.current!.reset();
      made(c.name);
    } catch (e) {
      setProblem(e instanceof Problem ? e.message : String(e));
    }
    setBusy(false);
  };
  return (
    <form ref={form} class="stack new" onSubmit={make}>
      <h3>New collection</h3>
      <div class="row">
        <label>Name <input name="name" required maxLength={64} pattern="[a-z0-9][a-z0-9_\-]*" title="lower-case letters, digits, _ and -" autocomplete="off" placeholder="notes" /></label>
        {encoders.length > 0 && (
          <label>Encoder <select name="encoder">{encoders.map((e) => <option key={e.word} selected={e.default}>{e.word}</option>)}</select></label>
        )}
        <button class="go" disabled={busy}>Make</button>
      </div>
      {problem && <p class="bad" role="alert">{problem}</p>}
    </form>
  );
}
