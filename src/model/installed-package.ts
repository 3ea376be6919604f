/** A dependency that is installed for a workspace and was asked for by name. */
export interface InstalledPackage {
  readonly name: string;
  readonly version?: string;
  readonly ecosystem: Ecosystem;
  /** The text by which its files are named, such as `dep:zod`. */
  readonly prefix: string;
  /** True for a Python module that is a single file. */
  readonly isFile?: true;
  /** The other versions that are installed, as they are asked for: `dep:zod@3.22.4`. */
  readonly others: readonly string[];
}

export const ECOSYSTEMS = ["npm", "python", "go", "cargo"] as const;

export type Ecosystem = (typeof ECOSYSTEMS)[number];
