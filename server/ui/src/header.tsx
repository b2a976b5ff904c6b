import { useState } from "preact/hooks";
import { count } from "./format";
import { next, setTheme, theme } from "./theme";
import type { Collection } from "./types";

interface Props {
  collection?: Collection;
  name: string;
  hasKey: boolean;
  home: () => void;
  library: () => void;
  keyEntry: () => void;
  help: () => void;
}

const themes = { auto: ["◐", "as the system"], light: ["○", "light"], dark: ["●", "dark"] };

export function Header({ collection, name, hasKey, home, library, keyEntry, help }: Props) {
  const [now, setNow] = useState(theme());
  return (
    <header class="top">
      <a class="logo" href="./" onClick={(e) => (e.preventDefault(), home())}>
        <svg viewBox="0 0 32 20" width="32" height="20" aria-hidden="true"><circle cx="12" cy="10" r="8" /><circle cx="20" cy="10" r="8" /><path d="M16 3.070a8 8 0 0 1 0 13.860 8 8 0 0 1 0-13.860z" /></svg>
        nsfl
      </a>
      <button class="picker" onClick={library} aria-haspopup="dialog" title={collection?.identity || "Collections and files"}>
        <span class="muted what">Collection</span> <b>{name || "none"}</b>
        {collection && <span class="muted wide-only">{count(collection.documents)} · {collection.encoder || "encoder"}</span>}
      </button>
      <span class="space" />
      {hasKey && <button class="quiet" onClick={keyEntry} title="The API key of this tab">Key</button>}
      <button class="icon" onClick={() => { setTheme(next(now)); setNow(theme()); }} aria-label={`Colours: ${themes[now][1]}. Change`} title={`Colours: ${themes[now][1]}`}>{themes[now][0]}</button>
      <button class="quiet" onClick={help} title="Help (?)">Help</button>
    </header>
  );
}
