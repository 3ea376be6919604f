import { isFrame } from "../../javascript/frames.ts";
import { readRollupError } from "../../javascript/rollup-error.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const rollup = defineBuildTool({
  id: "rollup",
  title: "Rollup",
  url: "https://rollupjs.org",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["[!] ", "(!) "],
  priority: 6,
  parser: rollupParser,
});

/** Matches the start of an error or warning. Ruby programs use the same symbol without an error's name. */
const HEAD = /^(\[!\](?= (?:\(plugin |\w*Error:))|\(!\)) (\S.*)$/;
const OVER =
  /^(?:created \S.* in |\S.* → \S.*\.\.\.$|npm (?:error|ERR!)|✓ |rendering chunks|computing gzip|dist\/|build\/)/;
const MAX_LINES = 60;

/** Reads Rollup's errors `[!]` and warnings `(!)`; Vite prints the warnings too. */
function rollupParser(sink: Sink): LineParser {
  let pending: { readonly severity: "error" | "warning"; readonly lines: string[] } | undefined;

  function close(): void {
    if (pending !== undefined) sink.diagnostic(readRollupError(pending.lines, pending.severity));
    pending = undefined;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const [, mark, content] = HEAD.exec(text) ?? [];
      if (content !== undefined) {
        close();
        pending = { severity: mark === "[!]" ? "error" : "warning", lines: [content] };
        return true;
      }
      if (pending === undefined) return false;
      const { lines } = pending;
      const ended = text.trim() === "" && lines.some((line) => isFrame(line));
      if (
        OVER.test(text) ||
        ended ||
        lines.length > MAX_LINES ||
        (text.trim() === "" && pending.severity === "warning")
      ) {
        close();
        return text.trim() === "";
      }
      lines.push(text);
      return true;
    },
    end: close,
  };
}
