/** What `build` can run in a folder. */
export interface ToolList {
  readonly detected: readonly {
    readonly name: string;
    readonly description: string;
    readonly why: string;
    /** What it runs. */
    readonly command: string;
  }[];
  /** Names of the tools that do not fit this folder. */
  readonly others: readonly string[];
  /** Scripts of the nearest package.json. */
  readonly scripts: readonly string[];
  /** Commands that files of the folder name: `make` with its targets, `just` with its recipes. */
  readonly targets: readonly { readonly command: string; readonly names: readonly string[] }[];
  /** Folders below with a manifest of their own. */
  readonly packages: readonly { readonly folder: string; readonly manifest: string }[];
  /** Not all folders were looked at: there may be more. */
  readonly morePackages: boolean;
}
