import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

// Dialog is the browser's own, which keeps the focus inside and closes on Esc.
export function Dialog({ title, close, children, wide }: { title: string; close: () => void; children: ComponentChildren; wide?: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current!.showModal();
  }, []);
  return (
    <dialog ref={element} class={wide ? "wide" : ""} aria-label={title} onClose={close}
      onClick={(e) => e.target === element.current && element.current!.close()}>
      <div class="sheet">
        <header><h2>{title}</h2><button type="button" class="icon" onClick={() => element.current!.close()} aria-label="Close">×</button></header>
        {children}
      </div>
    </dialog>
  );
}
