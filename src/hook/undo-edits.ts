import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { readSmallText } from "../kernel/files/small-file.ts";
import type { EditedFile } from "../model/edits.ts";

/** One edit as a client's tool was asked to make it. */
export interface ToolEdit {
  readonly path: string;
  /** The texts that were exchanged; absent if the tool wrote the whole file, whose earlier text is then unknown. */
  readonly exchange?: { readonly old: string; readonly now: string; readonly all: boolean };
}

/**
 * Returns the edited files with their texts before the edits, which are found by undoing them from the last to the
 * first. Where an edit cannot be undone for certain, the earlier text is left out.
 */
export function editedFiles(edits: readonly ToolEdit[], cwd: string): readonly EditedFile[] {
  const byPath = new Map<string, ToolEdit[]>();
  for (const edit of edits) {
    const path = realPath(resolve(cwd, edit.path));
    byPath.set(path, [...(byPath.get(path) ?? []), edit]);
  }
  return [...byPath].map(([path, made]) => {
    const before = made.reduceRight<string | undefined>(undo, readSmallText(path));
    return { path, ...(before !== undefined && { before }) };
  });
}

function undo(text: string | undefined, { exchange }: ToolEdit): string | undefined {
  if (text === undefined || exchange === undefined || exchange.now === "") return undefined;
  const { old, now, all } = exchange;
  const parts = text.split(now);
  return parts.length === 2 || (all && parts.length > 2) ? parts.join(old) : undefined;
}

/** Resolves links, because a server knows its files by their real paths. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The file is gone again; the check then finds nothing to read.
    return path;
  }
}
