import { gunzipSync, gzipSync } from "node:zlib";
import type { RunEnd, RunFindings, StreamName } from "../../model/run.ts";
import type { RunEnding } from "../../runs/record/store.ts";
import { pathTranslator } from "../path-translation.ts";

interface OutputPiece {
  readonly stream: StreamName;
  readonly bytes: Buffer;
}

/** The answer of a check as it is kept for others. */
interface KeptAnswer {
  /** The folder of the submitter, which the output and the findings name. */
  readonly root: string;
  readonly end: RunEnd;
  readonly findings?: RunFindings;
  /** The output in latin1, so that every byte is kept. */
  readonly output: readonly { readonly stream: StreamName; readonly text: string }[];
}

/** The answer of a check with more output is not kept. */
const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;

/** Collects the output of a check; undefined if it becomes too large to be kept. */
export class CollectedOutput {
  #pieces: OutputPiece[] | undefined = [];
  #bytes = 0;

  add(stream: StreamName, bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_OUTPUT_BYTES) this.#pieces = undefined;
    // The buffer is copied, because its owner may use it again.
    this.#pieces?.push({ stream, bytes: Buffer.from(bytes) });
  }

  get pieces(): readonly OutputPiece[] | undefined {
    return this.#pieces;
  }
}

export function encodeAnswer(
  root: string,
  { end, findings }: RunEnding,
  pieces: readonly OutputPiece[],
): Buffer {
  const { cause, exitCode, lineExitCode, hidden } = end;
  const answer: KeptAnswer = {
    root,
    end: {
      cause,
      ...(exitCode !== undefined && { exitCode }),
      ...(lineExitCode !== undefined && { lineExitCode }),
      ...(hidden && { hidden }),
    },
    ...(findings && { findings }),
    output: pieces.map(({ stream, bytes }) => ({ stream, text: bytes.toString("latin1") })),
  };
  return gzipSync(JSON.stringify(answer));
}

/** Reads an answer for another submitter, with that submitter's folder in place of the first one's. */
export function decodeAnswer(
  bytes: Buffer,
  root: string,
): Pick<RunEnding, "end" | "findings"> & { readonly output: readonly OutputPiece[] } {
  // The cast is safe, because only `encodeAnswer` of the same version writes answers: the key names the version.
  const answer = JSON.parse(gunzipSync(bytes).toString("utf8")) as KeptAnswer;
  const wire = (text: string): string => Buffer.from(text).toString("latin1");
  const inBytes = pathTranslator(wire(answer.root), wire(root));
  const inText = pathTranslator(answer.root, root);
  return {
    end: answer.end,
    ...(answer.findings && { findings: translated(answer.findings, inText) }),
    output: answer.output.map(({ stream, text }) => ({
      stream,
      bytes: Buffer.from(inBytes(text), "latin1"),
    })),
  };
}

/** Translates all texts of a value that came from JSON. */
function translated<T>(value: T, translate: (text: string) => string): T {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? translate(part) : part,
  );
  // The cast is safe, because only texts inside of the value have changed.
  return JSON.parse(text) as T;
}
