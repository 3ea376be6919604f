import type { MaskedSecret } from "./masked.ts";
import type { SymbolKind } from "./symbol.ts";

/** What changed between two states of a repository, by definition. */
export interface ChangeReport {
  /** The states as replies show them: `main (3f2a91c)`, `the working tree`. */
  readonly before: string;
  readonly after: string;
  /** The files whose definitions were compared, code before tests and prose. */
  readonly files: readonly FileChange[];
  /** Lock files, generated and vendored files, data and files without definitions: only their paths are listed. */
  readonly folded: readonly FoldedChange[];
  /** What changed in repositories of which the workspace is only a folder, outside of that folder. */
  readonly outside?: readonly OutsideChanges[];
  readonly elapsedMs: number;
}

export interface OutsideChanges {
  /** The workspace, relative to the top of the repository. */
  readonly folder: string;
  /** The absolute path of the top. */
  readonly top: string;
  readonly files: number;
}

export type FileStatus = "added" | "removed" | "modified" | "renamed";

export interface FileChange {
  readonly path: string;
  readonly status: FileStatus;
  /** The path before a rename. */
  readonly oldPath?: string;
  readonly language: string;
  readonly symbols: readonly SymbolChange[];
  /** True if lines outside of all definitions changed, such as imports or comments. */
  readonly hasOtherLines: boolean;
  /** Where imports still name the path before a rename. */
  readonly oldImports?: OutsideUses;
  /** All that differs of a file in which no definition and no other line does. */
  readonly onlyFormat?: "line ends" | "white space";
  /** True if only the later version has syntax errors, so that definitions may seem to be removed or changed. */
  readonly isBroken?: true;
  /** What git says of the file besides its content. */
  readonly notes?: readonly FileNote[];
  readonly masked?: readonly MaskedSecret[];
}

export type FileNote = "merge conflict" | "no longer tracked" | "mode changed";

export type SymbolChangeKind =
  | "added"
  | "removed"
  | "signature"
  | "body"
  // Only a comment, decorator or other annotation directly above the definition changed.
  | "annotation"
  | "renamed"
  | "moved";

export interface SymbolChange {
  readonly change: SymbolChangeKind;
  readonly kind: SymbolKind;
  readonly qualifiedName: string;
  readonly signature: string;
  /** The lines after the change; of a definition that was removed or moved out of the file those before it. */
  readonly lineStart: number;
  readonly lineEnd: number;
  /** The signature before, if it differs. */
  readonly oldSignature?: string;
  /** The name or the file before a rename or a move. */
  readonly oldName?: string;
  readonly oldPath?: string;
  /** Where a definition is now that was moved out of this file, and its name there if that differs. */
  readonly newPath?: string;
  readonly newName?: string;
  /** True if the body of a renamed or moved definition, or of one with a new signature, changed too. */
  readonly hasNewBody?: true;
  /** Where code outside of the change still uses the old signature or name. */
  readonly usedOutside?: OutsideUses;
  /** The number of definitions inside of an added or removed one, which are not listed on their own. */
  readonly members?: number;
}

/** Uses of a changed definition in code that did not change. */
export interface OutsideUses {
  /** Number of places that certainly use it. */
  readonly total: number;
  /** The first of them; if there are none, the first of the possible ones. */
  readonly places: readonly UsePlace[];
  /** Number of other places with the name, of which it is not known whether they mean this definition. */
  readonly possible: number;
  /** Why the users were not looked up; absent if they were. */
  readonly notLookedUp?: "too many changes" | "common name" | "unstaged edits";
}

export interface UsePlace {
  readonly path: string;
  readonly line: number;
  /** The function, class or test around the place. */
  readonly within?: string;
}

export interface FoldedChange {
  readonly path: string;
  readonly status: FileStatus;
  readonly oldPath?: string;
  /** What git says of the file besides. */
  readonly notes?: readonly FileNote[];
  readonly why:
    | "lock file"
    | "generated"
    | "vendored"
    | "data"
    | "binary"
    // Git lacks the content, as in a partial clone.
    | "unreadable"
    | "too large"
    | "no definitions"
    // Only whether it may be executed changed.
    | "mode"
    | "link"
    | "submodule"
    // The submodule is at the same commit, and its own files differ from that.
    | "submodule with uncommitted changes"
    // A repository that git does not track; what is in it is not known.
    | "nested repository"
    // Of a file whose definitions are not listed, this is said instead of what it contains.
    | "merge conflict"
    | "no longer tracked";
}
