// Files that are dropped on the page, folders with all that is in them.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

// useDrop receives files dropped anywhere on the page, and reports whether files hover over it.
export function useDrop(take: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const taking = useRef(take);
  useLayoutEffect(() => void (taking.current = take));
  useEffect(() => {
    const drag = (e: DragEvent) => {
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      setOver(true);
    };
    const leave = (e: DragEvent) => e.relatedTarget === null && setOver(false);
    const drop = (e: DragEvent) => {
      setOver(false);
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      void filesOf(e.dataTransfer).then((files) => files.length && taking.current(files));
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => (removeEventListener("dragover", drag), removeEventListener("dragleave", leave), removeEventListener("drop", drop));
  }, []);
  return over;
}

const most = 10000; // files of one drop

// filesOf returns the files of a drop. It must read all entries before the first await.
async function filesOf(data: DataTransfer): Promise<File[]> {
  const files = [...data.files];
  const entries = [...data.items].map((i) => i.webkitGetAsEntry?.());
  if (!entries.some((e) => e?.isDirectory)) return files;
  const all: File[] = [];
  for (const e of entries) if (e) await collect(e, all);
  return all;
}

async function collect(entry: FileSystemEntry, into: File[]): Promise<void> {
  if (into.length >= most || entry.name.startsWith(".")) return;
  if (entry.isFile) return void into.push(await new Promise<File>((take, fail) => (entry as FileSystemFileEntry).file(take, fail)));
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) { // a hundred at a time
    const some = await new Promise<FileSystemEntry[]>((take, fail) => reader.readEntries(take, fail));
    if (!some.length) return;
    for (const e of some) await collect(e, into);
  }
}
