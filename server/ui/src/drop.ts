import { useCallback, useEffect, useState } from "preact/hooks";

const none: File[] = [];

// useDrop takes files that are dropped anywhere on the page.
export function useDrop(show: () => void): [File[], () => void] {
  const [files, setFiles] = useState<File[]>(none);
  useEffect(() => {
    const over = (e: DragEvent) => e.dataTransfer?.types.includes("Files") && e.preventDefault();
    const drop = (e: DragEvent) => {
      if (!e.dataTransfer?.files.length) return;
      e.preventDefault();
      setFiles([...e.dataTransfer.files]);
      show();
    };
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => (removeEventListener("dragover", over), removeEventListener("drop", drop));
  }, []);
  return [files, useCallback(() => setFiles(none), [])];
}
