import type { EditedFile } from "../../model/edits.ts";
import type { Outline } from "../../model/symbol.ts";

export interface EditRequest {
  readonly root: string;
  readonly files: readonly EditedFile[];
  /** True to look for users of changed definitions too, for which the index is opened. */
  readonly withUses: boolean;
  readonly signal?: AbortSignal;
}

/** Both versions of an edited file that is written in a language with an outline. */
export interface EditedVersions {
  readonly path: string;
  readonly was?: { readonly text: string; readonly outline: Outline };
  readonly is: { readonly text: string; readonly outline: Outline };
}
