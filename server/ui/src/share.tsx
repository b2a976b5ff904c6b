// The present search for elsewhere: its address, or a program that asks for the same.
import { useRef, useState } from "preact/hooks";
import { curl, go, link, python } from "./programs";
import type { State } from "./url";

const forms = { Link: link, curl, Go: go, Python: python };

export function Share({ state, keys }: { state: State; keys: boolean }) {
  const [said, setSaid] = useState("");
  const menu = useRef<HTMLDetailsElement>(null);
  const copy = async (form: keyof typeof forms) => {
    const done = await toClipboard(forms[form](state, { origin: location.origin, keys }));
    menu.current!.open = false;
    menu.current!.querySelector("summary")!.focus();
    setSaid(done ? `${form} copied` : "The browser does not let the page copy");
  };
  return (
    <div class="share">
      <span role="status" class="muted">{said}</span>
      <details ref={menu} onKeyDown={(e) => e.key === "Escape" && menu.current!.open && (e.preventDefault(), (menu.current!.open = false))}
        onFocusOut={(e) => !menu.current!.contains(e.relatedTarget as Node | null) && e.relatedTarget && (menu.current!.open = false)}>
        <summary onClick={() => setSaid("")}>Copy as</summary>
        <ul>{(Object.keys(forms) as (keyof typeof forms)[]).map((f) => <li key={f}><button type="button" onClick={() => copy(f)}>{f}</button></li>)}</ul>
      </details>
    </div>
  );
}

// toClipboard copies a text. Away from this machine and without TLS only the older way works.
async function toClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
