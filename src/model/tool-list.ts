/** The tools and scripts that `build` can run in a folder. */
export interface ToolList {
  readonly detected: readonly {
    readonly name: string;
    readonly description: string;
    readonly why: string;
    /** The command line that the build tool runs. */
    readonly command: string;
  }[];
  /** The names of the build tools that do not apply to this folder. */
  readonly others: readonly string[];
  /** Scripts of the nearest package.json. */
  readonly scripts: readonly string[];
  /** Commands for the build targets that files of the folder define, such as `make` targets and `just` recipes. */
  readonly targets: readonly { readonly command: string; readonly names: readonly string[] }[];
  /** Labels of the editor's tasks (`.vscode/tasks.json`) that can be run. */
  readonly tasks: readonly string[];
  /** What is wrong with tools that a configuration file describes, as sentences. */
  readonly problems: readonly string[];
  /** Subfolders that are packages of their own, because they have a manifest such as package.json. */
  readonly packages: readonly { readonly folder: string; readonly manifest: string }[];
  /** True if not all subfolders were scanned, so that there may be more packages than listed. */
  readonly morePackages: boolean;
}
