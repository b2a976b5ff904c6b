import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

// Dialog uses the browser's dialog, which keeps the focus inside and closes on Esc.
//
// The browser reports the end of a dialog late, when the next one may be open already.
// Dialog therefore calls close at once, and ignores the browser's event afterwards.
export function Dialog({ title, close, children, wide }: { title: string; close: () => void; children: ComponentChildren; wide?: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  const told = useRef(false);
  const end = () => {
    if (told.current) return;
    told.current = true;
    close();
  };
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => {
      told.current = true;
      dialog.close(); // gives the focus back
    };
  }, []);
  return (
    <dialog ref={element} class={wide ? "wide" : ""} aria-label={title} onClose={end} onKeyDown={(e) => e.stopPropagation()}
      onCancel={(e) => e.target === element.current && (e.preventDefault(), end())}
      onClick={(e) => e.target === element.current && end()}>
      <div class="sheet">
        <header><h2>{title}</h2><button type="button" class="icon" onClick={end} aria-label="Close">×</button></header>
        {children}
      </div>
    </dialog>
  );
}
