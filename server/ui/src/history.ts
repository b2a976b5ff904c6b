// Queries of before, kept in this browser.

const name = "nsfl-history";
const most = 100;

function load(): string[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(all) ? all.filter((q) => typeof q === "string") : [];
  } catch {
    return [];
  }
}

export const history = {
  add(query: string) {
    const all = [...load().filter((q) => q !== query), query].slice(-most);
    try {
      localStorage.setItem(name, JSON.stringify(all));
    } catch {
      // Without storage there is no history; searching goes on.
    }
  },

  // walk goes back and forth in it, from a text that is not yet in it.
  walk() {
    let all: string[] | undefined;
    let at = 0;
    let draft = "";
    return {
      back(text: string): string | undefined {
        if (!all) {
          all = load().filter((q) => q !== text);
          at = all.length;
          draft = text;
        }
        return at > 0 ? all[--at] : undefined;
      },
      forth(): string | undefined {
        if (!all || at >= all.length) return undefined;
        return ++at < all.length ? all[at] : draft;
      },
    };
  },
};
