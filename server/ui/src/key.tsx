import { useState } from "preact/hooks";
import { apiKey } from "./api";
import { Dialog } from "./dialog";

// KeyEntry asks for an API key. It is kept until the tab is closed.
export function KeyEntry({ refused, close, done }: { refused: string; close: () => void; done: () => void }) {
  const [key, setKey] = useState(apiKey.get());
  return (
    <Dialog title="API key" close={close}>
      <form class="stack" onSubmit={(e) => (e.preventDefault(), apiKey.set(key.trim()), done())}>
        <p>{refused || "The server asks for a key."} It is kept in this tab only, until you close it.</p>
        <label>Key <input type="password" autocomplete="off" value={key} placeholder="nsfl_…" onInput={(e) => setKey(e.currentTarget.value)} /></label>
        <p class="actions"><button class="go">{key.trim() ? "Use" : "Go on without"}</button></p>
      </form>
    </Dialog>
  );
}
