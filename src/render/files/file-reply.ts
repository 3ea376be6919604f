import type { FileSlice } from "../../model/file-slice.ts";
import type { InstalledPackage } from "../../model/installed-package.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import type { Outline } from "../../model/symbol.ts";

/** Lines of a file or of a run's log, and what is known about them. */
export interface FileReply {
  readonly slice: FileSlice;
  /** The definition that the caller named instead of a file, and other definitions with the same name. */
  readonly symbol?: { readonly place: string; readonly others: readonly string[] } | undefined;
  /** The installed dependency that the file is in, if the caller named one. */
  readonly package?: InstalledPackage | undefined;
  readonly pruning: PruningOutcome;
  /** The definitions in the lines, with which a file that does not fit is shown folded. */
  readonly outline?: Outline | undefined;
  /**
   * True if the reply also holds other files. Then a line above this part names its file, and the calls for more lines
   * name it too.
   */
  readonly isOneOfSeveral?: boolean;
}
