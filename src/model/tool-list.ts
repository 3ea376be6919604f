/** The tools and scripts that `build` can run in a folder. */
export interface ToolList {
  readonly detected: readonly {
    readonly name: string;
    readonly description: string;
    readonly why: string;
    /** The command line that the tool runs. */
    readonly command: string;
  }[];
  /** Names of the tools that do not apply to this folder. */
  readonly others: readonly string[];
  /** Scripts of the nearest package.json. */
  readonly scripts: readonly string[];
  /** Commands with the targets that files of the folder define: `make` targets, `just` recipes. */
  readonly targets: readonly { readonly command: string; readonly names: readonly string[] }[];
  /** Subfolders that have a manifest of their own. */
  readonly packages: readonly { readonly folder: string; readonly manifest: string }[];
  /** True if not all subfolders were scanned, so that there may be more packages. */
  readonly morePackages: boolean;
}
