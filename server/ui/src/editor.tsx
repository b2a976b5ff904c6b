// The search box: a textarea over a copy of its text that has the colours.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import { Chips } from "./chips";
import { history } from "./history";
import { step } from "./keys";
import { inPlainWords, useMistake } from "./mistake";
import { likeText } from "./more";
import { fromBytes } from "./offsets";
import { Reading } from "./reading";
import type { Answer, Parsed, Part, Token } from "./types";
import { useUnderstood } from "./understand";
import { start } from "./url";

interface Props {
  box: RefObject<HTMLTextAreaElement | null>;
  hint?: string; // a query that would have results
  query: string; // the one of the address
  nl: string; // how the query is read; typed text is read as auto
  answer?: Answer;
  fusion: string;
  study: boolean; // list the encoded strings
  collection: string;
  submit: (query: string, nl: string, live?: boolean) => void; // live: a person paused while typing
  typing: () => void; // the running search is out of date
}

const pause = 400; // milliseconds after the last key until the text is searched

const long = 300; // characters of a text that is taken as an example

export function Editor({ box, hint, query, nl, answer, fusion, study, collection, submit, typing }: Props) {
  const [text, setText] = useState(query);
  const [typed, setTyped] = useState(""); // by hand, to be searched for after a pause
  const way = text === query ? nl : start.nl;
  const { tokens, parsed, meant } = useUnderstood(text, way, fusion);
  const past = useRef(history.walk());

  useLayoutEffect(() => setText((now) => (now.trim() === query ? now : query)), [query]);
  useLayoutEffect(() => {
    const area = box.current!;
    area.style.height = "auto";
    area.style.height = area.scrollHeight + "px";
  }, [text]);

  const fresh = parsed?.query === text;
  const wrong = fresh ? parsed?.error : undefined;
  const { shown: error, insist } = useMistake(text, query, wrong);
  const good = useRef<Part[] | undefined>(undefined); // of the last text that was a formula
  if (!wrong) good.current = parsed?.parts;
  const parts = good.current;
  const reading = fresh && parsed?.reading?.changed ? parsed.reading : undefined;

  const understood = answer?.query === text.trim() ? answer.understood : undefined;

  // A value is still to come, or the rest of a document's id.
  const unfinished = /[:^]\s*$/.test(text) || (tokens.at(-1)?.kind === "item" && tokens.at(-1)!.end === text.length);
  const ready = fresh && !!parsed?.ok && typed === text && !!text.trim() && !unfinished;
  useEffect(() => {
    if (!ready) return;
    const timer = setTimeout(() => (setTyped(""), submit(text.trim(), way, true)), pause);
    return () => clearTimeout(timer);
  }, [ready, text]);

  const go = (value: string, how = value === query ? nl : start.nl) => {
    if (!value.trim()) return;
    if (value === text && wrong) return insist();
    history.add(value);
    past.current = history.walk();
    setTyped("");
    submit(value.trim(), how);
  };
  const replace = (formula: string) => (setText(formula), go(formula), box.current?.focus());
  const takeBack = () => go(text, "off");
  const key = (e: KeyboardEvent) => {
    const area = box.current!;
    if (e.key === "Enter" && !e.isComposing) {
      e.preventDefault();
      if (reading && (e.ctrlKey || e.metaKey)) replace(understood?.[0] ?? reading.formula);
      else go(text);
    } else if (e.key === "ArrowUp" || e.key === "ArrowDown") {
      // In a text of several lines the arrows move between them first.
      const edge = e.key === "ArrowUp" ? area.selectionEnd === 0 : area.selectionStart === text.length;
      if (!edge && area.scrollHeight > 2 * parseFloat(getComputedStyle(area).lineHeight)) return;
      const older = e.key === "ArrowUp" ? past.current.back(text) : past.current.forth();
      if (older === undefined && e.key === "ArrowUp") return;
      e.preventDefault();
      if (older === undefined) step(1);
      else setText(older);
    } else if (e.key === "Escape") {
      if (reading) takeBack();
      else area.blur();
    }
  };

  const type = (value: string) => (setText(value), setTyped(value), typing());

  // A long text in an empty box is an example of what to find, not a formula.
  const paste = (e: ClipboardEvent) => {
    const area = box.current!, pasted = e.clipboardData?.getData("text") ?? "";
    if (pasted.length < long || area.selectionEnd - area.selectionStart < text.trim().length) return;
    e.preventDefault();
    setText(likeText(pasted).text!);
  };

  return (
    <form class="editor" role="search" onSubmit={(e) => (e.preventDefault(), go(text))}>
      <div class={"box" + (error ? " wrong" : "")}>
        <div class="ink" aria-hidden="true"><Ink text={text} tokens={tokens} error={error && place(text, error)} /></div>
        <textarea
          ref={box} rows={1} value={text} spellcheck={false} autocapitalize="off" autocomplete="off"
          enterkeyhint="search" aria-label="Formula to search for" aria-invalid={!!error} aria-describedby="reading"
          placeholder={hint ?? "dog AND NOT leash"} onInput={(e) => type(e.currentTarget.value)} onKeyDown={key} onPaste={paste}
        />
        <button class="go" disabled={!text.trim()}>Search</button>
      </div>
      <div id="reading" class="reading">
        {error && <p class="bad" role="status"><b>At character {place(text, error)[0] + 1}:</b> {inPlainWords(error.message)}</p>}
        {reading && <Reading parsed={parsed!} understood={understood} takeBack={takeBack} adopt={replace} />}
        {fresh && meant && (
          <p role="status">Searched as it is written. <button type="button" class="quiet" onClick={() => go(text, start.nl)}>Read it as <code>{meant}</code></button></p>
        )}
        {!error && text.trim() && parts && <div inert={!fresh || !!wrong}><Chips parts={parts} collection={collection} change={(f) => (f ? replace(f) : setText(""))} /></div>}
        {study && !error && parsed?.ok && text.trim() && <Plan parsed={parsed} />}
      </div>
    </form>
  );
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
