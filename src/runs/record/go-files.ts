import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestFailure } from "../../model/test-summary.ts";

const PACKAGE = /^go test ([^\s'-]\S*)/;

/**
 * Finds the files of go's tests, which are printed without their folder: the end of the package's path is the folder's. What is not found
 * stays as it was printed.
 */
export function goFiles(cwd: string): (failure: TestFailure) => TestFailure {
  const known = new Map<string, string>();
  return (failure) => {
    const { file, rerun } = failure;
    const pack = PACKAGE.exec(rerun ?? "")?.[1];
    if (file === undefined || pack === undefined || /[/\\]/.test(file)) return failure;
    const key = `${pack}\0${file}`;
    const place = known.get(key) ?? find(cwd, pack.split("/"), file);
    known.set(key, place);
    return { ...failure, file: place };
  };
}

function find(cwd: string, pack: readonly string[], file: string): string {
  for (let from = 1; from < pack.length; from++) {
    const place = [...pack.slice(from), file].join("/");
    if (existsSync(join(cwd, place))) return place;
  }
  return file;
}
