import { isFrame } from "../../javascript/frames.ts";
import { unknownCommand } from "../../javascript/package-scripts.ts";
import type { Sink } from "../../tool.ts";

const HEADER = /^yarn (?:([a-z]+) )?v\d+\.\d+\.\d+/;
const VISIT = "info Visit https://yarnpkg.com/";
const TAGGED = /^(error|warning|info|success) (\S.*)$/;
/** What Yarn itself says of a script that failed; a script may print lines with `error` before them too. */
const OF_RUN = /^(?:Command (?:failed|"|was killed)|An unexpected error|Couldn't find|Your )/;
const STEP = /^\[(?:\d+\/\d+|-\/-)\] |^Done in \d|^\$ /;
const OUTPUT = /^Output:$/;
const MAX_LINES = 40;

/** Reads Yarn 1: errors are given when the line that points to the documentation proves them Yarn's. */
export class ClassicReader {
  readonly #sink: Sink;
  #command: string | undefined;
  #errors: string[][] = [];
  #skipping = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const header = HEADER.exec(text);
    if (header !== null) {
      this.end();
      this.#command = header[1] ?? "install";
      return true;
    }
    if (this.#command === undefined) return false;
    if (text.startsWith(VISIT)) {
      this.#give();
      this.#command = undefined;
      return true;
    }
    if (text.startsWith("Done in ")) {
      this.#command = undefined;
      this.#errors = [];
      return true;
    }
    const complaint = unknownCommand(text);
    if (complaint !== undefined) this.#sink.diagnostic(complaint);
    return complaint !== undefined || this.#tagged(text) || this.#goesOn(text) || STEP.test(text);
  }

  end(): void {
    if (this.#command !== "run") this.#give();
    this.#errors = [];
    this.#command = undefined;
  }

  #tagged(text: string): boolean {
    const [, tag, said = ""] = TAGGED.exec(text) ?? [];
    if (tag === undefined) return false;
    const own = this.#command !== "run" || OF_RUN.test(said);
    if (tag === "error" && own) {
      this.#errors.push([said]);
      this.#skipping = false;
      return true;
    }
    if (this.#command === "run") return false;
    if (tag === "warning") this.#sink.diagnostic({ severity: "warning", message: said });
    return true;
  }

  #goesOn(text: string): boolean {
    const open = this.#command === "run" ? undefined : this.#errors.at(-1);
    if (open === undefined || STEP.test(text)) return false;
    this.#skipping ||= isFrame(text) || OUTPUT.test(text);
    if (!this.#skipping && open.length < MAX_LINES) open.push(text);
    return true;
  }

  #give(): void {
    for (const lines of this.#errors)
      this.#sink.diagnostic({ severity: "error", message: lines.join("\n").trim() });
    this.#errors = [];
  }
}
