// The version of the server.
import { useEffect, useState } from "preact/hooks";
import { api } from "./api";

export function Version() {
  const [version, setVersion] = useState("");
  useEffect(() => {
    api.version().then((v) => setVersion(v.version), () => setVersion("")); // the page does without
  }, []);
  return <span class="version">nsfl {version}</span>;
}
