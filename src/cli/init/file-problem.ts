/** Why a configuration file cannot be edited, and where. The file's name is added by who knows it. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
