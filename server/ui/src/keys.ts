import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

interface Keys {
  box: RefObject<HTMLTextAreaElement | null>;
  view: (index: number) => void;
  help: () => void;
  close: () => void;
  blocked: boolean; // a dialog has the keys
}

// useKeys handles the keys of the page. Enter needs no code: results are links.
export function useKeys({ box, view, help, close, blocked }: Keys) {
  useLayoutEffect(() => {
    if (blocked) return;
    const press = (e: KeyboardEvent) => {
      const target = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
      if (e.key === "Escape") return target === box.current ? undefined : close();
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== "checkbox") return;
      const onResult = target.matches(".view a.hit");
      if (e.key === "ArrowUp" && onResult && target === results()[0]) return (e.preventDefault(), box.current?.focus());
      const act = { "/": () => (box.current?.focus(), box.current?.select()), "?": help, j: () => step(1), k: () => step(-1), ...(onResult && { ArrowDown: () => step(1), ArrowUp: () => step(-1) }) }[e.key]
        ?? (/^[1-4]$/.test(e.key) ? () => view(Number(e.key) - 1) : undefined);
      if (!act) return;
      e.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

const results = () => [...document.querySelectorAll<HTMLElement>(".view a.hit")];

// step moves the focus among the results on the page.
export function step(by: number) {
  const all = results();
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
}
