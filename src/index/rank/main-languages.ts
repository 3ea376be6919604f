import type { View, ViewFile } from "../live/view.ts";

/** Share of the source files from which a language counts as a main language of the project. */
const MIN_SHARE = 0.05;

const known = new WeakMap<View, ReadonlySet<string>>();

/** Returns true if the file is in a main language of the project, not in one that only its scripts or settings use. */
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
