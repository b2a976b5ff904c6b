// What is for study, folded by default: the free choices of calculus and retrieval, what is
// encoded, the numbers behind a score, the map and the orders.
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

// changed: something in the fold is not as it is by default, so that results are not either.
export const changed = (s: State) => choices.some((c) => JSON.stringify(s[c]) !== JSON.stringify(start[c]));

// here is the state of the address. What an address has changed is not hidden from those
// who are sent it.
export function here(): State {
  const s = read(location.search);
  return { ...s, study: s.study || remembered() || forStudy(s.view) || changed(s) };
}
