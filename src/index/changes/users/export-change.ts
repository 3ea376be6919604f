import { squeezed } from "../white-space.ts";

const EXPORT = /^export\s+(?<isDefault>default\b)?\s*/;

/** How a definition of TypeScript or JavaScript is exported differently. */
export interface ExportChange {
  /** True if what other files import is gone: it was exported, and is not any more, or by another name. */
  readonly isLost: boolean;
  /** True if nothing else of the signature changed. */
  readonly isAll: boolean;
}

/** Returns how the export in a signature changed; undefined if it did not. */
export function exportChange(before: string, after: string): ExportChange | undefined {
  const [was, is] = [EXPORT.exec(before), EXPORT.exec(after)];
  const [old, now] = [was, is].map((found) => found && (found.groups?.["isDefault"] ?? "named"));
  if (old === now) return undefined;
  const isAll = squeezed(before.replace(EXPORT, "")) === squeezed(after.replace(EXPORT, ""));
  return { isLost: was !== null, isAll };
}
