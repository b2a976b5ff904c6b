import { count, milliseconds, plural, sentence } from "./format";
import type { Answer } from "./types";

const steps = ["encode", "find", "rank", "compare", "read", "explain"];

// Status shows how the results were found, and how long it took.
export function Status({ answer, busy, study }: { answer: Answer; busy: boolean; study: boolean }) {
  const t = answer.timings_ms;
  const ranked = answer.ranked < answer.documents ? `${count(answer.ranked)} of ${plural(answer.documents, "document")}` : plural(answer.ranked, "document");
  const proven = !!answer.proof && answer.proof.exact === answer.hits.length && answer.hits.length > 0;
  return (
    <div class="status muted">
      <span class={busy ? "spin on" : "spin"} aria-hidden="true" />
      <span class="said" role="status" title={proven ? "no other document can be better" : "so many were compared with the formula"}>
        {study && `${answer.mode} · `}{ranked} ranked{proven && " · proven"}
      </span>
      <details class="timings">
        <summary title="What took how long">{milliseconds(t.total ?? 0)}</summary>
        <div>
          <dl>{steps.filter((s) => s in t).map((s) => <div key={s}><dt>{s}</dt><dd>{milliseconds(t[s])}</dd></div>)}</dl>
          {answer.reason && <p>{answer.mode}: {sentence(answer.reason)}</p>}
          {answer.proof && <p>{sentence(answer.proof.says)}</p>}
          {answer.refined && <p>{sentence(answer.refined)}</p>}
          <p>{answer.encoder}</p>
          {!!answer.cut?.length && <p>The encoder did not read the ends of {answer.cut.join(", ")}.</p>}
        </div>
      </details>
    </div>
  );
}
