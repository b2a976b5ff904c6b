// follow opens a document in place, unless a new tab or window is asked for.
export function follow(e: MouseEvent, choose: () => void) {
  if (!e.metaKey && !e.ctrlKey && !e.shiftKey) (e.preventDefault(), choose());
}
