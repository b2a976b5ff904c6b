// The views of the results, and the button that unfolds the controls for study.
import { changed, forStudy, remember } from "./study";
import { views, write, type State, type View } from "./url";

const names: Record<View, string> = { results: "Results", compare: "Compare", map: "Map", deltas: "Orders" };
const about: Record<View, string> = {
  results: "the documents, best first, and what each has of the formula",
  compare: "plain retrieval beside the logic: what moved",
  map: "every candidate by its similarities to two parts of the formula",
  deltas: "similarities, and what each part adds to the others, over the best candidates",
};

interface Props {
  state: State;
  go: (part: Partial<State>, how?: "push" | "replace") => void;
}

export function Tabs({ state, go }: Props) {
  return (
    <nav class="tabs" aria-label="Views">
      {views.filter((v) => state.study || !forStudy(v)).map((v) => (
        <a key={v} href={write({ ...state, view: v })} aria-current={state.view === v ? "page" : undefined} title={`${about[v]} (${views.indexOf(v) + 1})`}
          onClick={(e) => (e.preventDefault(), go({ view: v }))}>{names[v]}</a>
      ))}
    </nav>
  );
}

// Fold unfolds the controls for study, and folds them with the views for study.
export function Fold({ state, go }: Props) {
  const fold = (study: boolean) => {
    remember(study);
    go({ study, view: !study && forStudy(state.view) ? "results" : state.view }, "replace");
  };
  return (
    <button class="quiet fold" aria-expanded={state.study} aria-controls={state.study ? "study" : undefined} onClick={() => fold(!state.study)}
      title="how results are found and scored: coefficients, gates, pools, what is encoded, maps">
      For study{!state.study && changed(state) ? ": changed" : ""}
    </button>
  );
}
