import type { ToolEdit } from "./undo-edits.ts";

/** Matches the lines of an `apply_patch` text that begin a file. */
const FILE = /^\*\*\* (?:Update|Add) File: (.+)$/;
const MOVED = /^\*\*\* Move to: (.+)$/;

/** Reads the edits of a patch in the format of the tool `apply_patch`, which Codex and OpenCode have. */
export function editsInPatch(patch: string): readonly ToolEdit[] {
  const edits: ToolEdit[] = [];
  let path: string | undefined;
  let [old, now]: [string[], string[]] = [[], []];
  const close = (): void => {
    if (path !== undefined && now.length + old.length > 0)
      edits.push({ path, exchange: { old: old.join("\n"), now: now.join("\n"), all: false } });
    [old, now] = [[], []];
  };
  for (const line of patch.split(/\r?\n/)) {
    const moved = MOVED.exec(line)?.[1];
    if (moved !== undefined) path = moved;
    else if (line.startsWith("*** ") || line.startsWith("@@")) {
      close();
      if (line.startsWith("*** ") && line !== "*** End of File") path = FILE.exec(line)?.[1];
    } else if (path !== undefined && /^[ +-]|^$/.test(line)) {
      if (!line.startsWith("+")) old.push(line.slice(1));
      if (!line.startsWith("-")) now.push(line.slice(1));
    }
  }
  close();
  return edits;
}
