import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Sink } from "../../tool.ts";
import { isPhpFrame, placeAtPhpFrame, setPhpComparison } from "./trace.ts";

export interface TestdoxReader {
  take(text: string): boolean;
  /** The failures come again in full: what was read so far is dropped. */
  forget(): void;
  end(): void;
}

/** `Shopping cart (Tests\ShoppingCartTest)`, or whatever the class says of itself. */
const CLASS = /^(\S.{0,400}?)(?: \(([\w\\]{1,400})\))?$/;
const TEST = /^ ([✔✘☢↩∅⚠]) (.{1,1500})$/u;
const DETAIL = /^ {3}[│┐├┊┴╵](?: (.*))?$/u;

/** Reads the testdox form, where the failures stand below their tests. */
export function testdoxReader(sink: Sink): TestdoxReader {
  const held: FailureDraft[] = [];
  let suite = "";
  let above = "";
  let open: FailureDraft | undefined;

  return {
    take(text) {
      const test = TEST.exec(text);
      if (test !== null) {
        const heading = CLASS.exec(above);
        if (heading !== null) suite = heading[2] ?? heading[1] ?? "";
        above = "";
        const name = [suite, test[2]].filter((part) => part !== undefined && part !== "").join(" > ");
        open = test[1] === "✘" ? { name, kind: "test", message: [] } : undefined;
        if (open !== undefined) held.push(open);
        return true;
      }
      const detail = DETAIL.exec(text);
      if (detail !== null) {
        const line = detail[1] ?? "";
        if (open === undefined) return true;
        if (isPhpFrame(line)) placeAtPhpFrame(open, line);
        else open.message.push(line);
        return true;
      }
      open = undefined;
      above = text;
      return false;
    },
    forget() {
      held.length = 0;
    },
    end() {
      for (const draft of held) {
        setPhpComparison(draft);
        sink.failure(finishedFailure(draft));
      }
    },
  };
}
