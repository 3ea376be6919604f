import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const OUTCOMES = ["Passed", "Failed", "Skipped"];
const ID = /^- hook id: (\S+)$/;
const DETAIL = /^- (exit code: \d+|files were modified by this hook|duration: [\d.]+s)$/;
const NOISE =
  /^\[(?:INFO|WARNING)\] (?:Installing environment for|Once installed this|This may take a few|Initializing environment for|Unstaged files detected|Stashing unstaged|Restored changes).*$/;

/** Reads the pre-commit framework: which hooks failed. What a hook prints goes to that tool's own parser. */
export class PreCommitParser implements LineParser {
  readonly #drafts;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const hook = readHook(text);
    if (hook !== undefined) {
      this.#drafts.close();
      if (hook.outcome === "Failed") this.#drafts.open({ severity: "error" }, `${hook.name}: Failed`);
      return true;
    }
    const draft = this.#drafts.current;
    const id = draft === undefined ? undefined : ID.exec(text)?.[1];
    if (draft !== undefined && id !== undefined) {
      draft.found = { ...draft.found, code: id };
      return true;
    }
    const detail = draft === undefined ? undefined : DETAIL.exec(text)?.[1];
    if (draft !== undefined && detail !== undefined) {
      if (detail.startsWith("files were")) draft.message.push(detail);
      return true;
    }
    this.#drafts.close();
    return NOISE.test(text);
  }

  end(): void {
    this.#drafts.close();
  }
}

/** `Check Yaml.......Failed`, `Only Python.....(no files to check)Skipped`. */
function readHook(text: string): { name: string; outcome: string } | undefined {
  const outcome = OUTCOMES.find((word) => text.endsWith(word));
  if (outcome === undefined) return undefined;
  const before = text.slice(0, -outcome.length);
  const dotted = before.endsWith(")") ? before.slice(0, before.lastIndexOf("(")) : before;
  let end = dotted.length;
  while (end > 0 && dotted[end - 1] === ".") end--;
  return end === 0 || dotted.length - end < 3 ? undefined : { name: dotted.slice(0, end), outcome };
}
