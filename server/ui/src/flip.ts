// Animates elements that moved.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// useFlip watches the children with a data-id. When their order changes within the same
// search (moved), they glide to their new places.
export function useFlip(list: RefObject<HTMLElement | null>, order: string, moved: boolean) {
  const before = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const places = new Map<string, number>();
    const top = list.current?.getBoundingClientRect().top ?? 0;
    for (const item of list.current?.querySelectorAll<HTMLElement>("[data-id]") ?? []) {
      const id = item.dataset.id!;
      // An animation that still runs must not count.
      item.getAnimations().forEach((a) => a.cancel());
      const place = item.getBoundingClientRect().top - top;
      places.set(id, place);
      if (!moved || still()) continue;
      const from = before.current.get(id);
      if (from === undefined) item.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 260 });
      else if (from !== place) {
        item.animate([{ transform: `translateY(${from - place}px)` }, { transform: "none" }], { duration: 320, easing: "cubic-bezier(.2,.7,.2,1)" });
      }
    }
    before.current = places;
  }, [order]);
}
