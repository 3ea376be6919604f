/** A tool that a user or a repository describes in a configuration file, as it stands there. */
export interface CustomTool {
  /** The name in `[tools.NAME]`. */
  readonly name: string;
  /** The file that describes the tool. */
  readonly file: string;
  readonly table: Readonly<Record<string, unknown>>;
}
