import type { Line, LineParser, Sink } from "../../tool.ts";

const DIFF = /^Diff in (.+?)(?: at line (\d{1,7})|:(\d{1,7})):$/;
const BODY = /^(?:[-+ ]|@@ |$)/;

/** Reads `rustfmt --check`: one diagnostic for each place that is not formatted. */
export function rustfmtParser(sink: Sink): LineParser {
  let inside = false;
  return {
    take({ text }: Line): boolean {
      const diff = DIFF.exec(text);
      if (diff !== null) {
        inside = true;
        const [, file = "", old, line] = diff;
        sink.diagnostic({
          severity: "error",
          file,
          line: Number(old ?? line),
          message: "not formatted as rustfmt would",
          help: ["cargo fmt"],
        });
        return true;
      }
      inside = inside && BODY.test(text);
      return inside;
    },
    end(): void {
      inside = false;
    },
  };
}
