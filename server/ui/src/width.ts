import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

// useWidth follows the width of an element.
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([e]) => setWidth(Math.max(240, Math.floor(e.contentRect.width))));
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return [element, width];
}
