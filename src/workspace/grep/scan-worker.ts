import { parentPort } from "node:worker_threads";
import type { WorkerReply } from "../../kernel/worker-pool.ts";

/** The lines of one file, and the expressions to find in them. */
export interface ScanRequest {
  readonly text: string;
  readonly expressions: readonly RegExp[];
  readonly isInverted: boolean;
  readonly maxLines: number;
}

/** The indexes of the matching lines, each with the index of its first match. */
export type ScanAnswer = readonly (readonly [line: number, column: number])[];

parentPort?.on("message", (request: ScanRequest) => {
  const reply: WorkerReply<ScanAnswer> = { answer: scan(request), isExhausted: false };
  parentPort?.postMessage(reply);
});

function scan({ text, expressions, isInverted, maxLines }: ScanRequest): ScanAnswer {
  const found: [number, number][] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (found.length >= maxLines) break;
    const places = expressions.map((expression) => line.search(expression)).filter((at) => at >= 0);
    if (places.length > 0 !== isInverted) found.push([index, isInverted ? 0 : Math.min(...places)]);
  }
  return found;
}
