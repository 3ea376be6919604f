import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const turbo = defineBuildTool({
  id: "turbo",
  title: "Turborepo",
  url: "https://turborepo.com",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["Failed:    ", "Tasks:    ", "• turbo ", "• Packages in scope", "`->", "╰─▶"],
  priority: 5,
  parser: turboParser,
  commands: [
    {
      name: "turbo.build",
      description: "Build all packages",
      detect: (folder) => (folder.has("turbo.json") ? "turbo.json is here" : undefined),
      argv: () => ["npx", "--no-install", "turbo", "run", "build"],
    },
    {
      name: "turbo.test",
      description: "Test all packages",
      detect: (folder) => (folder.has("turbo.json") ? "turbo.json is here" : undefined),
      argv: () => ["npx", "--no-install", "turbo", "run", "test"],
    },
  ],
  ownsIndented: /^ {3}• (?:turbo \d|Packages in scope)/,
});

const COUNTS = /^ ?(?:Tasks|Cached|Time): {2,}\S/;
const FAILED = /^ ?Failed: {2,}(\S.*)$/;
const ENDED =
  /^(?:\S+#\S+: )? ?(?:ERROR|WARNING) {2}(?:run failed: command|command (?:\(|finished with error))/;
const NOTE = /^ {3}• (?:turbo \d|Packages in scope|Running |Remote caching)/;
const HEAD = /^ {2}[x×] (\S.*)$/;
const CAUSE = /^ {2}(?:`->|╰─▶|├─▶|\|->)\s+(?:[x×] )?(\S.*)$/;

/** Reads which tasks failed and why Turborepo could not run at all. The output of the tasks themselves goes to the parsers of their tools. */
function turboParser(sink: Sink): LineParser {
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
