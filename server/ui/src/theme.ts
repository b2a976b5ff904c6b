// Light, dark, or as the system has it.
const name = "nsfl-theme";
const all = ["auto", "light", "dark"] as const;
export type Theme = (typeof all)[number];

export function theme(): Theme {
  const t = document.documentElement.dataset.theme as Theme | undefined;
  return t && all.includes(t) ? t : "auto";
}

export function setTheme(t: Theme) {
  document.documentElement.dataset.theme = t;
  try {
    localStorage.setItem(name, t);
  } catch {
    // It then holds for this page only.
  }
}

export function restoreTheme() {
  try {
    setTheme((localStorage.getItem(name) as Theme | null) ?? "auto");
  } catch {
    // As the system has it.
  }
}

export const next = (t: Theme): Theme => all[(all.indexOf(t) + 1) % all.length];
