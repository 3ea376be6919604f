import type { CodeMetadata } from "./hit.ts";
import type { MaskedSecret } from "./masked.ts";
import type { SymbolKind } from "./symbol.ts";

/** A map of a folder: its areas, where its programs start, and what the rest of the code uses most. */
export interface Overview {
  /** The folder, `.` for the whole workspace. */
  readonly path: string;
  readonly files: number;
  readonly lines: number;
  /** The languages by their share of the lines, the largest first. */
  readonly languages: readonly { readonly name: string; readonly share: number }[];
  readonly entryPoints: readonly EntryPoint[];
  readonly areas: readonly Area[];
  /** The most used files, each with its most used definitions. */
  readonly used: readonly UsedFile[];
  /** Numbers of entry points and of used files that are not among those listed above. */
  readonly unlisted: { readonly entryPoints: number; readonly used: number };
  /** Folders outside of this one that its code uses, and that use it, by their share of the uses. */
  readonly dependsOn: readonly Neighbour[];
  readonly usedBy: readonly Neighbour[];
  /**
   * What the weights are shares of. `uses`: files, tests apart, that use a definition of another file, counted for each
   * definition. `fit`: how often one comes to a file on the way along uses from those that fit a question. `files`:
   * nothing is used, and all files count alike.
   */
  readonly unit: "uses" | "fit" | "files";
  /** The question to which the weights are fitted, if there is one. */
  readonly question?: string;
  readonly masked?: readonly MaskedSecret[];
  readonly metadata: CodeMetadata;
  readonly projectId: string;
}

export interface EntryPoint {
  readonly path: string;
  /** What makes it one: `bin pith in package.json`, `fn main`. */
  readonly why: string;
  readonly line?: number;
}

/** A folder of the map. The weight is its share, from 0 to 1. */
export interface Area {
  readonly path: string;
  readonly depth: number;
  readonly weight: number;
  readonly files: number;
  readonly lines: number;
  /** The names of its most used definitions that no area inside of it shows. */
  readonly names: readonly string[];
  /** What the folder holds, if it is not code: tests, documentation, data. */
  readonly role?: "tests" | "examples" | "vendored" | "no code";
}

export interface UsedFile {
  readonly path: string;
  readonly weight: number;
  readonly definitions: readonly UsedDefinition[];
}

export interface UsedDefinition {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly line: number;
  readonly signature: string;
  /** The number of other files that use its name. */
  readonly users: number;
}

export interface Neighbour {
  readonly path: string;
  readonly share: number;
}
