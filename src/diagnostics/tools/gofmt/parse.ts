import type { Line, LineParser, Sink } from "../../tool.ts";

const DIFF = /^diff (?:-u )?(\S.*?\.go)\.orig (\S.*\.go)$/;
const HUNK = /^@@ -(\d{1,7})/;
const LISTED = /^[^\s:]+\.go$/;

/** Reads `gofmt -d`, and `gofmt -l` where it is known to be gofmt: its output is file names alone. */
export function gofmtParser(sink: Sink): LineParser {
  let file: string | undefined;
  let inside = false;

  function tell(name: string, line: number | undefined): void {
    sink.diagnostic({
      severity: "error",
      message: "not formatted as gofmt would",
      file: name,
      ...(line === undefined ? {} : { line }),
      help: [`gofmt -w ${name}`],
    });
  }

  return {
    take({ text }: Line): boolean {
      const diff = DIFF.exec(text);
      if (diff !== null) {
        file = diff[2] ?? "";
        inside = true;
        return true;
      }
      const hunk = inside ? HUNK.exec(text) : null;
      if (hunk !== null && file !== undefined) {
        tell(file, Number(hunk[1]));
        file = undefined;
      }
      if (inside && /^(?:[-+ @]|$)/.test(text)) return true;
      inside = false;
      if (!LISTED.test(text)) return false;
      tell(text, undefined);
      return true;
    },
    end: () => undefined,
  };
}
