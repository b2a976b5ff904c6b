// The controls for study, folded by default: options of logic and retrieval, the encoded
// strings, the numbers behind a score, the map and the orders.
import { read, start, type State, type View } from "./url";

const name = "nsfl-study";

function remembered(): boolean {
  try {
    return localStorage.getItem(name) === "open";
  } catch {
    return false;
  }
}

export function remember(open: boolean) {
  try {
    if (open) localStorage.setItem(name, "open");
    else localStorage.removeItem(name);
  } catch {
    // It then holds for this page only.
  }
}

export const forStudy = (view: View) => view === "map" || view === "deltas";

const choices = ["mode", "fusion", "pool", "candidates", "profile", "least", "copies", "logic", "words"] as const;

// changed reports whether an option in the fold differs from its default.
export const changed = (s: State) => choices.some((c) => JSON.stringify(s[c]) !== JSON.stringify(start[c]));

// here reads the state from the address. Options that the address changes are unfolded.
export function here(): State {
  const s = read(location.search);
  return { ...s, study: s.study || remembered() || forStudy(s.view) || changed(s) };
}
