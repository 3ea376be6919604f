import type { Line, LineParser, Sink } from "../../tool.ts";

const TITLE = /^ *>? *(?:NX|Lerna \(powered by Nx\)) {2,}(?:ERROR {2,})?(\S.*)$/;
const BROKEN = /^(?:Cannot |Could not |Unable to |Failed to |Error: |No projects? )/;
const LIST = /^ *(?:Failed tasks:|✖ +\d+\/\d+ (?:targets|tasks) failed, including the following:)$/;
const ITEM = /^ *- (\S+)$/;
const CROSSED = /^ *✖ {1,4}nx run (\S+)/;
const NOTE =
  /^(?:Output of \d+ successful tasks|Hint: run the command with --verbose| {2}(?:Run duration|Cache|Critical path|Recoverable time): )/;

/** Reads which tasks Nx says have failed, and why it could not run at all. */
export function nxParser(sink: Sink): LineParser {
  let listing = false;

  function failed(task: string | undefined): boolean {
    if (task === undefined) return false;
    sink.diagnostic({ severity: "error", message: `Failed: ${task}` });
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 4_000) return false;
      const title = TITLE.exec(text)?.[1];
      if (title !== undefined) {
        listing = false;
        if (BROKEN.test(title)) sink.diagnostic({ severity: "error", message: title });
        return true;
      }
      if (LIST.test(text)) {
        listing = true;
        return true;
      }
      const item = listing ? ITEM.exec(text)?.[1] : undefined;
      listing &&= item !== undefined || text.trim() === "";
      return failed(item ?? CROSSED.exec(text)?.[1]) || NOTE.test(text);
    },
    end: () => undefined,
  };
}
