/** The folder of a command and those above it, up to the root, the nearest first. */
export function foldersAbove(cwd: string): string[] {
  const parts = cwd.split("/").filter((part) => part !== "" && part !== ".");
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join("/")), ""];
}
