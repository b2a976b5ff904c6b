import type { Problem } from "./api";
import { sentence } from "./format";

const titles: Record<number, string> = {
  0: "No connection", 401: "A key is needed", 403: "Not allowed", 404: "Not found", 423: "Read only", 429: "The server is busy",
  502: "The encoder does not answer", 503: "The server is not ready", 504: "It took too long", 507: "The disk is full",
};

interface Props {
  problem: Problem;
  retryIn: number;
  again: () => void;
  enterKey: () => void;
}

export function Notice({ problem, retryIn, again, enterKey }: Props) {
  return (
    <div class="notice" role="alert">
      <p><b>{titles[problem.status] ?? "It did not work"}.</b> {sentence(problem.message)}{retryIn > 0 && ` Trying again in ${retryIn} s.`}</p>
      {problem.status === 401 ? <button onClick={enterKey}>Enter a key</button>
        : problem.code !== "invalid" && <button onClick={again}>Try again</button>}
    </div>
  );
}
