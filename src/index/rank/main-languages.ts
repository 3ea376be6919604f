import type { View, ViewFile } from "../live/view.ts";

/** A language with fewer of the sources than this is not what a project is written in. */
const MIN_SHARE = 0.05;

const known = new WeakMap<View, ReadonlySet<string>>();

/** Whether a file is written in what the project is written in, and not in what its scripts and settings are. */
export function isInMainLanguage(view: View, file: ViewFile): boolean {
  let main = known.get(view);
  if (main === undefined) {
    main = mainExtensions(view);
    known.set(view, main);
  }
  return main.has(extensionOf(file.path));
}

function mainExtensions(view: View): ReadonlySet<string> {
  const counts = new Map<string, number>();
  let sources = 0;
  for (const { path, facts } of view.files) {
    if (facts.kind !== "code" || facts.role.test) continue;
    sources++;
    const extension = extensionOf(path);
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_SHARE * sources).map(([name]) => name));
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
