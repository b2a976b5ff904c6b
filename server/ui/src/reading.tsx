// The formula that a sentence was read as, and the way back.
import type { Parsed } from "./types";

interface Props {
  parsed: Parsed;
  understood?: string[]; // by the search, which knows the collection: the formula, then notes
  takeBack: () => void;
  adopt: (formula: string) => void; // it becomes the text
}

export function Reading({ parsed, understood, takeBack, adopt }: Props) {
  const [formula, ...notes] = understood ?? [parsed.reading!.formula, ...(parsed.reading!.notes ?? [])];
  return (
    <div class="read">
      <p role="status">read as: <code>{formula}</code></p>
      <button type="button" class="quiet" onClick={takeBack} title="Esc in the search box">Search the words as they are <kbd>Esc</kbd></button>
      <button type="button" class="quiet" onClick={() => adopt(formula)} title="Ctrl+Enter in the search box">Edit the formula <kbd>Ctrl Enter</kbd></button>
      {notes.length > 0 && (
        <details>
          <summary>Why</summary>
          <ul>{notes.map((n) => <li key={n}>{n}</li>)}</ul>
        </details>
      )}
    </div>
  );
}
