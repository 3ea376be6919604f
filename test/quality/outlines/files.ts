import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { languageOf } from "../../../src/languages/detect.ts";

const MAX_BYTES = 1_000_000;
/** Files with longer lines are generated. */
const MAX_LINE = 5000;

/** Returns the source files below a folder by language, up to a limit per language, spread evenly over the tree. */
export function sourceFiles(folder: string, limit: number): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const path of walk(folder)) {
    const language = languageIn(path);
    if (language === undefined) continue;
    const list = all.get(language);
    if (list === undefined) all.set(language, [path]);
    else list.push(path);
  }
  for (const [language, files] of all) {
    const step = Math.max(1, files.length / limit);
    all.set(
      language,
      files.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)),
    );
  }
  return all;
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return /^(?:\.git|node_modules)$/u.test(entry.name) ? [] : walk(path);
      return entry.isFile() ? [path] : [];
    });
}

/** Returns the language of a file by its name or text, or undefined if it is not source code. */
function languageIn(path: string): string | undefined {
  const byName = languageOf(path);
  if (byName === undefined || statSync(path).size > MAX_BYTES) return undefined;
  const text = readFileSync(path, "utf8");
  if (text.includes("\0") || text.split("\n").some((line) => line.length > MAX_LINE)) return undefined;
  return byName.refine?.(text) ?? byName.id;
}
