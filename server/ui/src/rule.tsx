// How the calculus came to a score, in a sentence and in numbers.
import { Bar, SignedBar, Value } from "./bars";
import { number, sentence, signed } from "./format";
import { effectOf } from "./structure";
import type { Explanation, Gate, Logic } from "./types";

const ruleNames: Record<Explanation["rule"], string> = {
  similarity: "similarity", and: "AND", not: "AND NOT", or: "OR", against: "only NOT",
};

export function Rule({ x, logic, top = false }: { x: Explanation; logic: Logic; top?: boolean }) {
  return (
    <section class="rule">
      <p class="formula"><code>{x.formula}</code><span class="total"><Value value={x.score} /></span></p>
      <p class="sentence">{sentence(x.sentence)}</p>
      <Sum x={x} logic={logic} />
      {!!x.similarities?.length && (
        <table>
          <caption>Similarities</caption>
          <tbody>
            {x.similarities.map((s, i) => (
              <tr key={i}>
                <th scope="row">{s.formula}{s.scored && <i> score</i>}</th>
                <td class="graph"><Bar value={s.value} /></td>
                <td><Value value={s.value} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <DeltaTable x={x} />
      <GateTable gates={x.gates ?? []} rule={x.rule} />
      <dl class="facts">
        <div><dt>Rule</dt><dd>{ruleNames[x.rule]}</dd></div>
        {x.regime && <div><dt>Regime</dt><dd title={regimes[x.regime]}>{x.regime}</dd></div>}
        {x.rule !== "similarity" && <div><dt>Noise floor</dt><dd class={x.floor && x.floor !== "none" ? "fired" : ""} title={floorWords(x)}>{x.floor && x.floor !== "none" ? x.floor : "did not fire"}</dd></div>}
        {!!x.tilt && <div><dt>Weights</dt><dd><Value value={x.tilt} sign /></dd></div>}
      </dl>
      {top && x.rule !== "similarity" && <p class="muted small">{floorWords(x)}</p>}
      {!!x.parts?.length && (
        <div class="parts">
          {x.parts.map((p, i) => (
            <details key={i} open={x.parts!.length < 3}>
              <summary><code>{p.formula}</code><Value value={p.score} /></summary>
              <Rule x={p} logic={logic} />
            </details>
          ))}
        </div>
      )}
    </section>
  );
}

const regimes: Record<string, string> = {
  subadditive: "the fusion lies between the weakest part and the sum of all",
  superadditive: "the fusion is above the sum of its parts",
  "strong decrease": "the fusion is below every part",
};

function floorWords(x: Explanation): string {
  if (x.floor === "reinforcement") return "Reinforcement: the fusion is above the sum of its parts, so it stands as it is, without a delta.";
  if (x.floor === "departure") return "Departure: the fusion is below every part, which the encoder does only where it rejects them together; the fusion's own value counts.";
  return x.regime ? `Regime ${x.regime}: ${regimes[x.regime] ?? ""}.` : "";
}

// Sum is the score as it was added up, of vectors where words come to it.
function Sum({ x, logic }: { x: Explanation; logic: Logic }) {
  const parts: string[] = [];
  const score = x.words?.vectors ?? x.score;
  const s = x.similarities ?? [];
  if (x.rule === "and" && s.length) {
    const fused = s[s.length - 1].value;
    parts.push(number(fused));
    const used = x.deltas?.find((d) => d.used);
    if (used) parts.push(earned(used.value, logic.c_and, score - fused - (x.tilt ?? 0)));
    if (x.tilt) parts.push(signed(x.tilt));
  } else if (x.rule === "not" && s.length) {
    parts.push(number(s[0].value));
    x.gates?.forEach((g, i) => parts.push(penalty(g, x.deltas?.[i]?.value ?? 0, logic.c_not)));
  } else if (x.rule === "against") parts.push(`1 − ${number(Math.max(0, ...(x.gates ?? []).map((g) => g.penalty)))}`);
  if (!parts.length) return null;
  return <p class="sum">{parts.join(" ")} = <b>{number(score)}</b></p>;
}

// earned formats the gain of AND: c · delta, unless a profile has another c.
function earned(delta: number, c: number, effect: number): string {
  const sign = effect < 0 ? "−" : "+";
  if (Math.abs(c * delta - effect) > 1e-5) return `${sign} ${number(Math.abs(effect))}`;
  return `${delta < 0 ? "−" : "+"} ${number(c, 2)} · ${number(Math.abs(delta))}`;
}

// penalty formats the loss by NOT: c · gate · delta, unless a floor or a weight made it.
function penalty(g: Gate, delta: number, c: number): string {
  if (Math.abs(c * g.value * delta - g.penalty) > 1e-6) return `${g.penalty < 0 ? "+" : "−"} ${number(Math.abs(g.penalty))}`;
  const factor = delta < 0 ? `(${number(delta)})` : number(delta);
  return `− ${number(c, 2)} · ${number(g.value)} · ${factor}`;
}

function DeltaTable({ x }: { x: Explanation }) {
  const list = x.deltas ?? [];
  if (!list.length) return null;
  const scale = Math.max(0.2, ...list.map((d) => Math.abs(d.value)));
  return (
    <table>
      <caption>Deltas</caption>
      <tbody>
        {list.map((d, i) => {
          const effect = effectOf(x, i);
          return (
            <tr key={i} class={d.used ? "" : "unused"}>
              <th scope="row" title={`S(${d.fused}) − S(${d.given})`}>{d.of}<i> given {d.given}{d.used ? "" : ", not used"}</i></th>
              <td class="graph"><SignedBar value={d.value} scale={scale} effect={effect} /></td>
              <td><Value value={d.value} sign /></td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function GateTable({ gates, rule }: { gates: Gate[]; rule: string }) {
  if (!gates.length) return null;
  return (
    <table>
      <caption>Gate</caption>
      <tbody>
        {gates.map((g, i) => (
          <tr key={i}>
            <th scope="row">{g.of}
              <i> {g.maximum ? `${number(g.similarity)} of at most ${number(g.maximum)}` : "no gate"}
                {g.capped && ", capped"}
                {rule === "not" && `, ${g.penalty < 0 ? "earns" : "costs"} ${number(Math.abs(g.penalty))}`}
                {g.floor && g.floor !== "none" && `, ${g.floor}`}</i>
            </th>
            <td class="graph"><Bar value={g.value} kind="gate" /></td>
            <td><Value value={g.value} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
