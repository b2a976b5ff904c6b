// Remarks of the server about the results.
import { sentence } from "./format";
import type { Answer } from "./types";

export function Notes({ answer }: { answer?: Answer }) {
  return (
    <>
      {answer?.degraded?.map((d) => <p class="note" key={d}>{d}</p>)}
      {answer?.notes?.map((n) => <p class="note neutral" key={n}>{sentence(n)}</p>)}
    </>
  );
}
