import type { Line, LineParser, Sink } from "../../tool.ts";

const COUNTS = /^ ?(?:Tasks|Cached|Time): {2,}\S/;
const FAILED = /^ ?Failed: {2,}(\S.*)$/;
const ENDED =
  /^(?:\S+#\S+: )? ?(?:ERROR|WARNING) {2}(?:run failed: command|command (?:\(|finished with error))/;
const NOTE = /^ {3}• (?:turbo \d|Packages in scope|Running |Remote caching)/;
const HEAD = /^ {2}[x×] (\S.*)$/;
const CAUSE = /^ {2}(?:`->|╰─▶|├─▶|\|->)\s+(?:[x×] )?(\S.*)$/;

/** Reads which tasks Turborepo says have failed, and why it could not run at all. The tasks' own output goes to their tools. */
export function turboParser(sink: Sink): LineParser {
  let head: string | undefined;
  let causes: string[] = [];

  function close(): void {
    if (head !== undefined && causes.length > 0)
      sink.diagnostic({ severity: "error", message: [head, ...causes].join("\n") });
    head = undefined;
    causes = [];
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const cause = head === undefined ? undefined : CAUSE.exec(text)?.[1];
      if (cause !== undefined) {
        causes.push(cause);
        return true;
      }
      close();
      head = HEAD.exec(text)?.[1];
      const failed = FAILED.exec(text)?.[1];
      if (failed === undefined) return COUNTS.test(text) || ENDED.test(text) || NOTE.test(text);
      for (const task of failed.split(/, ?/))
        sink.diagnostic({ severity: "error", message: `Failed: ${task.trim()}` });
      return true;
    },
    end: close,
  };
}
