// Remarks of the server about the results.
import { sentence } from "./format";
import type { Answer } from "./types";

// shownByAll ends the note on results that were left out for want of support.
const shownByAll = " (all shows them)";

export function Notes({ answer, all, ask }: { answer?: Answer; all: () => void; ask: (query: string) => void }) {
  return (
    <>
      {answer?.degraded?.map((d) => <p class="note" key={d}>{d}</p>)}
      {answer?.did_you_mean && <p class="note neutral">Did you mean <button class="quiet" onClick={() => ask(answer.did_you_mean!)}>{answer.did_you_mean}</button>?</p>}
      {answer?.notes?.map((n) => <p class="note neutral" key={n}>{sentence(n.replace(shownByAll, ""))}{n.endsWith(shownByAll) && <> <button class="quiet" onClick={all}>Show them</button></>}</p>)}
    </>
  );
}
