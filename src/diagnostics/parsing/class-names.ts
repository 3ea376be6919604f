/** The names of the classes in source files of languages in which a file has the name of its class. */
export function classNames(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => (path.split("/").at(-1) ?? "").replace(/\.\w+$/, "")))];
}
