// The search box: a textarea over a copy of its text that has the colours.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import { api } from "./api";
import { history } from "./history";
import { fromBytes, inString, shifted } from "./offsets";
import type { Parsed, Token } from "./types";

interface Props {
  box: RefObject<HTMLTextAreaElement | null>;
  query: string; // the one of the address
  fusion: string;
  submit: (query: string) => void;
}

// Reading is what the server makes of the text in the box.
interface Reading {
  text: string; // what the tokens belong to
  tokens: Token[];
  parsed?: Parsed;
  meant?: string; // the formula that plain language may mean
}

export function Editor({ box, query, fusion, submit }: Props) {
  const [text, setText] = useState(query);
  const [reading, setReading] = useState<Reading>({ text: "", tokens: [] });
  const past = useRef(history.walk());

  useLayoutEffect(() => setText(query), [query]);
  useEffect(() => {
    if (!text.trim()) return setReading({ text, tokens: [] });
    const stop = new AbortController();
    const timer = setTimeout(() => understand(text, fusion, stop.signal, setReading), 60);
    return () => (clearTimeout(timer), stop.abort());
  }, [text, fusion]);
  useLayoutEffect(() => {
    const area = box.current!;
    area.style.height = "auto";
    area.style.height = area.scrollHeight + "px";
  }, [text]);

  const fresh = reading.parsed?.query === text;
  const error = fresh ? reading.parsed?.error : undefined;

  const change = (value: string) => {
    setText(value);
    setReading((r) => ({ text: value, tokens: shifted(r.text, value, r.tokens), parsed: r.parsed }));
  };
  const go = (value: string) => {
    if (!value.trim() || (value === text && error)) return;
    history.add(value);
    past.current = history.walk();
    submit(value.trim());
  };
  const key = (e: KeyboardEvent) => {
    const area = box.current!;
    if (e.key === "Enter" && !e.isComposing) {
      e.preventDefault();
      go(text);
    } else if (e.key === "ArrowUp" || e.key === "ArrowDown") {
      // In a text of several lines the arrows move between them first.
      const edge = e.key === "ArrowUp" ? area.selectionEnd === 0 : area.selectionStart === text.length;
      if (!edge && area.scrollHeight > 2 * parseFloat(getComputedStyle(area).lineHeight)) return;
      const older = e.key === "ArrowUp" ? past.current.back(text) : past.current.forth();
      if (older === undefined) return;
      e.preventDefault();
      change(older);
    } else if (e.key === "Escape") area.blur();
  };

  return (
    <form class="editor" role="search" onSubmit={(e) => (e.preventDefault(), go(text))}>
      <div class={"box" + (error ? " wrong" : "")}>
        <div class="ink" aria-hidden="true"><Ink text={text} tokens={reading.tokens} error={error && place(text, error)} /></div>
        <textarea
          ref={box} rows={1} value={text} spellcheck={false} autocapitalize="off" autocomplete="off"
          enterkeyhint="search" aria-label="Formula to search for" aria-invalid={!!error} aria-describedby="reading"
          placeholder="dog AND NOT leash" onInput={(e) => change(e.currentTarget.value)} onKeyDown={key}
        />
        <button class="go" disabled={!text.trim()}>Search</button>
      </div>
      <div id="reading" class="reading" >
        {error && <p class="bad" role="status"><b>Syntax error at character {place(text, error)[0] + 1}:</b> {error.message}</p>}
        {!error && reading.meant && (
          <p role="status">Did you mean{" "}
            <button type="button" class="meant" onClick={() => (change(reading.meant!), go(reading.meant!))}>{reading.meant}</button>
          </p>
        )}
        {!error && reading.parsed?.ok && text.trim() && <Plan parsed={reading.parsed} />}
      </div>
    </form>
  );
}

async function understand(text: string, fusion: string, signal: AbortSignal, set: (r: Reading) => void) {
  try {
    const parsed = await api.parse(text, "off", fusion, signal);
    const tokens = inString(text, parsed.tokens ?? []);
    set({ text, tokens, parsed });
    // Only a text without operators can be plain language that means some.
    if (!tokens.every((t) => t.kind === "atom") || text.trim().split(/\s+/).length < 3) return;
    const plain = await api.parse(text, "rules", fusion, signal);
    if (plain.reading?.changed && plain.reading.formula !== parsed.formula) {
      set({ text, tokens, parsed, meant: plain.reading.formula });
    }
  } catch {
    // Colours are not worth a message: the search itself will tell what is wrong.
  }
}

// place is where an error begins and ends in the string.
function place(text: string, error: { offset: number; length: number }): [number, number] {
  const at = fromBytes(text);
  const index = (byte: number) => at[Math.min(byte, at.length - 1)];
  return [index(error.offset), index(error.offset + error.length)];
}

function Ink({ text, tokens, error }: { text: string; tokens: Token[]; error?: [number, number] }) {
  const cuts = new Set([0, text.length]);
  for (const t of tokens) cuts.add(t.start).add(t.end);
  if (error) cuts.add(error[0]).add(error[1]);
  const sorted = [...cuts].sort((a, b) => a - b);
  const pieces = sorted.slice(0, -1).map((from, i) => {
    const to = sorted[i + 1];
    const kind = tokens.find((t) => t.start <= from && to <= t.end)?.kind ?? "";
    const wrong = error && error[0] <= from && to <= error[1];
    return <span key={i} class={kind + (wrong ? " mark" : "")}>{text.slice(from, to)}</span>;
  });
  const empty = error && error[0] === error[1];
  if (empty) pieces.splice(sorted.indexOf(error[0]), 0, <span key="mark" class="mark gap" />);
  return <>{pieces}{"\u200b"}</>;
}

function Plan({ parsed }: { parsed: Parsed }) {
  const strings = parsed.strings ?? [];
  return (
    <div class="plan">
      <span title="The strings that are encoded for this formula. Each gives one vector, and documents are compared with all of them.">
        {strings.length === 1 ? "1 string to encode" : `${strings.length} strings to encode`}
      </span>
      <ul>
        {strings.map((s) => (
          <li key={s} title={s === parsed.monolithic ? "plain retrieval searches with this one" : undefined}>
            {s}{s === parsed.monolithic && strings.length > 1 && <i> plain</i>}
          </li>
        ))}
        {parsed.items?.map((s) => <li key={s}>{s}</li>)}
        {parsed.filter && <li class="predicate">{parsed.filter}</li>}
      </ul>
    </div>
  );
}
