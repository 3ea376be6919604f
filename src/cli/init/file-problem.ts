/**
 * The reason why a configuration file cannot be edited, with the line of the problem. The caller adds the file's name.
 */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Returns the 1-based line number of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
