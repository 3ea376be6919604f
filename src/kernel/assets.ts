import { fileURLToPath } from "node:url";

/** Where dist/ is: beside the bundle, or two folders up while running from the sources (tests). */
const DIST = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/", import.meta.url)
  : new URL("./", import.meta.url);

/** The path of a file that the build puts into dist/, such as a grammar. */
export function assetPath(name: string): string {
  return fileURLToPath(new URL(name, DIST));
}
