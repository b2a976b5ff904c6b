import { count, milliseconds, sentence } from "./format";
import type { Answer } from "./types";

const steps = ["encode", "find", "rank", "compare", "read", "explain"];

// Status says how the answer came about, and how long it took.
export function Status({ answer, busy }: { answer: Answer; busy: boolean }) {
  const t = answer.timings_ms;
  const ranked = answer.ranked < answer.documents ? `${count(answer.ranked)} of ${count(answer.documents)}` : count(answer.ranked);
  return (
    <div class="status muted">
      <span class={busy ? "spin on" : "spin"} aria-hidden="true" />
      <span role="status">{answer.mode} · {ranked} ranked{answer.proof && answer.proof.exact === answer.hits.length && answer.hits.length > 0 ? " · proven" : ""}</span>
      <details class="timings">
        <summary title="What took how long">{milliseconds(t.total ?? 0)}</summary>
        <div>
          <dl>{steps.filter((s) => s in t).map((s) => <div key={s}><dt>{s}</dt><dd>{milliseconds(t[s])}</dd></div>)}</dl>
          {answer.reason && <p>{answer.mode}: {sentence(answer.reason)}</p>}
          {answer.proof && <p>{sentence(answer.proof.says)}</p>}
          <p>{answer.encoder}</p>
          {!!answer.cut?.length && <p>The encoder did not read the ends of {answer.cut.join(", ")}.</p>}
        </div>
      </details>
    </div>
  );
}
