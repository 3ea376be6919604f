import type { ViewFile } from "../live/view.ts";
import type { FileReader } from "./hits.ts";

/** How many lines contain a text, and in how many files they are. */
export interface LineCount {
  readonly lines: number;
  readonly files: number;
}

/** Counts the lines that pass a test. */
export async function countLines(
  files: Iterable<ViewFile>,
  reader: FileReader,
  test: (line: string) => boolean,
): Promise<LineCount> {
  let [lines, inFiles] = [0, 0];
  for (const file of files) {
    const found = (await reader.lines(file)).filter(test).length;
    lines += found;
    if (found > 0) inFiles++;
  }
  return { lines, files: inFiles };
}
