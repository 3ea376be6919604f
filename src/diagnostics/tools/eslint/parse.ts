import { isFrame } from "../../javascript/frames.ts";
import { StylishReader } from "../../javascript/stylish.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { readCrash } from "./crash.ts";
import { BoxReader } from "./box.ts";
import { CODE_FRAME, pictured, singleLine, stylishHeader, stylishRow } from "./rows.ts";

const OOPS = "Oops! Something went wrong! :(";
const TOO_MANY = /^ESLint found too many warnings \(maximum: \d+\)\.?$/;
const BAD_OPTION = /^Invalid option '--/;
const OVER = /^(?:npm (?:error|ERR!)| ELIFECYCLE| ERR_PNPM|error Command failed|error: script )/;
const CLOSING = /^\d+ (?:problems?|(?:errors?|warnings?)(?: and \d+ warnings?)? found\.)$/;
const MAX_CRASH = 60;

/** Reads ESLint's stylish, compact, unix, Visual Studio, table and codeframe formats, and what it says when it cannot run. */
export function eslintParser(sink: Sink): LineParser {
  const table = new StylishReader(
    {
      ...sink,
      diagnostic: (found) => sink.diagnostic(ofOxlint(found.code) ? { ...found, tool: "oxlint" } : found),
    },
    { row: stylishRow, header: stylishHeader },
  );
  const box = new BoxReader(sink);
  let crash: string[] | undefined;
  /** The code of a complaint may follow. */
  let quoting = false;

  function closeCrash(): void {
    if (crash !== undefined) sink.diagnostic(readCrash(crash));
    crash = undefined;
  }

  return {
    take({ text }: Line): boolean {
      if (text === OOPS) {
        table.end();
        closeCrash();
        crash = [];
        return true;
      }
      if (crash !== undefined) {
        if (!OVER.test(text) && crash.length < MAX_CRASH && !isAfterStack(crash, text)) {
          crash.push(text);
          return true;
        }
        closeCrash();
      }
      if (quoting && CODE_FRAME.test(text)) return true;
      const heading = pictured(text);
      quoting = heading !== undefined;
      if (box.take(text) || table.take(text)) return true;
      const found = heading ?? singleLine(text);
      if (found !== undefined) sink.diagnostic(found);
      else if (TOO_MANY.test(text) || BAD_OPTION.test(text))
        sink.diagnostic({ severity: "error", message: text });
      else return CLOSING.test(text);
      return true;
    },
    end() {
      table.end();
      box.end();
      closeCrash();
    },
  };
}

/** Below the frames only what belongs to the error is indented; a blank line or the next tool ends it. */
function isAfterStack(crash: readonly string[], text: string): boolean {
  return (text === "" || /^[^\s}]/.test(text)) && crash.some(isFrame);
}

/** Oxlint prints the same table, with the plugin before the rule: `eslint(no-var)`. */
function ofOxlint(code: string | undefined): boolean {
  return code?.includes("(") === true;
}
